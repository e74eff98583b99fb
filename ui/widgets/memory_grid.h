#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

namespace triaxis::ui
{

/// Memory of every rank as a grid of cells; the deeper the colour, the fuller the rank.
class MemoryGrid : public QWidget
{
    Q_OBJECT
public:
    struct Cell
    {
        int rank = 0;
        QString coordinates;      ///< "dp0 · pp1 · tp0"
        std::int64_t bytes = 0;   ///< 0: not known yet
        QString detail;           ///< tooltip: by category
        bool operator==(const Cell&) const = default;
    };
    explicit MemoryGrid(QWidget* parent = nullptr);

    void setCells(std::vector<Cell> cells);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    int columns() const;
    QRectF box(std::size_t index) const;

    std::vector<Cell> m_cells;
};

} // namespace triaxis::ui

#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

namespace triaxis::ui
{

/// Memory of every rank as a grid of cells with the scale beneath; the deeper the colour, the fuller the rank. One cell can
/// be chosen: with a click, or with arrows, Home and End.
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
        QString title{};          ///< empty: "rank 3"
        bool marked = false;      ///< a straggler
        bool operator==(const Cell&) const = default;
    };
    explicit MemoryGrid(QWidget* parent = nullptr);

    void setCells(std::vector<Cell> cells);
    const std::vector<Cell>& cells() const { return m_cells; }
    /// Bytes of the deepest colour; 0: those of the fullest cell.
    void setScale(std::int64_t most);
    /// Index into the cells; −1: none.
    int selected() const { return m_selected; }
    void select(int index);
    QColor colourOf(std::size_t index) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

signals:
    void selectionChanged(int index);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Grid
    {
        QSize size;           ///< of the widget that it was worked out for …
        std::size_t cells = 0; ///< … and the number of cells
        int across = 1;
        double gap = 6;
        double cellWidth = 1;
        double cellHeight = 1;
    };
    const Grid& grid() const;
    QRectF box(std::size_t index) const;
    int cellAt(const QPointF& at) const;
    QString titleOf(const Cell& cell) const;
    std::int64_t scale() const;
    double legendHeight() const;
    void paintCell(QPainter& painter, std::size_t index) const;
    void paintLegend(QPainter& painter) const;

    std::vector<Cell> m_cells;
    std::int64_t m_most = 0;
    std::int64_t m_fullest = 0;
    int m_selected = -1;
    mutable Grid m_grid;
};

} // namespace triaxis::ui

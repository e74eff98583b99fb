#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace triaxis::ui
{

/// One stacked bar with a legend below: what memory is used for.
class MemoryBar : public QWidget
{
    Q_OBJECT
public:
    struct Part
    {
        QString name;
        std::int64_t bytes = 0;
        int colour = 0;          ///< index into Theme::memory
        bool operator==(const Part&) const = default;
    };
    explicit MemoryBar(QWidget* parent = nullptr);

    /// `whole`: bytes that the full width stands for.
    void setParts(std::vector<Part> parts, std::int64_t whole);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    std::vector<Part> m_parts;
    std::int64_t m_whole = 1;
};

} // namespace triaxis::ui

#pragma once

#include "engine/timeline/span.h"

#include <QWidget>

#include <array>
#include <optional>
#include <vector>

namespace triaxis::ui
{

/// Memory of one rank over time: the categories on top of each other, the most at once as a line over them, and lines for
/// what the rank has and what was predicted, where known.
class MemoryCurves : public QWidget
{
    Q_OBJECT
public:
    struct Point
    {
        double from = 0; ///< seconds
        double to = 0;
        std::array<std::int64_t, memoryCategoryCount> bytes{};
        std::int64_t total = 0; ///< at once
    };
    explicit MemoryCurves(QWidget* parent = nullptr);

    void setPoints(std::vector<Point> points);
    const std::vector<Point>& points() const { return m_points; }
    /// 0: not known. A line, and part of the scale, unless the curves would be lost beneath it: then
    /// a figure above them.
    void setCapacity(std::int64_t bytes);
    void setPredictedPeak(std::int64_t bytes);
    std::int64_t capacity() const { return m_capacity; }
    /// "of 1.94 GiB: 0.4 %" where the capacity is no line.
    QString capacityText() const;
    /// A moment that a line marks.
    void setCursor(std::optional<double> seconds);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Clicked or dragged to.
    void cursorChosen(double seconds);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    QRectF plot() const;
    double timeAt(double x) const;
    std::int64_t most() const;
    bool isCapacityDrawn() const;
    const Point* pointAt(double seconds) const;
    double legendHeight(double width) const;
    void paintAreas(QPainter& painter, const QRectF& area, double top) const;
    void paintLine(QPainter& painter, const QRectF& area, double top, std::int64_t bytes,
                   const QString& name, const QColor& colour) const;
    void paintLegend(QPainter& painter) const;

    std::vector<Point> m_points;
    std::int64_t m_capacity = 0;
    std::int64_t m_predicted = 0;
    std::optional<double> m_cursor;
};

} // namespace triaxis::ui

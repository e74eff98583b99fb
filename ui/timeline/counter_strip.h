#pragma once

#include "ui/timeline/view_range.h"

#include <QColor>
#include <QWidget>

#include <functional>
#include <utility>
#include <vector>

namespace triaxis::ui
{

/// Values over time, on the same axis as the lanes: one curve a row, each scaled to what is visible. A reading tells the value at
/// the moment that is looked at, else at the end of the window.
class CounterStrip : public QWidget
{
    Q_OBJECT
public:
    explicit CounterStrip(ViewRange& range, QWidget* parent = nullptr);

    struct Curve
    {
        QString name;
        std::vector<std::pair<double, double>> points; ///< seconds, value; by time; each holds until the next
        std::function<QString(double)> text;           ///< of a value
        bool fromZero = true;                          ///< whether the scale begins at zero
    };
    void setCurves(std::vector<Curve> curves);
    const std::vector<Curve>& curves() const { return m_curves; }
    /// Where the plot lies, pixels, in line with the lanes.
    void setPlot(double left, double width);
    /// "memory of rank 3: 312 MiB": a row as it reads now.
    QString reading(std::size_t curve) const;
    /// The value that holds at a time; NaN before the first point.
    static double valueAt(const Curve& curve, double time);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    TimeMapping mapping() const;
    double readTime() const;
    void paintCurve(QPainter& painter, std::size_t index, const QRectF& row) const;

    ViewRange& m_range;
    std::vector<Curve> m_curves;
    double m_left = 0;
    double m_width = 0; ///< of the plot; 0: to the right edge
};

} // namespace triaxis::ui

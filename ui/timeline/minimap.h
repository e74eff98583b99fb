#pragma once

#include "ui/timeline/view_range.h"
#include "ui/widgets/display_list_player.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

namespace triaxis::ui
{

/// The whole run in one band, what share of the ranks does what at every time, with the visible window on it: drag it to
/// move, its edges to zoom, click elsewhere to go there.
class Minimap : public QWidget
{
    Q_OBJECT
public:
    explicit Minimap(ViewRange& range, QWidget* parent = nullptr);

    void setLanes(std::shared_ptr<const Lanes> lanes);
    /// The lanes have been appended to; painted anew once a second at most.
    void lanesGrown();
    /// Where the plot lies, pixels, in line with the lanes.
    void setPlot(double left, double width);
    /// The visible window in the widget.
    QRectF windowRect() const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Grip { None, Move, Left, Right };
    TimeMapping mapping() const;
    Grip gripAt(double x) const;
    void drag(double x);
    void repaintMap();
    void outdate();

    ViewRange& m_range;
    std::shared_ptr<const Lanes> m_lanes;
    DisplayListPlayer m_player;
    QImage m_picture;
    QTimer m_later;
    bool m_stale = true;
    double m_left = 0;
    double m_width = 0; ///< of the plot; 0: to the right edge
    Grip m_grip = Grip::None;
    double m_grabbed = 0; ///< seconds from the window's begin to the pointer
    TimeWindow m_atPress;
};

} // namespace triaxis::ui

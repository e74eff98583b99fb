#pragma once

#include "ui/widgets/display_list_player.h"
#include "ui/widgets/lane_statistics.h"
#include "ui/widgets/time_window.h"

#include <QAbstractScrollArea>
#include <QPixmap>

#include <memory>
#include <optional>

namespace triaxis::ui
{

/// The timeline of all ranks. Zoom: W and S, wheel at the cursor; pan: A and D, Shift and wheel, middle button; drag
/// with the left button measures; Home shows everything, F the measured range, L the latest step and follows it;
/// . and , walk the spans of a lane, Up and Down choose the lane; Ctrl+U and Ctrl+R go back and forth in the zoom.
class LaneView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit LaneView(QWidget* parent = nullptr);

    void setLanes(std::shared_ptr<const Lanes> lanes);
    /// The lanes have been appended to.
    void lanesGrown();

    /// Null before setLanes().
    const std::shared_ptr<const Lanes>& lanes() const { return m_lanes; }
    const TimeWindow& window() const { return m_window; }
    void showWindow(const TimeWindow& window);
    bool isFollowing() const { return m_following; }
    std::optional<TimeWindow> measured() const { return m_measured; }
    std::optional<SpanPlace> focusedSpan() const { return m_focus; }
    TimeMapping mapping() const;
    /// A whole track of the lane at this index of Lanes::ranks(), its name included, in the viewport.
    QRectF laneRect(std::size_t lane, bool communication) const;

public slots:
    void zoomIn();
    void zoomOut();
    void fitAll();
    void fitMeasured();
    void zoomBack();
    void zoomForward();
    void followLatest();
    void clearMarks();

signals:
    void windowChanged();
    void followingChanged(bool following);
    void measuredChanged();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    bool viewportEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    TimelineView view() const;
    double computeHeight() const;
    void setWindow(const TimeWindow& window, bool remember);
    void zoomAround(double factor, double time);
    void pan(double share);
    void stopFollowing();
    void setFollowing(bool following);
    void showLatest();
    void updateScrollBar();
    void redraw();
    std::optional<SpanPlace> placeAt(const QPointF& position) const;
    QRectF boxOf(const SpanPlace& place) const;
    void setFocusedSpan(std::optional<SpanPlace> place);
    void tellFocus();
    void stepFocus(int direction);
    void moveFocusLane(int direction);
    void paintMeasured(QPainter& painter);
    void paintFocus(QPainter& painter);
    bool zoomKey(QKeyEvent* event);
    bool walkKey(QKeyEvent* event);

    std::shared_ptr<const Lanes> m_lanes;
    TimeWindow m_window;
    WindowHistory m_history;
    bool m_following = true;
    std::optional<TimeWindow> m_measured;
    std::optional<SpanPlace> m_focus;
    enum class Drag { None, Measure, Pan } m_drag = Drag::None;
    double m_dragTime = 0;
    double m_dragX = 0;
    DisplayListPlayer m_player;
    QPixmap m_picture;
    bool m_stale = true;
};

} // namespace triaxis::ui

#pragma once

#include "ui/timeline/view_range.h"
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
    /// What is shown and marked; several views and panels may share one. Its own unless setRange() gave another, which
    /// must outlive the view; null: its own again.
    ViewRange& range() const { return *m_range; }
    void setRange(ViewRange* range);
    const TimeWindow& window() const { return m_range->window(); }
    void showWindow(const TimeWindow& window) { m_range->show(window); }
    bool isFollowing() const { return m_range->isFollowing(); }
    std::optional<TimeWindow> measured() const { return m_range->selection(); }
    /// Laid over the measured spans, span by span: lanes of the same layout on the same clock, step by step as far as there
    /// are predictions; null: none.
    void setPrediction(std::shared_ptr<const Lanes> predicted);
    const std::shared_ptr<const Lanes>& prediction() const { return m_predicted; }
    bool isPredictionShown() const { return m_predicted && m_predictionShown; }
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
    void setPredictionShown(bool shown);

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
    void connectRange();
    void zoomAround(double factor, double time);
    void pan(double share);
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
    std::shared_ptr<const Lanes> m_predicted;
    bool m_predictionShown = true;
    ViewRange m_ownRange;
    ViewRange* m_range = &m_ownRange;
    std::optional<SpanPlace> m_focus;
    enum class Drag { None, Measure, Pan } m_drag = Drag::None;
    bool m_dragging = false; ///< the pointer has left the place of the click
    double m_dragTime = 0;
    double m_dragX = 0;
    DisplayListPlayer m_player;
    QPixmap m_picture;
    bool m_stale = true;
};

} // namespace triaxis::ui

#pragma once

#include "engine/timeline/span_partners.h"
#include "engine/timeline/span_place.h"
#include "ui/timeline/view_range.h"
#include "ui/widgets/display_list_player.h"
#include "ui/widgets/lane_statistics.h"
#include "ui/widgets/time_window.h"

#include <QAbstractScrollArea>
#include <QHash>
#include <QImage>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

class QAction;
class QMenu;

namespace triaxis
{
struct LiveTimeline;
class TimelineGeometry;
} // namespace triaxis

namespace triaxis::ui
{

/// A moment or range that a person has written a note to.
struct TimeMark
{
    TimeWindow range; ///< from = to: a moment
    QString note;
};

/// A predicted span against the measured one of the same instruction.
struct PredictedTimes
{
    double seconds = 0; ///< its duration
    double late =
        0; ///< seconds by which the measured one began later, each from the begin of its step
};

/// The timeline of all ranks. Zoom with the wheel at the cursor, pan with Shift and the wheel or
/// the middle button, measure by dragging, scrub by dragging on the time axis; a click on a group's
/// name collapses it, the menu of a lane pins, hides and filters. Every key is an action of
/// key_commands.h.
class LaneView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit LaneView(QWidget* parent = nullptr);
    ~LaneView() override;

    void setLanes(std::shared_ptr<const Lanes> lanes);
    /// What is said while there are no spans.
    void setHint(const QString& hint);
    /// The lanes have been appended to.
    void lanesGrown();

    /// Null before setLanes().
    const std::shared_ptr<const Lanes>& lanes() const { return m_lanes; }
    /// What is shown and marked; several views and panels may share one. Its own unless setRange()
    /// gave another, which must outlive the view; null: its own again.
    ViewRange& range() const { return *m_range; }
    void setRange(ViewRange* range);
    const TimeWindow& window() const { return m_range->window(); }
    void showWindow(const TimeWindow& window) { m_range->show(window); }
    bool isFollowing() const { return m_range->isFollowing(); }
    std::optional<TimeWindow> measured() const { return m_range->selection(); }

    /// Laid over the measured spans, span by span: lanes of the same layout on the same clock, step
    /// by step as far as there are predictions; null: none. `step`: the predicted step by itself,
    /// from 0 on, where what is laid has been stretched or cut; what is said of a predicted span is
    /// taken from there.
    void setPrediction(std::shared_ptr<const Lanes> predicted,
                       std::shared_ptr<const Lanes> step = nullptr);
    const std::shared_ptr<const Lanes>& prediction() const { return m_predicted; }
    /// When and how long a measured span was predicted to run; none where it was not.
    std::optional<PredictedTimes> predictedTimesOf(const SpanPlace& measured) const;
    /// Each predicted step is stretched to the measured one: said in the legend, laid by the owner.
    bool isPredictionScaled() const { return m_predictionScaled; }
    void setPredictionScaled(bool scaled);
    bool isPredictionShown() const { return m_predicted && m_predictionShown; }
    /// Whether one is shown as soon as it is there.
    bool isPredictionWanted() const { return m_predictionShown; }
    /// The predicted span of the same instruction, in prediction(); none where there is none.
    std::optional<SpanPlace> twinOf(const SpanPlace& measured) const;
    /// Where a predicted span of the compute lanes is painted.
    QRectF predictedBoxOf(const SpanPlace& predicted) const;

    /// Pixels in which all lanes are shown without scrolling, at their lowest.
    int lowestHeight() const;

    const LaneArrangement& arrangement() const { return m_arrangement; }
    void setArrangement(const LaneArrangement& arrangement);
    std::optional<Axis> colourBy() const { return m_colourBy; }
    void setColourBy(std::optional<Axis> axis);
    bool areStreamsShown() const { return m_streams; }
    /// [rank] "host:0": where each rank runs, for the names of the lanes.
    void setPlaces(std::vector<std::string> places);
    /// Ranks that a person should look at, with why: a sign before their name.
    void setFlags(std::map<Rank, QString> flags);
    const std::map<Rank, QString>& flags() const { return m_flags; }
    /// For arrows, the critical path and what a span waited for; may be null.
    void setPartners(std::shared_ptr<const SpanPartners> partners);
    const std::shared_ptr<const SpanPartners>& partners() const { return m_partners; }
    void setMarks(std::vector<TimeMark> marks);

    std::optional<SpanPlace> focusedSpan() const { return m_focus; }
    /// Focuses a span and brings it into view.
    void focusSpan(const SpanPlace& place);
    /// Heading or collapsed group that has the focus: its coordinate along the axis of the groups.
    std::optional<int> focusedGroup() const { return m_focusGroup; }
    bool isPathShown() const { return m_pathShown; }
    /// Spans of the critical path of the step in the middle of the window; empty while it is not
    /// shown.
    const std::vector<SpanPlace>& path() const { return m_path; }
    bool areFlowsShown() const { return m_flowsShown; }
    /// Arrows that are painted now, each from a send to its receive.
    std::vector<std::pair<SpanPlace, SpanPlace>> flowsShown() const;

    /// What is shown now, with all lanes, those out of sight too, and the legend: for files.
    DisplayList picture() const;
    TimeMapping mapping() const;
    double headerWidth() const { return m_headerWidth; }
    void setHeaderWidth(double width);
    /// A whole track of the lane at this index of Lanes::ranks(), its name included, in the
    /// viewport; empty where it is not shown.
    QRectF laneRect(std::size_t lane, bool communication) const;
    QRectF boxOf(const SpanPlace& place) const;
    /// The action of a command ("timeline.zoomIn"); null for one that the view does not have.
    QAction* command(const QString& id) const { return m_commands.value(id); }
    /// Actions for the lane that has the focus, or that the pointer is on.
    void fillLaneMenu(QMenu& menu);
    void fillGroupMenu(QMenu& menu);
    void fillColourMenu(QMenu& menu);
    void fillFilterMenu(QMenu& menu);

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
    void setPathShown(bool shown);
    void setFlowsShown(bool shown);
    void setStreamsShown(bool shown);
    void followFlow(bool forward);
    void togglePin();
    void hideLane();
    void showAllLanes();
    void toggleGroup();
    void toggleAllGroups();

signals:
    void windowChanged();
    void followingChanged(bool following);
    void measuredChanged();
    void focusChanged();
    void arrangementChanged();
    /// A person wants predicted steps as long as the measured ones, or by the clock.
    void predictionScaleSwitched(bool scaled);
    /// A person wants the prediction to be seen, or not.
    void predictionSwitched(bool shown);
    /// Another prediction lies over the spans, or none, or it is shown or hidden.
    void predictionChanged();
    /// mapping() has changed by something else than the window.
    void plotMoved();

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
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// A track that the focus can stand on, or the heading of a group.
    struct Stop
    {
        std::size_t row = 0;
        bool heading = false;
        SpanPlace place; ///< without index
    };

    void connectRange();
    void addCommands();
    void addViewCommands();
    void addLaneCommands();
    void rebuildRows();
    void arrangementEdited();
    TimelineView view() const;
    TimelineView lowestView() const;
    double computeHeight() const;
    void zoomAround(double factor, double time);
    void pan(double share);
    void scrub(double seconds);
    void moveCursor(int direction);
    void selectFocusedSpan();
    void updateScrollBar();
    void redraw();
    void growGroups();
    TimelineHit hitAt(const QPointF& position) const;
    std::optional<SpanPlace> placeOf(const TimelineHit& hit) const;
    std::optional<SpanPlace> placeAt(const QPointF& position) const;
    std::optional<SpanPlace> predictedAt(const QPointF& position) const;
    std::optional<SpanPlace> measuredTwinOf(const SpanPlace& predicted) const;
    QString spanText(const SpanPlace& place) const;
    QString predictedSpanText(const SpanPlace& predicted) const;
    QString laneText(const TimelineHit& hit) const;
    void paintTwin(QPainter& painter);
    void setFocusedSpan(std::optional<SpanPlace> place);
    void setFocusedGroup(std::optional<int> group);
    void tellFocus();
    void stepFocus(int direction);
    void moveFocusLane(int direction);
    std::vector<Stop> stops() const;
    void reveal(const SpanPlace& place);
    void revealRow(std::size_t row);
    std::optional<Rank> focusedRank() const;
    void refreshPath();
    std::vector<std::pair<SpanPlace, SpanPlace>> focusedFlows() const;
    std::optional<std::pair<SpanPlace, SpanPlace>> flowOf(const SpanPlace& place) const;
    void paintMeasured(QPainter& painter);
    void paintFocus(QPainter& painter);
    void paintPath(QPainter& painter);
    void paintFlows(QPainter& painter);
    void paintMarks(QPainter& painter);
    void paintCursor(QPainter& painter);
    bool physicalKey(QKeyEvent* event);
    QString groupText(const LaneRow& row, double time) const;
    QRectF plotRect() const;

    std::shared_ptr<const Lanes> m_lanes;
    std::shared_ptr<const Lanes> m_predicted;
    std::shared_ptr<const Lanes> m_predictedStep; ///< null: m_predicted is as it was predicted
    std::shared_ptr<const SpanPartners> m_partners;
    std::shared_ptr<const std::vector<LaneRow>> m_rows;
    QString m_hint;
    std::shared_ptr<const std::vector<std::string>> m_places;
    LaneArrangement m_arrangement;
    std::optional<Axis> m_colourBy;
    bool m_streams = false;
    bool m_predictionShown = true;
    bool m_predictionScaled = false;
    bool m_pathShown = false;
    bool m_flowsShown = true;
    std::vector<SpanPlace> m_path;
    std::optional<std::int32_t> m_pathStep;
    std::map<Rank, QString> m_flags;
    std::shared_ptr<const std::set<Rank>> m_flagged;
    std::vector<TimeMark> m_marks;
    RangeStatistics m_statistics; ///< of the marked range
    double m_headerWidth = 150;   ///< pixels at a text size of 100 %
    QHash<QString, QAction*> m_commands;
    ViewRange m_ownRange;
    ViewRange* m_range = &m_ownRange;
    std::optional<SpanPlace> m_focus;
    std::optional<int> m_focusGroup;
    enum class Drag { None, Measure, Pan, Scrub, Header } m_drag = Drag::None;
    bool m_dragging = false; ///< the pointer has left the place of the click
    double m_dragTime = 0;
    double m_dragX = 0;
    DisplayListPlayer m_player;
    QImage m_picture;
    std::unique_ptr<LiveTimeline> m_drawn; ///< the picture
    bool m_stale = true;
    QTimer m_grow; ///< sums of collapsed groups, a little at a time
};

} // namespace triaxis::ui

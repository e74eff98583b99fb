#include "ui/widgets/lane_view.h"

#include "engine/formats/report_document.h"
#include "engine/timeline/charts.h"
#include "engine/timeline/live_timeline.h"
#include "engine/timeline/step_path.h"
#include "ui/base/widget_keys.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/column_painter.h"
#include "ui/widgets/lane_view_accessible.h"

#include <QAction>
#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double narrowestHeader = 64;
constexpr double widestHeader = 420;
/// Taken into the sums of groups at a time: a few milliseconds, so that no frame waits for it.
constexpr std::size_t spansAtOnce = 20'000;

} // namespace

LaneView::LaneView(QWidget* parent)
    : QAbstractScrollArea(parent), m_drawn(std::make_unique<LiveTimeline>())
{
    static const bool readable = [] {
        QAccessible::installFactory(LaneViewAccessible::make);
        return true;
    }();
    Q_UNUSED(readable);
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline of all ranks"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setKeySection(this, QStringLiteral("Timeline: mouse"));
    setWidgetKeys(this,
                  {{{tr("wheel"), tr("Shift+wheel")}, tr("Zoom at the pointer, pan"), true},
                   {{tr("middle button")}, tr("Pan"), true},
                   {{tr("drag")}, tr("Mark and measure a range"), true},
                   {{tr("drag on the time axis")}, tr("Look at a moment"), true},
                   {{tr("double click")}, tr("Zoom to the span"), true},
                   {{tr("click a name")}, tr("Go to the lane; collapse or open a group"), true},
                   {{tr("right button")}, tr("Menu of the lane"), true},
                   {{tr("drag the edge of the names")}, tr("Their width"), true}});
    setHint(tr("Spans appear when the first step is done"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    viewport()->setMouseTracking(true);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &LaneView::redraw);
    m_grow.setInterval(0);
    connect(&m_grow, &QTimer::timeout, this, &LaneView::growGroups);
    connectRange();
    addCommands();
}

LaneView::~LaneView() = default;

void LaneView::connectRange()
{
    connect(m_range, &ViewRange::windowChanged, this, [this] {
        redraw();
        refreshPath();
        emit windowChanged();
    });
    connect(m_range, &ViewRange::followingChanged, this, &LaneView::followingChanged);
    connect(m_range, &ViewRange::selectionChanged, this, [this] {
        if (m_lanes && measured())
            m_statistics = measure(*m_lanes, *measured());
        viewport()->update();
        emit measuredChanged();
    });
    connect(m_range, &ViewRange::cursorChanged, viewport(), qOverload<>(&QWidget::update));
}

void LaneView::setRange(ViewRange* range)
{
    ViewRange* const wanted = range ? range : &m_ownRange;
    if (wanted == m_range)
        return;
    disconnect(m_range, nullptr, this, nullptr);
    disconnect(m_range, nullptr, viewport(), nullptr);
    m_range = wanted;
    connectRange();
    m_range->setLanes(m_lanes);
    redraw();
}

void LaneView::setLanes(std::shared_ptr<const Lanes> lanes)
{
    m_lanes = std::move(lanes);
    m_drawn->groups = {};
    m_focus.reset();
    m_focusGroup.reset();
    m_predicted.reset();
    m_predictedStep.reset();
    m_path.clear();
    m_pathStep.reset();
    m_range->setLanes(m_lanes);
    rebuildRows();
    refreshPath();
    emit focusChanged();
}

void LaneView::setHint(const QString& hint)
{
    m_hint = hint;
    viewport()->update();
}

void LaneView::lanesGrown()
{
    m_range->lanesGrown();
    updateScrollBar();
    redraw();
}

void LaneView::setArrangement(const LaneArrangement& arrangement)
{
    if (arrangement == m_arrangement)
        return;
    m_arrangement = arrangement;
    arrangementEdited();
}

void LaneView::arrangementEdited()
{
    rebuildRows();
    emit arrangementChanged();
}

void LaneView::setColourBy(std::optional<Axis> axis)
{
    m_colourBy = axis;
    redraw();
    emit arrangementChanged();
}

void LaneView::setStreamsShown(bool shown)
{
    m_streams = shown;
    command(QStringLiteral("timeline.streams"))->setChecked(shown);
    if (m_focus && m_focus->communication)
        setFocusedSpan(std::nullopt);
    updateScrollBar();
    redraw();
    emit arrangementChanged();
}

void LaneView::setPlaces(std::vector<std::string> places)
{
    m_places = std::make_shared<const std::vector<std::string>>(std::move(places));
    redraw();
}

void LaneView::setFlags(std::map<Rank, QString> flags)
{
    if (flags == m_flags)
        return;
    m_flags = std::move(flags);
    std::set<Rank> ranks;
    for (const auto& [rank, why] : m_flags)
        ranks.insert(rank);
    m_flagged = std::make_shared<const std::set<Rank>>(std::move(ranks));
    redraw();
}

void LaneView::setPartners(std::shared_ptr<const SpanPartners> partners)
{
    m_partners = std::move(partners);
    m_pathStep.reset();
    refreshPath();
    viewport()->update();
}

void LaneView::setMarks(std::vector<TimeMark> marks)
{
    m_marks = std::move(marks);
    viewport()->update();
}

void LaneView::setHeaderWidth(double width)
{
    const double inside = std::clamp(width, narrowestHeader, widestHeader);
    if (inside == m_headerWidth)
        return;
    m_headerWidth = inside;
    redraw();
    emit plotMoved();
}

void LaneView::rebuildRows()
{
    m_rows =
        m_lanes
            ? std::make_shared<const std::vector<LaneRow>>(arrangeLanes(*m_lanes, m_arrangement))
            : nullptr;
    if (m_rows)
        m_drawn->groups.keepOnly(*m_rows);
    updateScrollBar();
    redraw();
}

void LaneView::setPathShown(bool shown)
{
    m_pathShown = shown;
    command(QStringLiteral("timeline.path"))->setChecked(shown);
    m_pathStep.reset();
    refreshPath();
    viewport()->update();
}

/// The path belongs to the step in the middle of the window.
void LaneView::refreshPath()
{
    if (!m_pathShown || !m_lanes || !m_partners || m_lanes->stepRanges().empty()) {
        m_path.clear();
        m_pathStep.reset();
        return;
    }
    const auto& steps = m_lanes->stepRanges();
    const double middle = (window().from + window().to) / 2;
    auto step = std::upper_bound(steps.begin(), steps.end(), middle,
                                 [](double time, const auto& s) { return time < s.second.first; });
    if (step != steps.begin())
        --step;
    if (m_pathStep == step->first)
        return;
    m_pathStep = step->first;
    m_path = criticalPathOf(*m_lanes, *m_partners, step->first);
}

DisplayList LaneView::picture() const
{
    if (!m_lanes)
        return {};
    TimelineView whole = view();
    whole.height = -1;
    whole.scrollY = 0;
    std::vector<DisplayList> parts;
    parts.push_back(drawTimeline(*m_lanes, whole));
    parts.push_back(drawLegend(categoriesIn(*m_lanes, whole.from, whole.to), whole.width));
    return stacked(std::move(parts), 10);
}

void LaneView::updateScrollBar()
{
    if (!m_lanes)
        return;
    const double whole = timelineHeight(*m_lanes, view()) * fontScale();
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(scaled(20));
    verticalScrollBar()->setRange(0, std::max(0, int(std::ceil(whole)) - viewport()->height()));
}

void LaneView::redraw()
{
    m_stale = true;
    viewport()->update();
}

/// What is painted stays as it is: the next frames of collapsed groups are sooner there.
void LaneView::growGroups()
{
    if (!m_lanes || m_drawn->groups.grow(*m_lanes, spansAtOnce))
        m_grow.stop();
}

void LaneView::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(viewport());
    const bool empty = !m_lanes || m_lanes->stepRanges().empty();
    if (empty || m_rows->empty()) {
        painter.setPen(theme.muted);
        painter.setFont(fontOf(FontRole::Body));
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         empty ? m_hint
                               : tr("All lanes are hidden. Show all lanes: %1")
                                     .arg(command(QStringLiteral("timeline.showAll"))
                                              ->shortcut()
                                              .toString(QKeySequence::NativeText)));
        return;
    }
    const double ratio = viewport()->devicePixelRatioF();
    const QSize pixels = viewport()->size() * ratio;
    if (m_stale || m_picture.size() != pixels) {
        if (m_picture.size() != pixels)
            m_picture = QImage(pixels, QImage::Format_RGB32);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(theme.panel);
        QPainter inside(&m_picture);
        inside.setRenderHint(QPainter::Antialiasing);
        inside.scale(fontScale(), fontScale());
        drawTimeline(*m_drawn, *m_lanes, view());
        for (const LiveTimeline::Part& part : m_drawn->parts) {
            m_player.play(inside, part.items, theme.painted);
            paintColumns(inside, part.columns, theme.painted);
        }
        m_stale = false;
        if (m_drawn->groups.size() > 0)
            m_grow.start();
    }
    painter.drawImage(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPath(painter);
    paintFlows(painter);
    paintFocus(painter);
    paintTwin(painter);
    paintMarks(painter);
    paintCursor(painter);
    paintMeasured(painter);
}

void LaneView::resizeEvent(QResizeEvent*)
{
    updateScrollBar();
    redraw();
    emit plotMoved();
}

void LaneView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        updateScrollBar();
        redraw();
        emit plotMoved();
    }
}

} // namespace triaxis::ui

#include "ui/plan/predicted_step_panel.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/widgets/bubble_bars.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/lane_view.h"
#include "ui/widgets/scrolling.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

namespace triaxis::ui
{
namespace
{

QString hintOf(const DrawnTimeline& timeline)
{
    if (!timeline.problem.empty())
        return spoken(timeline.problem);
    switch (timeline.basis) {
    case PredictionBasis::Cluster: {
        const double path = timeline.criticalPath;
        const PathTimes& times = timeline.path;
        QString text = PredictedStepPanel::tr("one pipeline stands for all");
        if (!(path > 0))
            return text;
        text +=
            PredictedStepPanel::tr(" · critical path %1, %2 of it compute")
                .arg(spoken(units::seconds(path)), spoken(units::percent(times.compute / path)));
        return text;
    }
    case PredictionBasis::Machine:
        return Words::tr("%1 · from the calibration of this machine of %2")
            .arg(counted(timeline.layout.ranks(), QStringLiteral("rank")),
                 toQString(timeline.calibrated.substr(0, 10)));
    case PredictionBasis::Units:
        return Words::tr("in percent of the step: this machine has not been measured");
    }
    return {};
}

/// Ranks by stage; none where the layout has changed since and another timeline will follow.
std::vector<Rank> firstPipeline(const DrawnTimeline& timeline, const Layout& drawn)
{
    std::vector<Rank> ranks;
    if (drawn.pp == timeline.layout.ranks())
        for (int stage = 0; stage < drawn.pp; ++stage)
            ranks.push_back(rankOf(drawn, Coordinates{0, 0, stage}));
    return ranks;
}

std::vector<Span> spansOf(const DrawnTimeline& timeline, const std::vector<Rank>& ranks)
{
    std::vector<Span> spans = timeline.spans;
    for (Span& span : spans)
        if (span.rank.value >= 0 && std::size_t(span.rank.value) < ranks.size())
            span.rank = ranks[std::size_t(span.rank.value)];
    return spans;
}

} // namespace

PredictedStepPanel::PredictedStepPanel(QWidget* parent)
    : Panel({}, parent), m_lanes(new LaneView), m_bubble(new BubbleBars),
      m_calibrate(new QPushButton(tr("Calibrate…")))
{
    setObjectName(QStringLiteral("predictedStepPanel"));
    m_lanes->setObjectName(QStringLiteral("predictedLanes"));
    m_lanes->setAccessibleName(tr("Timeline of the predicted step"));
    m_bubble->setObjectName(QStringLiteral("predictedBubble"));
    m_bubble->setToolTip(tr("Idle share of each stage, predicted | closed form"));
    m_calibrate->setObjectName(QStringLiteral("calibrate"));
    m_calibrate->setToolTip(tr("Measure this machine once, so that runs here can be predicted"));
    addHeaderWidget(m_calibrate);
    auto* out = new IconButton(QStringLiteral("zoom-out"), tr("Zoom out (S)"));
    auto* in = new IconButton(QStringLiteral("zoom-in"), tr("Zoom in (W)"));
    auto* fit = new IconButton(QStringLiteral("fit"), tr("Show the whole step (Home)"));
    for (IconButton* button : {out, in, fit})
        addHeaderWidget(button);
    connect(out, &QToolButton::clicked, m_lanes, &LaneView::zoomOut);
    connect(in, &QToolButton::clicked, m_lanes, &LaneView::zoomIn);
    connect(fit, &QToolButton::clicked, m_lanes, &LaneView::fitAll);
    connect(m_calibrate, &QPushButton::clicked, this, &PredictedStepPanel::calibrationRequested);
    auto* content = new QWidget;
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);
    row->addWidget(m_lanes, 3);
    // A bar for each stage: many stages scroll, so that the floor keeps its room.
    auto* bars = scrolling(m_bubble);
    bars->setAccessibleName(m_bubble->accessibleName());
    bars->setMinimumWidth(m_bubble->minimumSizeHint().width() +
                          bars->verticalScrollBar()->sizeHint().width());
    row->addWidget(bars, 1);
    setContent(content);
    show(nullptr, {});
}

void PredictedStepPanel::setMeasuring(bool measuring)
{
    m_calibrate->setText(measuring ? tr("Stop the calibration") : tr("Calibrate…"));
}

void PredictedStepPanel::show(const std::shared_ptr<const DrawnTimeline>& timeline,
                              const ClosedForm& closedForm, const Layout& drawn)
{
    m_calibrate->setVisible(timeline && timeline->basis == PredictionBasis::Units &&
                            timeline->problem.empty());
    if (!timeline || timeline->spans.empty()) {
        setHint(timeline ? hintOf(*timeline) : tr("being worked out"));
        m_lanes->setHint(timeline ? tr("The step is predicted once what is listed under \"What to "
                                       "look at\" is mended")
                                  : QString());
        m_lanes->setLanes(nullptr);
        m_bubble->setStages({}, {});
        return;
    }
    const std::vector<Rank> ranks = firstPipeline(*timeline, drawn);
    auto lanes = std::make_shared<Lanes>(timeline->layout, ranks);
    lanes->append(spansOf(*timeline, ranks));
    if (timeline->basis == PredictionBasis::Units)
        lanes->setWhole(lanes->end() - lanes->begin());
    m_lanes->setLanes(lanes);
    m_lanes->fitAll();
    m_bubble->setStages(phasesByStage({timeline->shares}, timeline->layout), closedForm);
    setHint(hintOf(*timeline));
}

} // namespace triaxis::ui

#include "ui/run/run_view.h"

#include "engine/schedule/generators.h"
#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/pages/layout_helpers.h"
#include "ui/plan/plan_figures.h"
#include "ui/run/run_data.h"
#include "ui/run/run_figures.h"
#include "ui/run/run_follower.h"
#include "ui/run/run_log.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/bubble_bars.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/lane_view.h"
#include "ui/widgets/legend_bar.h"
#include "ui/widgets/log_panel.h"
#include "ui/widgets/loss_chart.h"
#include "ui/widgets/memory_grid.h"
#include "ui/widgets/panel.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace triaxis::ui
{

RunView::RunView(QWidget* parent)
    : QWidget(parent), m_banner(new Banner), m_figures(new FigureStrip), m_log(new LogPanel)
{
    auto* upper = panelSplitter(Qt::Horizontal);
    upper->addWidget(buildTimeline());
    upper->addWidget(buildSide());
    upper->setStretchFactor(0, 1);
    upper->setSizes({780, 370});
    auto* whole = panelSplitter(Qt::Vertical);
    whole->addWidget(upper);
    whole->addWidget(m_log);
    whole->setStretchFactor(0, 4);
    whole->setStretchFactor(1, 1);
    whole->setSizes({500, 110});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_banner);
    layout->addWidget(m_figures);
    layout->addWidget(whole, 1);
}

RunView::~RunView() = default;

QWidget* RunView::buildTimeline()
{
    m_timelinePanel = new Panel(QStringLiteral("Timeline"));
    m_timeline = new LaneView;
    auto* out = new IconButton(QStringLiteral("zoom-out"), QStringLiteral("Zoom out (S)"));
    auto* in = new IconButton(QStringLiteral("zoom-in"), QStringLiteral("Zoom in (W)"));
    auto* fit = new IconButton(QStringLiteral("fit"), QStringLiteral("Show all steps (Home)"));
    m_follow = new IconButton(QStringLiteral("follow"),
                              QStringLiteral("Follow the latest step (L)"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    for (QToolButton* button : {static_cast<QToolButton*>(out), static_cast<QToolButton*>(in),
                                static_cast<QToolButton*>(fit), m_follow})
        m_timelinePanel->addHeaderWidget(button);
    auto* legend = new LegendBar({{Ink::Forward, QStringLiteral("forward")},
                                  {Ink::Backward, QStringLiteral("backward")},
                                  {Ink::WeightGradient, QStringLiteral("weight gradient")},
                                  {Ink::Tensor, QStringLiteral("tensor")},
                                  {Ink::Pipeline, QStringLiteral("pipeline")},
                                  {Ink::Data, QStringLiteral("data")},
                                  {Ink::Optimizer, QStringLiteral("optimizer")},
                                  {Ink::Wait, QStringLiteral("wait")},
                                  {Ink::Idle, QStringLiteral("idle")}});
    m_timelinePanel->body()->addWidget(m_timeline, 1);
    m_timelinePanel->body()->addWidget(legend);
    m_timelinePanel->setMinimumSize(360, 160);
    connect(out, &QToolButton::clicked, m_timeline, &LaneView::zoomOut);
    connect(in, &QToolButton::clicked, m_timeline, &LaneView::zoomIn);
    connect(fit, &QToolButton::clicked, m_timeline, &LaneView::fitAll);
    connect(m_follow, &QToolButton::clicked, m_timeline, &LaneView::followLatest);
    connect(m_timeline, &LaneView::followingChanged, m_follow, &QToolButton::setChecked);
    connect(m_timeline, &LaneView::windowChanged, this, &RunView::refreshTimelineTitle);
    return m_timelinePanel;
}

QWidget* RunView::buildSide()
{
    m_loss = new LossChart;
    auto* lossPanel = new Panel(QStringLiteral("Loss"));
    lossPanel->setContent(m_loss);
    m_bubble = new BubbleBars;
    auto* bubblePanel = new Panel(QStringLiteral("Bubble by stage"));
    bubblePanel->setHint(QStringLiteral("measured | closed form"));
    bubblePanel->setContent(m_bubble);
    m_memory = new MemoryGrid;
    m_memoryKind = new QComboBox;
    m_memoryKind->setObjectName(QStringLiteral("memoryKind"));
    m_memoryKind->setAccessibleName(QStringLiteral("Which memory is shown"));
    m_memoryKind->setProperty("flat", true);
    m_memoryKind->addItems({QStringLiteral("peak"), QStringLiteral("end of step")});
    connect(m_memoryKind, &QComboBox::currentIndexChanged, this, &RunView::refreshMemory);
    auto* memoryPanel = new Panel(QStringLiteral("Memory of every rank"));
    memoryPanel->addHeaderWidget(m_memoryKind);
    memoryPanel->setContent(m_memory);
    auto* side = panelSplitter(Qt::Vertical);
    side->addWidget(lossPanel);
    side->addWidget(bubblePanel);
    side->addWidget(memoryPanel);
    side->setStretchFactor(0, 5);
    side->setStretchFactor(1, 2);
    side->setStretchFactor(2, 4);
    side->setSizes({190, 120, 160});
    side->setMinimumWidth(250);
    return side;
}

QString RunView::directory() const
{
    return m_follower ? toQString(m_follower->directory().string()) : QString();
}

void RunView::open(const QString& directory, int starter)
{
    close();
    m_follower = std::make_unique<RunFollower>(directory.toStdString(), starter);
    connect(m_follower.get(), &RunFollower::opened, this,
            [this](const std::shared_ptr<const RunOpening>& opening) { begin(*opening); });
    connect(m_follower.get(), &RunFollower::updated, this,
            [this](const std::shared_ptr<const RunUpdate>& update) { take(*update); });
    connect(m_follower.get(), &RunFollower::failed, this, &RunView::showProblem);
    m_follower->start();
}

void RunView::showProblem(const QString& title, const QString& detail)
{
    m_banner->say(Banner::Kind::Problem, title, detail);
}

void RunView::close()
{
    m_follower.reset();
    m_run.reset();
    m_banner->dismiss();
    m_figures->setFigures({});
    m_timeline->setLanes(nullptr);
    m_bubble->setStages({}, -1);
    m_memory->setCells({});
    m_log->begin(0);
    emit changed();
}

void RunView::begin(const RunOpening& opening)
{
    m_run = std::make_unique<RunData>(opening);
    m_timeline->setLanes(m_run->lanes());
    m_loss->begin(lossUnit(opening.plan), opening.plan.data.bestLoss, opening.plan.training.steps);
    m_log->begin(opening.plan.layout.ranks());
    m_figures->setFigures(runFigures(*m_run));
    refreshMemory();
    refreshTimelineTitle();
    emit changed();
}

void RunView::take(const RunUpdate& update)
{
    if (!m_run)
        return;
    m_run->apply(update);
    if (update.lanes)
        m_timeline->setLanes(m_run->lanes());
    else if (!update.spans.empty())
        m_timeline->lanesGrown();
    takeSteps(update);
    takeLog(update);
    if (!update.shares.empty())
        m_bubble->setStages(bubbleStages(*m_run), m_run->closedForm());
    if (!update.memory.empty())
        refreshMemory();
    m_figures->setFigures(runFigures(*m_run));
    refreshTimelineTitle();
    if (update.status)
        showOutcome();
    emit changed();
}

void RunView::takeSteps(const RunUpdate& update)
{
    if (update.steps.empty())
        return;
    QList<double> steps;
    QList<double> losses;
    for (const StepResult& result : update.steps) {
        steps << result.step;
        losses << result.loss;
    }
    m_loss->append(steps, losses);
}

void RunView::takeLog(const RunUpdate& update)
{
    m_log->append(logLines(m_run->plan(), update));
}

void RunView::refreshTimelineTitle()
{
    if (!m_run || m_run->lanes()->steps().second < m_run->lanes()->steps().first) {
        m_timelinePanel->setTitle(QStringLiteral("Timeline"));
        m_timelinePanel->setHint({});
        return;
    }
    // Neighbours that only reach over the edge are not worth a mention.
    const TimeWindow& window = m_timeline->window();
    const double edge = window.span() * 0.08;
    const auto [first, last] =
        stepsWithin(*m_run->lanes(), {window.from + edge, window.to - edge});
    QString title = QStringLiteral("Timeline");
    if (first == last)
        title += QStringLiteral(" · step %1").arg(first);
    else if (first < last)
        title += QStringLiteral(" · steps %1–%2").arg(first).arg(last);
    m_timelinePanel->setTitle(title);
    QStringList hints;
    if (isOneClock(m_run->clockError()))
        hints << QStringLiteral("one host clock");
    else if (m_run->clockError() > 0)
        hints << QStringLiteral("clocks ± %1").arg(toQString(units::seconds(m_run->clockError())));
    if (m_run->droppedSpans() > 0)
        hints << QStringLiteral("every %1th step kept").arg(m_run->plan().execution.everyStep);
    if (m_run->tornBytes() > 0)
        hints << QStringLiteral("%1 torn off").arg(toQString(units::bytes(m_run->tornBytes())));
    m_timelinePanel->setHint(hints.join(QStringLiteral(" · ")));
}

void RunView::refreshMemory()
{
    if (m_run)
        m_memory->setCells(memoryCells(*m_run, m_memoryKind->currentIndex() == 0));
}

void RunView::showOutcome()
{
    const RunStatus& status = m_run->status();
    if (status.state != RunState::Failed) {
        m_banner->dismiss();
        return;
    }
    const QString where = status.failedRank ? QStringLiteral("The run failed on rank %1")
                                                  .arg(status.failedRank->value)
                                            : QStringLiteral("The run failed");
    m_banner->say(Banner::Kind::Problem, where, toQString(status.reason));
}

QString runTitle(const RunData& run)
{
    return QStringLiteral("%1 · %2").arg(toQString(run.plan().model.name),
                                         layoutText(run.plan().layout));
}

QString runProgress(const RunData& run)
{
    const std::int64_t done = run.steps().empty() ? 0 : run.steps().back().step;
    return QStringLiteral("%1 · step %2 of %3")
        .arg(toQString(scheduleTitle(run.plan().training.schedule)), wholeNumber(done),
             wholeNumber(run.plan().training.steps));
}

} // namespace triaxis::ui

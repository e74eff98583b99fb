#include "ui/run/run_view.h"

#include "engine/core/units.h"
#include "engine/schedule/generators.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/pages/layout_helpers.h"
#include "ui/panels/bubble_panel.h"
#include "ui/panels/communication_panel.h"
#include "ui/panels/loss_panel.h"
#include "ui/panels/memory_panel.h"
#include "ui/panels/panel_tabs.h"
#include "ui/panels/prediction_panel.h"
#include "ui/plan/plan_text.h"
#include "ui/run/predicted_lanes.h"
#include "ui/run/run_data.h"
#include "ui/run/run_figures.h"
#include "ui/run/run_follower.h"
#include "ui/run/run_log.h"
#include "ui/run/run_predictor.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/view_range.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/lane_view.h"
#include "ui/widgets/log_panel.h"

#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{

namespace
{

constexpr int layMilliseconds = 40;
const QString upperSetting = QStringLiteral("run/upper");
const QString wholeSetting = QStringLiteral("run/whole");
const QString predictionSetting = QStringLiteral("run/prediction");
const QString scaleSetting = QStringLiteral("run/predictionScaled");
constexpr int predictionPage = 4;

void remember(QSplitter* splitter, const QString& setting)
{
    QObject::connect(splitter, &QSplitter::splitterMoved, splitter,
                     [splitter, setting] { QSettings().setValue(setting, splitter->saveState()); });
}

} // namespace

RunView::RunView(QWidget* parent)
    : QWidget(parent), m_banner(new Banner), m_figures(new FigureStrip),
      m_range(new ViewRange(this)), m_log(new LogPanel), m_predictor(new RunPredictor(this))
{
    m_upper = panelSplitter(Qt::Horizontal);
    m_upper->setObjectName(QStringLiteral("runUpper"));
    m_upper->addWidget(buildTimeline());
    m_upper->addWidget(buildSide());
    m_upper->setStretchFactor(0, 1);
    m_upper->setSizes({770, 400});
    m_whole = panelSplitter(Qt::Vertical);
    m_whole->setObjectName(QStringLiteral("runWhole"));
    m_whole->addWidget(m_upper);
    m_whole->addWidget(m_log);
    m_whole->setStretchFactor(0, 4);
    m_whole->setStretchFactor(1, 1);
    m_whole->setSizes({510, 100});
    restoreSplitters();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_banner);
    layout->addWidget(m_figures);
    layout->addWidget(m_whole, 1);
    m_layDelay.setSingleShot(true);
    m_layDelay.setInterval(layMilliseconds);
    connect(&m_layDelay, &QTimer::timeout, this, &RunView::layPrediction);
    connect(m_range, &ViewRange::windowChanged, this, &RunView::rangeMoved);
    connect(m_range, &ViewRange::selectionChanged, this, &RunView::rangeMoved);
    connect(m_predictor, &RunPredictor::predicted, this, &RunView::takePrediction);
    connect(m_predictionPanel, &PredictionPanel::calibrated, this, [this] {
        predict();
        emit calibrated();
    });
    connect(m_timeline, &LaneView::predictionSwitched, this, &RunView::switchPrediction);
    connect(m_timeline, &LaneView::predictionScaleSwitched, this, &RunView::switchScale);
    refreshPredictionAction();
}

void RunView::restoreSplitters()
{
    m_upper->restoreState(QSettings().value(upperSetting).toByteArray());
    m_whole->restoreState(QSettings().value(wholeSetting).toByteArray());
    remember(m_upper, upperSetting);
    remember(m_whole, wholeSetting);
}

RunView::~RunView()
{
    m_timeline->setRange(nullptr); // children go in the order in which they came
}

QWidget* RunView::buildTimeline()
{
    m_timelinePanel = new TimelinePanel(*m_range);
    m_timeline = m_timelinePanel->view();
    connect(m_timelinePanel, &TimelinePanel::problem, this,
            [this](const QString& title, const QString& detail) {
                m_banner->say(Banner::Kind::Note, title, detail);
            });
    return m_timelinePanel;
}

QWidget* RunView::buildSide()
{
    m_memory = new MemoryPanel(*m_range);
    m_predictionPanel = new PredictionPanel;
    m_panels = new PanelTabs(
        {new LossPanel, new BubblePanel, m_memory, new CommunicationPanel, m_predictionPanel},
        this);
    connect(m_panels, &PanelTabs::wholeRunRequested, m_range, [this] {
        m_range->select(std::nullopt);
        m_range->showAll();
    });
    followTextSize(this, [this] { m_panels->setMinimumSize(scaled(360), scaled(150)); });
    return m_panels;
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
    m_predictor->cancel();
    m_prediction.reset();
    m_predicted = {};
    m_predictedStep.reset();
    m_laid.clear();
    m_stored.reset();
    m_panels->setRun(nullptr);
    m_timelinePanel->begin(nullptr, nullptr);
    m_run.reset();
    m_banner->dismiss();
    m_figures->setFigures({});
    m_log->begin(0);
    refreshPredictionAction();
    emit changed();
    emit predictionChanged();
}

void RunView::begin(const RunOpening& opening)
{
    m_run = std::make_unique<RunData>(opening);
    m_predictionWanted = QSettings().value(predictionSetting, true).toBool();
    m_timeline->setPredictionScaled(QSettings().value(scaleSetting, false).toBool());
    m_timelinePanel->begin(m_run.get(), &opening);
    m_log->begin(opening.plan.layout.ranks());
    m_panels->setRun(m_run.get());
    rangeMoved();
    refreshFigures();
    predict();
    emit changed();
}

void RunView::take(const RunUpdate& update)
{
    if (!m_run)
        return;
    m_run->apply(update);
    m_timelinePanel->take(*m_run, update);
    takeLog(update);
    if (update.status && !m_stored)
        m_stored = m_run->isOver();
    if (update.over && m_stored.value_or(false) && m_range->isFollowing())
        showSteadyStep();
    rangeMoved();
    if (!update.steps.empty() || !update.details.empty() || !update.memory.empty())
        m_panels->runGrown();
    refreshFigures();
    if (update.status)
        showOutcome();
    emit changed();
}

void RunView::refreshFigures()
{
    m_figures->setFigures(runFigures(*m_run, m_predicted));
}

void RunView::rangeMoved()
{
    if (!m_run)
        return;
    const ShownSteps shown = shownSteps(*m_run->lanes(), m_range->effective());
    m_panels->setSteps(shown);
    refreshTimelineTitle();
    if (!m_layDelay.isActive())
        m_layDelay.start();
}

void RunView::predict()
{
    if (!m_run)
        return;
    m_prediction.reset();
    m_laid.clear();
    layPrediction();
    refreshPredictionAction();
    m_predictionPanel->setPrediction(nullptr);
    m_predictor->predict(m_run->plan(), m_run->environment().host,
                         m_run->directory().parent_path().parent_path());
}

void RunView::takePrediction(std::shared_ptr<const RunPrediction> prediction)
{
    if (!m_run)
        return;
    m_prediction = std::move(prediction);
    m_predicted = predictedFigures(*m_prediction, m_run->plan().layout);
    m_predictedStep = predictedStep(*m_prediction, m_run->plan().layout);
    m_predictionPanel->setPrediction(m_prediction);
    m_memory->setPrediction(m_prediction);
    m_laid.clear();
    refreshPredictionAction();
    layPrediction();
    refreshFigures();
    emit predictionChanged();
}

void RunView::showSteadyStep()
{
    const std::int32_t step = steadyStepOf(*m_run->lanes());
    if (step < 0)
        return;
    const auto [begin, end] = m_run->lanes()->stepRange(step);
    m_range->moveTo({begin, end});
}

QAction* RunView::predictionAction() const
{
    return m_timeline->command(QStringLiteral("timeline.prediction"));
}

QAction* RunView::scaleAction() const
{
    return m_timeline->command(QStringLiteral("timeline.scalePrediction"));
}

void RunView::switchScale(bool scaled)
{
    QSettings().setValue(scaleSetting, scaled);
    m_laid.clear();
    layPrediction();
}

void RunView::switchPrediction(bool shown)
{
    if (m_prediction && !m_prediction->prediction) {
        refreshPredictionAction();
        m_panels->showPage(predictionPage);
        return;
    }
    m_predictionWanted = shown;
    QSettings().setValue(predictionSetting, shown);
    refreshPredictionAction();
    refreshTimelineTitle();
    emit predictionChanged();
}

void RunView::refreshPredictionAction()
{
    const bool known = m_prediction && m_prediction->prediction;
    m_timeline->setPredictionShown(known && m_predictionWanted);
    scaleAction()->setEnabled(known && m_predictionWanted);
    QAction* action = predictionAction();
    action->setEnabled(m_prediction != nullptr);
    QString tip;
    if (known)
        tip = tr("Lay the prediction over the timeline, from %1").arg(spoken(m_prediction->basis));
    else if (m_prediction)
        tip = tr("There is no prediction: see why, and what to do");
    else
        tip = m_run ? tr("The prediction is being worked out")
                    : tr("Lay the prediction over the timeline");
    action->setToolTip(tip);
}

/// Over the steps in the window only, so that a long run costs no more than a short one.
void RunView::layPrediction()
{
    if (!m_run)
        return;
    const bool known = m_prediction && m_prediction->prediction;
    std::vector<std::int32_t> steps;
    if (known)
        steps =
            stepsToLay(*m_run->lanes(), m_range->window(), m_prediction->prediction->spans.size());
    const auto [first, last] = m_run->lanes()->steps();
    m_manySteps = known && steps.empty() && first <= last;
    refreshTimelineTitle();
    if (steps == m_laid && steps.empty() == (m_timeline->prediction() == nullptr))
        return;
    m_laid = steps;
    LaidPrediction laid;
    if (!steps.empty())
        laid = ui::layPrediction(*m_run->lanes(), m_prediction->prediction->spans, steps,
                                 m_timeline->isPredictionScaled() ? PredictionFit::Step
                                                                  : PredictionFit::Time);
    m_timeline->setPrediction(laid.lanes, m_predictedStep);
    if (m_cut != laid.cut) {
        m_cut = laid.cut;
        refreshTimelineTitle();
    }
}

void RunView::takeLog(const RunUpdate& update)
{
    m_log->append(logLines(m_run->plan(), update));
}

void RunView::refreshTimelineTitle()
{
    if (!m_run || m_run->lanes()->steps().second < m_run->lanes()->steps().first) {
        m_timelinePanel->setTitle(tr("Timeline"));
        m_timelinePanel->setHint({});
        return;
    }
    const QString range = m_range->text();
    m_timelinePanel->setTitle(range.isEmpty() ? tr("Timeline") : tr("Timeline · ") + range);
    QStringList hints;
    if (isOneClock(m_run->clockError()))
        hints << tr("one host clock");
    else if (m_run->clockError() > 0)
        hints << tr("clocks ± %1").arg(spoken(units::seconds(m_run->clockError())));
    if (m_run->droppedSpans() > 0)
        hints << tr("every %1th step kept").arg(m_run->plan().execution.everyStep);
    if (m_manySteps && m_timeline->isPredictionWanted())
        hints << tr("prediction: zoom in");
    if (m_cut && m_timeline->isPredictionShown())
        hints << tr("prediction cut at the step's end");
    if (m_run->tornBytes() > 0)
        hints << tr("%1 torn off").arg(spoken(units::bytes(m_run->tornBytes())));
    m_timelinePanel->setHint(hints.join(QStringLiteral(" · ")));
}

void RunView::showOutcome()
{
    const RunStatus& status = m_run->status();
    if (status.state != RunState::Failed) {
        m_banner->dismiss();
        return;
    }
    const QString where = status.failedRank
                              ? tr("The run failed on rank %1").arg(status.failedRank->value)
                              : tr("The run failed");
    m_banner->say(Banner::Kind::Problem, where, spoken(status.reason));
}

QString runTitle(const RunData& run)
{
    return Words::tr("%1 · %2").arg(toQString(run.plan().model.name),
                                    layoutText(run.plan().layout));
}

QString runProgress(const RunData& run)
{
    const std::int64_t done = run.steps().empty() ? 0 : run.steps().back().step;
    return Words::tr("%1 · step %2 of %3")
        .arg(spoken(scheduleTitle(run.plan().training.schedule)), wholeNumber(done),
             wholeNumber(run.plan().training.steps));
}

} // namespace triaxis::ui

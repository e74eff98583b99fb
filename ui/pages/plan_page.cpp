#include "ui/pages/plan_page.h"

#include "engine/core/error.h"
#include "engine/record/run_directory.h"
#include "launcher/supervisor.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/commands/apply_mend.h"
#include "ui/commands/change_plan.h"
#include "ui/pages/layout_helpers.h"
#include "ui/plan/cluster_form.h"
#include "ui/plan/floor_panel.h"
#include "ui/plan/floor_view.h"
#include "ui/plan/gallery_dialog.h"
#include "ui/plan/plan_actions.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_files.h"
#include "ui/plan/plan_form.h"
#include "ui/plan/plan_header.h"
#include "ui/plan/plan_predictor.h"
#include "ui/plan/prediction_figures.h"
#include "ui/plan/rank_panel.h"
#include "ui/plan/step_panels.h"
#include "ui/run/calibrate_question.h"
#include "ui/run/calibrator.h"
#include "ui/run/machine_finder.h"
#include "ui/search/search_dialog.h"
#include "ui/search/what_if_dialog.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/scrolling.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QMenu>
#include <QMimeData>
#include <QScrollArea>
#include <QVBoxLayout>

#include <memory>

namespace triaxis::ui
{
namespace
{

constexpr int oneFrame = 16; ///< milliseconds

} // namespace

PlanPage::PlanPage(PlanDocument& document, Background& background, std::filesystem::path home,
                   QWidget* parent)
    : QWidget(parent), m_document(document), m_home(home.empty() ? triaxisHome() : std::move(home)),
      m_predictor(new PlanPredictor(m_document, m_home, this)),
      m_files(new PlanFiles(m_document, this, this)), m_actions(new PlanActions(m_document, this)),
      m_calibrator(new Calibrator(this)), m_finder(new MachineFinder(this)), m_banner(new Banner),
      m_figures(new FigureStrip), m_form(new PlanForm(m_document, background)),
      m_floor(new FloorPanel(m_document, *m_predictor)),
      m_rank(new RankPanel(m_document, *m_predictor)),
      m_steps(new StepPanels(m_document, *m_predictor, *m_actions))
{
    setObjectName(QStringLiteral("planPage"));
    setAcceptDrops(true);
    buildLayout();
    buildMenus();
    m_form->addPlaces(m_places);
    m_floor->addPlaces(m_places);
    // The first figure says itself why there is no prediction.
    m_places.insert(m_figures->objectName(), {m_figures, [](const PlanFinding*) {}});
    connectParts();
    connectCalibrator();
    connectFinder();
    refresh();
    refreshPredicted();
    findMachine();
}

PlanPage::~PlanPage() = default;

QWidget* PlanPage::buildForm()
{
    auto* panel = new Panel({});
    QScrollArea* area = scrolling(m_form);
    area->setAccessibleName(tr("Settings of the plan"));
    area->setObjectName(QStringLiteral("formScroll"));
    panel->setContent(area);
    followTextSize(panel, [panel] {
        panel->setMinimumWidth(scaled(164) + 64);
        panel->setMaximumWidth(scaled(360));
    });
    return panel;
}

void PlanPage::buildLayout()
{
    auto* upper = panelSplitter(Qt::Horizontal);
    upper->addWidget(m_floor);
    upper->addWidget(m_rank);
    upper->setStretchFactor(0, 1);
    upper->setSizes({660, 270});
    auto* right = panelSplitter(Qt::Vertical);
    right->addWidget(upper);
    right->addWidget(m_steps);
    right->setStretchFactor(0, 3);
    right->setStretchFactor(1, 1);
    right->setSizes({430, 200});
    auto* whole = panelSplitter(Qt::Horizontal);
    whole->addWidget(buildForm());
    whole->addWidget(right);
    whole->setStretchFactor(1, 1);
    whole->setSizes({scaled(272), 1000});

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(new PlanHeader(m_document, *m_files, *m_actions));
    layout->addWidget(m_banner);
    layout->addWidget(m_figures);
    layout->addWidget(whole, 1);
}

void PlanPage::buildMenus()
{
    const auto menu = [this](const char* title) {
        auto* made = new QMenu(Words::tr(title), this);
        made->setToolTipsVisible(true);
        m_menus << made;
        return made;
    };
    QMenu* file = menu(QT_TRANSLATE_NOOP("Words", "&File"));
    m_files->fill(*file);
    file->addSeparator();
    file->addAction(m_actions->run());
    QMenu* edit = menu(QT_TRANSLATE_NOOP("Words", "&Edit"));
    edit->addAction(m_actions->undo());
    edit->addAction(m_actions->redo());
    QMenu* floor = menu(QT_TRANSLATE_NOOP("Words", "F&loor"));
    for (QAction* action : m_floor->floor()->floorActions()) {
        if (action != nullptr)
            floor->addAction(action);
        else
            floor->addSeparator();
    }
    QMenu* plan = menu(QT_TRANSLATE_NOOP("Words", "&Plan"));
    plan->addAction(m_actions->find());
    plan->addAction(m_actions->whatIf());
    plan->addSeparator();
    plan->addAction(m_actions->findMachine());
    plan->addAction(m_actions->measure());
    plan->addSeparator();
    plan->addAction(m_actions->step());
    plan->addAction(m_actions->schedule());
}

void PlanPage::connectParts()
{
    connect(&m_document, &PlanDocument::changed, this, &PlanPage::refresh);
    m_late.setSingleShot(true);
    m_late.setTimerType(Qt::PreciseTimer);
    m_late.setInterval(oneFrame);
    connect(&m_late, &QTimer::timeout, this, &PlanPage::refreshPredicted);
    connect(m_predictor, &PlanPredictor::predicted, this, [this] {
        if (m_predictor->isUpToDate() || !m_late.isActive())
            refreshPredicted();
    });
    connect(m_predictor, &PlanPredictor::mendsReady, this, &PlanPage::refreshPredicted);
    connect(m_files, &PlanFiles::failed, this, &PlanPage::showProblem);
    connect(m_files, &PlanFiles::galleryRequested, this, &PlanPage::showGallery);
    connect(m_files, &PlanFiles::noted, this, [this](const QString& title, const QString& detail) {
        m_banner->say(Banner::Kind::Note, title, detail);
    });
    connect(m_form, &PlanForm::failed, this, &PlanPage::showProblem);
    connect(m_form, &PlanForm::mendRequested, this, &PlanPage::mend);
    connect(m_floor, &FloorPanel::mendRequested, this, &PlanPage::mend);
    connect(m_rank, &RankPanel::mendRequested, this, &PlanPage::mend);
    connect(m_floor->floor(), &FloorView::drawingBegins, this, [this] {
        if (m_late.isActive())
            refreshPredicted();
    });
    connect(m_floor->floor(), &FloorView::shownChanged, this,
            [this] { m_rank->inspect(m_floor->floor()->shown()); });
    connect(m_actions->find(), &QAction::triggered, this, &PlanPage::findLayout);
    connect(m_actions->whatIf(), &QAction::triggered, this, &PlanPage::askWhatIf);
    connect(m_actions->measure(), &QAction::triggered, this, &PlanPage::calibrate);
    connect(m_actions->run(), &QAction::triggered, this, &PlanPage::runRequested);
}

void PlanPage::connectCalibrator()
{
    connect(m_calibrator, &Calibrator::failed, this, [this](const QString& why) {
        m_actions->setMeasuring(false);
        if (!why.isEmpty()) {
            showProblem(tr("This machine could not be measured"), why);
            return;
        }
        m_banner->say(Banner::Kind::Note, tr("The calibration was stopped"),
                      tr("An earlier measurement stays in use."));
    });
    connect(m_banner, &Banner::actionTriggered, m_calibrator, &Calibrator::cancel);
    connect(m_calibrator, &Calibrator::progress, this, [this] {
        if (m_banner->showsProblem())
            return; // it has not been read yet
        m_banner->say(Banner::Kind::Note, tr("Measuring this machine"),
                      m_calibrator->progressText() + tr(". Leave the machine alone meanwhile."),
                      tr("Stop"));
    });
    connect(m_calibrator, &Calibrator::finished, this, [this] {
        m_actions->setMeasuring(false);
        const QString& warning = m_calibrator->warning();
        m_banner->say(warning.isEmpty() ? Banner::Kind::Good : Banner::Kind::Note,
                      tr("This machine is measured"),
                      warning.isEmpty() ? tr("Plans on it are predicted from now on.") : warning);
        m_predictor->reloadMachine();
        emit calibrated();
    });
}

void PlanPage::connectFinder()
{
    ClusterForm& cluster = m_form->cluster();
    connect(m_finder, &MachineFinder::found, this, [this, &cluster](const FoundMachine& machine) {
        cluster.setMachine(machine);
        m_predictor->setMachineMemory(machine.memoryBytes);
        m_document.setCores(machine.cores);
    });
    connect(m_finder, &MachineFinder::failed, &cluster, &ClusterForm::setMachineProblem);
    connect(&cluster, &ClusterForm::machineWanted, this, &PlanPage::findMachine);
    connect(m_actions->findMachine(), &QAction::triggered, this, &PlanPage::findMachine);
}

void PlanPage::findMachine()
{
    m_finder->start(toQString(findPrograms().rank.string()));
}

/// What a prediction changes waits for it, so that an edit is laid out and painted once; no longer
/// than a frame. What is wrong with a setting is said at once.
void PlanPage::refresh()
{
    refreshFigures();
    showFindings(m_places, planFindings(m_document, *m_predictor));
    if (!m_late.isActive())
        m_late.start();
}

void PlanPage::refreshPredicted()
{
    m_late.stop();
    refreshFigures();
    const std::vector<PlanFinding> findings = planFindings(m_document, *m_predictor);
    m_floor->refresh(findings);
    m_rank->refresh(findings);
    m_rank->inspect(m_floor->floor()->shown());
    showFindings(m_places, findings);
    m_steps->refresh();
}

void PlanPage::refreshFigures()
{
    // Of the plan before the edit until the new ones are there, a few milliseconds later.
    const bool isNew = m_predictor->isUpToDate();
    if (!isNew && m_document.isSound() && m_predictor->prediction())
        return;
    m_figures->setFigures(predictionFigures(m_document.drawn(),
                                            isNew ? m_predictor->prediction().get() : nullptr,
                                            m_predictor->before().get(), m_predictor->machine()));
}

QWidget* PlanPage::placeFor(const std::string& where) const
{
    return m_places.value(placeOf(where)).widget;
}

void PlanPage::mend(const DrawnMend& mend)
{
    m_document.apply(std::make_unique<ApplyMend>(m_document, mend));
}

void PlanPage::setCalibration(std::function<bool()> ask, const QString& program)
{
    m_askCalibrate = std::move(ask);
    m_program = program;
}

void PlanPage::calibrate()
{
    if (m_calibrator->isRunning()) {
        m_calibrator->cancel();
        return;
    }
    if (const QString running = runningCalibration(m_home); !running.isEmpty()) {
        m_banner->say(Banner::Kind::Note, tr("This machine is being measured"), running);
        return;
    }
    if (!(m_askCalibrate ? m_askCalibrate() : askCalibrate(loadPerCore(), window())))
        return;
    m_actions->setMeasuring(true);
    m_calibrator->start(m_program.isEmpty() ? toQString(findPrograms().triaxis.string())
                                            : m_program,
                        toQString(m_home.string()));
}

void PlanPage::showGallery()
{
    GalleryDialog gallery(window());
    if (gallery.exec() == QDialog::Accepted)
        m_files->openExample(gallery.chosen());
}

void PlanPage::findLayout()
{
    if (m_document.drawn().cluster.thisMachine)
        return;
    try {
        SearchDialog search(m_document.drawn(), window());
        QUndoStack& stack = m_document.undoStack();
        const int before = stack.index();
        connect(&search, &SearchDialog::applyRequested, this, [this](const ParallelPlan& plan) {
            m_document.apply(
                std::make_unique<ChangePlan>(m_document, withParallelPlan(m_document.drawn(), plan),
                                             tr("layout that was found")));
        });
        connect(&search, &SearchDialog::undoRequested, &stack, &QUndoStack::undo);
        connect(&stack, &QUndoStack::indexChanged, &search, [this, &search, &stack, before] {
            search.setDrawn(parallelPlan(m_document.drawn()), stack.index() > before);
        });
        search.start();
        search.exec();
    } catch (const Error& error) {
        showProblem(spoken(error.tried()), spoken(error.object() + ". " + error.remedy()));
    }
}

void PlanPage::askWhatIf()
{
    if (m_document.drawn().cluster.thisMachine)
        return;
    WhatIfDialog(m_document.drawn(), m_home, window()).exec();
}

void PlanPage::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1 &&
        event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void PlanPage::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() != 1 || !urls.front().isLocalFile())
        return;
    event->acceptProposedAction();
    m_files->open(urls.front().toLocalFile());
}

void PlanPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_actions->setShown(true);
}

void PlanPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_actions->setShown(false);
}

void PlanPage::setStarting(bool starting)
{
    if (starting)
        m_banner->dismiss();
    m_actions->setStarting(starting);
}

void PlanPage::showProblem(const QString& title, const QString& detail)
{
    m_banner->say(Banner::Kind::Problem, title, detail);
}

} // namespace triaxis::ui

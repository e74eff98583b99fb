#include "ui/window/main_window.h"

#include "engine/core/cores.h"
#include "ui/base/text.h"
#include "ui/base/widget_keys.h"
#include "ui/commands/open_plan.h"
#include "ui/pages/history_page.h"
#include "ui/pages/plan_page.h"
#include "ui/pages/run_page.h"
#include "ui/plan/plan_autosave.h"
#include "ui/plan/plan_files.h"
#include "ui/plan/plan_predictor.h"
#include "ui/run/active_run.h"
#include "ui/run/run_data.h"
#include "ui/run/run_view.h"
#include "ui/sweep/sweep_dialog.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/text_size.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"
#include "ui/timeline/key_commands.h"
#include "ui/widgets/navigation_rail.h"
#include "ui/window/appearance_menu.h"
#include "ui/window/export_page.h"
#include "ui/window/settings_popup.h"

#include <QAction>
#include <QHBoxLayout>
#include <QIcon>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int lookoutMilliseconds = 3000;
/// What a page needs at a text size of 100 %. With larger text it may be more than the window has.
constexpr QSize pageNeeds(880, 560);
constexpr int leastPage = 960; ///< pixels, at any text size

QScrollArea* scrolled(QWidget* pages)
{
    auto* area = new QScrollArea;
    area->setObjectName(QStringLiteral("pageScroll"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(pages);
    followTextSize(pages, [pages] {
        pages->setMinimumSize(std::max(leastPage, scaled(pageNeeds.width())),
                              scaled(pageNeeds.height()));
    });
    return area;
}

} // namespace

MainWindow::MainWindow(const Options& options, ThemeController& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_service(options.home), m_document(options.plan, usableCores()),
      m_starter(m_background, options.version), m_home(options.home), m_menuBar(new QMenuBar(this)),
      m_rail(new NavigationRail), m_pages(new QStackedWidget),
      m_plan(new PlanPage(m_document, m_background, options.home)), m_run(new RunPage),
      m_history(new HistoryPage(m_service)), m_settings(new SettingsPopup(theme, this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Triaxis"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/org.triaxis.Triaxis.svg")));
    m_rail->addPage(QStringLiteral("plan"), tr("Plan"), tr("Draw the layout of a run (Ctrl+1)"));
    m_rail->addPage(QStringLiteral("run"), tr("Run"), tr("Watch the run that goes on (Ctrl+2)"));
    m_rail->addPage(QStringLiteral("history"), tr("History"), tr("All stored runs (Ctrl+3)"));
    m_rail->setFoot(QStringLiteral("settings"), tr("Settings"));
    m_pages->addWidget(m_plan);
    m_pages->addWidget(m_run);
    m_pages->addWidget(m_history);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_rail);
    row->addWidget(scrolled(m_pages), 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->setMenuBar(m_menuBar);
    layout->addLayout(row, 1);
    setMinimumSize(1024, 600);
    const QSize wanted(1440, 900);
    const QSize available = screen()->availableSize();
    resize(wanted.boundedTo(available));
    // Its frame would reach over the edge of a screen that is just as large as the window.
    const bool fills = available.width() <= wanted.width() || available.height() <= wanted.height();
    if (fills && available.width() >= minimumWidth() && available.height() >= minimumHeight())
        setWindowState(windowState() | Qt::WindowMaximized);
    const QByteArray geometry = QSettings().value(QStringLiteral("window/geometry")).toByteArray();
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    setKeySection(m_plan, QStringLiteral("Plan"));
    setKeySection(m_run, QStringLiteral("Run"));
    setKeySection(m_history, QStringLiteral("History"));
    connectPages();
    buildMenus();
    showPage(Page::Plan);
    m_autosave = new PlanAutosave(m_document, m_plan->files(), options.home, this);
    connect(&m_plan->files(), &PlanFiles::changed, this, &MainWindow::noteFileChange);
    noteFileChange();
    if (!options.planFile.isEmpty())
        m_plan->files().open(options.planFile);
    else if (options.restore)
        m_autosave->restore();
}

MainWindow::~MainWindow()
{
    hide(); // pages keep what is theirs while the history is still there
}

void MainWindow::connectPages()
{
    connect(m_rail, &NavigationRail::pageChosen, this,
            [this](int index) { showPage(Page(index)); });
    connect(m_rail, &NavigationRail::footChosen, this, &MainWindow::showSettings);
    connect(m_settings, &SettingsPopup::keysRequested, this, &MainWindow::showKeys);
    connect(m_plan, &PlanPage::runRequested, this, &MainWindow::startRun);
    connect(m_run, &RunPage::planRequested, this, [this] { showPage(Page::Plan); });
    connect(m_run, &RunPage::historyRequested, this, [this] { showPage(Page::History); });
    connect(m_run, &RunPage::restartRequested, this,
            [this](const RunPlan& plan) { m_starter.start(plan); });
    connect(m_run, &RunPage::planOpened, this, [this](const RunPlan& plan) {
        m_document.apply(std::make_unique<OpenPlan>(m_document, plan));
        showPage(Page::Plan);
    });
    connect(m_run, &RunPage::othersRequested, this, &MainWindow::openOthers);
    connect(&m_lookout, &QTimer::timeout, this, &MainWindow::lookForOthers);
    connect(m_run, &RunPage::changed, this, &MainWindow::noteRunChange);
    // A calibration speaks to every prediction, wherever it was asked for.
    connect(m_plan, &PlanPage::calibrated, this, [this] {
        m_run->view()->predict();
        m_history->view()->predict();
    });
    for (RunView* view : {m_run->view(), m_history->view()})
        connect(view, &RunView::calibrated, this, [this, view] {
            m_plan->predictor().reloadMachine();
            (view == m_run->view() ? m_history->view() : m_run->view())->predict();
        });
    connect(&m_service, &HistoryService::refreshed, &m_plan->predictor(),
            &PlanPredictor::lookAtRuns);
    connect(m_history, &HistoryPage::planRequested, this, [this] { showPage(Page::Plan); });
    connect(m_history, &HistoryPage::pageRequested, this, [this] { showPage(Page::History); });
    connect(&m_starter, &RunStarter::started, this, [this](const QString& directory, int process) {
        m_plan->setStarting(false);
        openRun(directory, process);
    });
    connect(&m_starter, &RunStarter::failed, this,
            [this](const QString& title, const QString& detail) {
                m_plan->setStarting(false);
                m_plan->showProblem(title, detail);
                showPage(Page::Plan);
            });
}

/// The plan's menus, with those of the window around them.
void MainWindow::buildMenus()
{
    const auto command = [this](const char* id, auto act) {
        QAction* action = makeCommand(QLatin1String(id), this);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    auto* view = new QMenu(tr("&View"), this);
    view->addAction(command("window.plan", [this] { showPage(Page::Plan); }));
    view->addAction(command("window.run", [this] { showPage(Page::Run); }));
    view->addAction(command("window.history", [this] { showPage(Page::History); }));
    view->addSeparator();
    new AppearanceMenu(*view, m_theme, *this);
    view->addAction(command("window.settings", [this] { showSettings(); }));
    auto* help = new QMenu(tr("&Help"), this);
    help->addAction(command("window.keys", [this] { showKeys(); }));
    m_plan->menus().back()->addSeparator();
    m_plan->menus().back()->addAction(command("window.sweep", [this] { showSweep(); }));
    help->addAction(command("window.glossary", [this] { showGlossary(); }));
    help->addAction(command("window.tour", [this] { showTour(); }));
    const QList<QMenu*> menus = m_plan->menus() + QList<QMenu*>{m_history->menu(), view, help};
    QMenu* file = menus.front();
    file->addSeparator();
    file->addAction(command("window.export", [this] { exportPage(); }));
    file->addSeparator();
    file->addAction(command("window.quit", [this] { close(); }));
    for (QMenu* menu : menus) {
        m_menuBar->addMenu(menu);
        // Keys work on every page, also where the system has no bar of menus.
        for (QAction* action : menu->actions())
            if (action->shortcutContext() == Qt::WindowShortcut)
                addAction(action);
    }
}

/// Whatever is shown, as files.
void MainWindow::exportPage()
{
    switch (page()) {
    case Page::Plan:
        exportPlan(this, *m_plan, m_document);
        return;
    case Page::Run:
        exportRun(this, *m_run->view());
        return;
    case Page::History:
        if (m_history->isComparing())
            exportComparison(this, *m_history->comparison());
        else if (m_history->isRunOpen())
            exportRun(this, *m_history->view());
        else
            exportStoredRun(this, m_history->currentId());
        return;
    }
}

void MainWindow::showPage(Page page)
{
    m_pages->setCurrentIndex(int(page));
    m_rail->setCurrent(int(page));
}

MainWindow::Page MainWindow::page() const
{
    return Page(m_pages->currentIndex());
}

void MainWindow::begin(bool goThere)
{
    m_service.refresh();
    watchOthers();
    if (m_run->view()->directory().isEmpty())
        lookForActiveRun(goThere);
}

void MainWindow::lookForActiveRun(bool goThere)
{
    m_background.post(this, [this, goThere, home = m_home]() -> Background::Delivery {
        const auto active = findActiveRun(home);
        if (!active)
            return {};
        const QString directory = toQString(active->string());
        return [this, directory, goThere] {
            if (!m_run->view()->directory().isEmpty())
                return;
            m_run->open(directory);
            if (goThere)
                showPage(Page::Run);
        };
    });
}

void MainWindow::openRun(const QString& directory, int starter)
{
    m_run->open(directory, starter);
    showPage(Page::Run);
    watchOthers();
}

void MainWindow::startRun()
{
    m_plan->setStarting(true);
    m_background.post(this, [this, home = m_home]() -> Background::Delivery {
        return [this, active = findActiveRuns(home)] { startBeside(active); };
    });
}

void MainWindow::startBeside(const Directories& active)
{
    const bool shown = m_run->isActive();
    if (!shown && active.empty()) {
        m_starter.start(m_document.plan());
        return;
    }
    const QString going = shown ? m_run->view()->directory() : toQString(active.front().string());
    const QString name =
        shown ? runTitle(*m_run->view()->run()) : toQString(active.front().filename().string());
    switch (m_ask ? m_ask(name) : askBeside(name, this)) {
    case BesideAnswer::Beside:
        m_starter.start(m_document.plan());
        return;
    case BesideAnswer::StopFirst:
        showPage(Page::Run);
        m_run->replace(going, m_document.plan());
        break;
    case BesideAnswer::Cancel:
        break;
    }
    m_plan->setStarting(false);
}

void MainWindow::watchOthers()
{
    m_lookout.start(lookoutMilliseconds);
    lookForOthers();
}

void MainWindow::lookForOthers()
{
    if (m_looking)
        return;
    m_looking = true;
    m_background.post(this, [this, home = m_home]() -> Background::Delivery {
        return [this, active = findActiveRuns(home)] { takeOthers(active); };
    });
}

void MainWindow::takeOthers(const Directories& active)
{
    m_looking = false;
    m_others = active;
    const std::string shown = m_run->view()->directory().toStdString();
    std::erase_if(m_others, [&](const std::filesystem::path& run) {
        return run.filename() == std::filesystem::path(shown).filename();
    });
    m_run->setOthers(int(m_others.size()));
    refreshActive();
}

void MainWindow::openOthers()
{
    if (m_others.size() == 1)
        openRun(toQString(m_others.front().string()));
    else
        showPage(Page::History);
}

void MainWindow::refreshActive()
{
    m_rail->setActive(int(Page::Run), m_run->isActive() || !m_others.empty());
}

void MainWindow::noteRunChange()
{
    const bool active = m_run->isActive();
    if (active == m_wasActive)
        return;
    m_wasActive = active;
    refreshActive();
    lookForOthers();
    // The launcher has indexed the run by itself when it ended; the table reads it again.
    m_history->reload();
    m_plan->predictor().lookAtRuns();
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->text() == QLatin1String("?")) {
        showKeys();
        return;
    }
    QWidget::keyPressEvent(event);
}

/// The name of the plan's file, with Qt's mark where it is unsaved.
void MainWindow::noteFileChange()
{
    setWindowTitle(QStringLiteral("%1[*] – Triaxis").arg(m_plan->files().name()));
    setWindowModified(m_plan->files().isUnsaved());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if ((m_sweep && !m_sweep->mayClose()) || !m_plan->files().mayLeave()) {
        event->ignore();
        return;
    }
    QSettings().setValue(QStringLiteral("window/geometry"), saveGeometry());
    QWidget::closeEvent(event);
}

void MainWindow::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), themeOf(palette()).window);
}

} // namespace triaxis::ui

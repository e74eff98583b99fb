#include "ui/pages/history_page.h"

#include "ui/base/text.h"
#include "ui/base/widget_keys.h"
#include "ui/compare/comparison_view.h"
#include "ui/history/filter_bar.h"
#include "ui/history/history_jobs.h"
#include "ui/history/history_list.h"
#include "ui/history/history_table.h"
#include "ui/history/history_text.h"
#include "ui/history/run_details.h"
#include "ui/history/run_edits.h"
#include "ui/models/history_model.h"
#include "ui/pages/prediction_button.h"
#include "ui/run/run_data.h"
#include "ui/run/run_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/follow_action.h"
#include "ui/widgets/page_header.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int refreshMilliseconds = 2000;
/// Of a large history no more than every so many times what bringing it up to date takes.
constexpr int leastRest = 20;

} // namespace

HistoryPage::HistoryPage(HistoryService& service, QWidget* parent)
    : QWidget(parent), m_service(service), m_actions(new HistoryActions(this)),
      m_edits(new RunEdits(service, this)), m_jobs(new HistoryJobs(service, this)),
      m_header(new PageHeader), m_banner(new Banner), m_stack(new QStackedWidget),
      m_list(new HistoryList(service)), m_view(new RunView), m_comparison(new ComparisonView),
      m_back(new QPushButton(tr("All runs"))), m_prediction(predictionButton(*m_view))
{
    setObjectName(QStringLiteral("historyPage"));
    setAcceptDrops(true);
    buildHeader();
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_comparison);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(m_header);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);
    m_actions->addTo(m_list, m_list->table(), this);
    m_menu = m_actions->buildMenu(this);
    m_follow.setInterval(refreshMilliseconds);
    connectParts();
    connectEdits();
    connectActions();
    setWidgetKeys(this, {{{QStringLiteral("Esc")}, tr("Back to all runs")}});
    refresh();
}

HistoryPage::~HistoryPage()
{
    hide(); // what was typed is kept while there is somebody to keep it
    m_edits->stack().disconnect(this);
    m_list->disconnect(this);
}

HistoryModel* HistoryPage::model() const
{
    return m_list->model();
}

QPushButton* HistoryPage::addButton(HistoryActions::Command command, const char* name,
                                    const QString& text)
{
    auto* button = new QPushButton;
    button->setObjectName(QLatin1String(name));
    QAction* action = (*m_actions)[command];
    followAction(button, action);
    // The button is shorter than the entry of a menu.
    const auto shorten = [button, action, text] {
        button->setText(text);
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        const QString hint = action->toolTip().isEmpty() ? action->text() : action->toolTip();
        button->setToolTip(hint.contains(QLatin1Char('(')) || keys.isEmpty()
                               ? hint
                               : QStringLiteral("%1 (%2)").arg(hint, keys));
        button->setCheckable(false);
    };
    connect(action, &QAction::changed, button, shorten);
    shorten();
    m_header->addAction(button);
    return button;
}

void HistoryPage::buildHeader()
{
    m_back->setObjectName(QStringLiteral("allRuns"));
    m_header->addLeading(m_back);
    m_header->addAction(m_prediction);
    using Actions = HistoryActions;
    QPushButton* trash = addButton(Actions::Trash, "showTrash", tr("Trash"));
    QPushButton* import = addButton(Actions::Import, "importBundles", tr("Import…"));
    QPushButton* bundle = addButton(Actions::Export, "exportBundle", tr("Export bundle…"));
    QPushButton* remove = addButton(Actions::Delete, "deleteRuns", tr("Delete"));
    QPushButton* compare = addButton(Actions::Compare, "compareRuns", tr("Compare"));
    QPushButton* folder = addButton(Actions::Folder, "showRunFolder", tr("Show folder"));
    m_report = addButton(Actions::Report, "exportReport", tr("Export report…"));
    QPushButton* trace = addButton(Actions::Trace, "exportTrace", tr("Export trace…"));
    QPushButton* restore = addButton(Actions::Restore, "restoreRuns", tr("Restore"));
    QPushButton* purge = addButton(Actions::Purge, "purgeRuns", tr("Delete for good…"));
    QPushButton* empty = addButton(Actions::EmptyTrash, "emptyTrash", tr("Empty the trash…"));
    m_stop = addButton(Actions::Stop, "stopRun", tr("Stop"));
    QPushButton* open = addButton(Actions::Open, "openRun", tr("Open"));
    (*m_actions)[Actions::Report]->setToolTip(
        tr("One HTML file with settings, figures, timeline and method"));
    (*m_actions)[Actions::Trace]->setToolTip(tr("Chrome trace JSON, opens in ui.perfetto.dev"));
    (*m_actions)[Actions::Stop]->setToolTip(
        tr("Ask the ranks to end after their step; what they have measured is kept"));
    (*m_actions)[Actions::Export]->setToolTip(
        tr("One file with all of a run, for another machine or a colleague"));
    m_stop->setProperty("look", "danger");
    purge->setProperty("look", "danger");
    open->setProperty("look", "primary");
    m_tableButtons = {trash, import, bundle, remove, compare, open};
    m_trashButtons = {restore, purge, empty};
    m_runButtons = {folder, bundle, m_report, trace};
    connect(m_back, &QPushButton::clicked, this, [this] {
        if (isTable())
            setTrash(false);
        else
            showTable();
    });
}

void HistoryPage::connectParts()
{
    connect(&m_follow, &QTimer::timeout, this, &HistoryPage::follow);
    connect(m_view, &RunView::changed, this, &HistoryPage::refresh);
    connect(m_list, &HistoryList::changed, this, &HistoryPage::refresh);
    connect(m_list, &HistoryList::planRequested, this, &HistoryPage::planRequested);
    connect(m_list, &HistoryList::importRequested, this, &HistoryPage::askImport);
    connect(m_list, &HistoryList::leaveTrashRequested, this, [this] { setTrash(false); });
    connect(m_list->table(), &HistoryTable::openRequested, this, &HistoryPage::openSelected);
    connect(m_list->table(), &HistoryTable::menuRequested, this, [this](const QPoint& at) {
        QMenu menu(this);
        m_actions->fillContextMenu(menu, m_list->isTrash());
        menu.exec(at);
    });
    connect(&m_service, &HistoryService::refreshed, this, [this](bool changed) {
        if (m_following)
            m_follow.setInterval(
                std::max<int>(refreshMilliseconds, leastRest * int(m_asked.elapsed())));
        m_following = false;
        if (changed)
            m_list->reload();
    });
    connect(&m_service, &HistoryService::failed, this,
            [this](const QString& title, const QString& detail) {
                m_follow.stop();
                m_following = false;
                fail(title, detail);
            });
    connect(&m_exporter, &Exporter::failed, this, &HistoryPage::fail);
    connect(&m_exporter, &Exporter::written, this, [this](const QString& file) {
        sayExported(tr("Exported %1").arg(QFileInfo(file).fileName()), file,
                    QFileInfo(file).absolutePath());
    });
    connect(m_comparison, &ComparisonView::compared, this, &HistoryPage::refresh);
    connect(m_comparison, &ComparisonView::failed, this,
            [this](const QString& title, const QString& detail) {
                if (m_comparison->runs().empty())
                    showTable();
                fail(title, detail);
            });
    connect(m_comparison, &ComparisonView::written, this, [this](const QString& file) {
        sayExported(tr("Exported %1").arg(QFileInfo(file).fileName()), file,
                    QFileInfo(file).absolutePath());
    });
    connect(m_banner, &Banner::actionTriggered, this, [this] {
        // What it does may say something else.
        if (const auto act = m_bannerAct)
            act();
    });
}

bool HistoryPage::isRunOpen() const
{
    return m_stack->currentWidget() == m_view;
}

bool HistoryPage::isComparing() const
{
    return m_stack->currentWidget() == m_comparison;
}

QStringList HistoryPage::selectedIds() const
{
    QStringList ids;
    for (const RunSummary& run : m_list->table()->selectedRuns())
        ids << toQString(run.id);
    return ids;
}

QString HistoryPage::currentDirectory() const
{
    if (isComparing())
        return {};
    if (isRunOpen())
        return m_view->directory();
    const RunSummary* run = m_list->table()->currentRun();
    return run ? toQString(run->directory) : QString();
}

QString HistoryPage::currentId() const
{
    const QString directory = currentDirectory();
    return directory.isEmpty() ? QString() : QFileInfo(directory).fileName();
}

bool HistoryPage::isCurrentGoing() const
{
    const RunSummary* row = m_list->table()->currentRun();
    const RunData* opened = m_view->run();
    if (isComparing() || (isRunOpen() ? opened == nullptr : row == nullptr))
        return false;
    const RunState state = isRunOpen() ? opened->status().state : row->state;
    return state != RunState::Draft && !isFinal(state);
}

void HistoryPage::refresh()
{
    const std::vector<RunSummary> selected = m_list->table()->selectedRuns();
    HistoryActions::Situation now;
    now.shown = isVisible();
    now.table = isTable();
    now.trash = m_list->isTrash();
    now.opened = isRunOpen();
    now.selected = int(selected.size());
    now.allStarred =
        !selected.empty() && std::all_of(selected.begin(), selected.end(),
                                         [](const RunSummary& run) { return run.starred; });
    now.current = !currentDirectory().isEmpty();
    now.going = isCurrentGoing();
    now.stopping = now.going && m_stopAsked == currentDirectory();
    now.busy = m_jobs->isBusy();
    now.exporting = m_exporter.isBusy();
    now.filtered = m_list->isNarrowed();
    now.deletedRuns = m_list->storage().deletedRuns;
    m_actions->refresh(now);
    (*m_actions)[HistoryActions::StarredOnly]->setChecked(m_list->filters()->choice().starred);
    (*m_actions)[HistoryActions::Details]->setChecked(m_list->areDetailsShown());
    refreshTitle();
    refreshButtons();
}

void HistoryPage::refreshTitle()
{
    if (isRunOpen() && m_view->run() != nullptr)
        m_header->setTitle(runTitle(*m_view->run()), runProgress(*m_view->run()));
    else if (isComparing())
        m_header->setTitle(tr("Comparison"),
                           m_comparison->isBusy()
                               ? tr("reading the runs …")
                               : runsText(std::int64_t(m_comparison->runs().size())));
    else
        m_header->setTitle(m_list->isTrash() ? tr("Trash") : tr("History"), m_list->totalsLine());
}

void HistoryPage::refreshButtons()
{
    const bool table = isTable() && !m_list->isTrash();
    const bool trash = isTable() && m_list->isTrash();
    QList<QPushButton*> shown = table   ? m_tableButtons
                                : trash ? m_trashButtons
                                        : QList<QPushButton*>{};
    if (isRunOpen())
        shown = m_runButtons;
    for (const QList<QPushButton*>& group : {m_tableButtons, m_trashButtons, m_runButtons})
        for (QPushButton* button : group)
            button->setVisible(shown.contains(button));
    m_back->setVisible(!table);
    m_prediction->setVisible(isRunOpen());
    m_report->setVisible(isRunOpen() || isComparing());
    if (isComparing()) // the page of the comparison
        m_report->setEnabled(!m_comparison->runs().empty());
    m_stop->setVisible(isCurrentGoing());
    if (m_stopAsked == currentDirectory() && isCurrentGoing())
        m_stop->setText(tr("Stopping…"));
}

void HistoryPage::say(int kind, const QString& title, const QString& detail, const QString& action,
                      std::function<void()> act)
{
    m_bannerAct = std::move(act);
    m_banner->say(Banner::Kind(kind), title, detail, action);
    refresh();
}

void HistoryPage::fail(const QString& title, const QString& detail)
{
    say(int(Banner::Kind::Problem), title, detail);
}

void HistoryPage::reload()
{
    m_list->reload();
}

void HistoryPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (isTable())
        reload();
    follow();
    m_follow.start();
    refresh();
}

void HistoryPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_follow.stop();
    m_list->saveState();
    refresh();
}

/// Runs that go on, and those that the command line begins, are in the table as they stand.
void HistoryPage::follow()
{
    if (!isTable() || m_following)
        return;
    m_following = true;
    m_asked.start();
    m_service.refresh();
}

} // namespace triaxis::ui

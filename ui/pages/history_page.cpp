#include "ui/pages/history_page.h"

#include "engine/core/error.h"
#include "ui/base/text.h"
#include "ui/base/widget_keys.h"
#include "ui/compare/comparison_view.h"
#include "ui/models/history_model.h"
#include "ui/models/state_delegate.h"
#include "ui/pages/prediction_button.h"
#include "ui/run/run_data.h"
#include "ui/run/run_view.h"
#include "ui/run/stop_request.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/panel.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int refreshMilliseconds = 2000;

} // namespace

HistoryPage::HistoryPage(HistoryService& service, QWidget* parent)
    : QWidget(parent), m_service(service), m_model(new HistoryModel(service, this)),
      m_header(new PageHeader), m_banner(new Banner), m_stack(new QStackedWidget),
      m_table(new QTableView), m_search(new QLineEdit),
      m_empty(new EmptyState(QStringLiteral("history"), QStringLiteral("No runs yet"),
                             QStringLiteral("Every run is kept here with its settings, losses and "
                                            "timelines, also those from the command line."))),
      m_view(new RunView), m_comparison(new ComparisonView),
      m_back(new QPushButton(QStringLiteral("All runs"))),
      m_compare(new QPushButton(QStringLiteral("Compare"))),
      m_open(new QPushButton(QStringLiteral("Open"))),
      m_prediction(predictionButton(*m_view)),
      m_folder(new QPushButton(QStringLiteral("Show folder"))),
      m_report(new QPushButton(QStringLiteral("Export report…"))),
      m_trace(new QPushButton(QStringLiteral("Export trace…"))),
      m_stop(new QPushButton(QStringLiteral("Stop")))
{
    setObjectName(QStringLiteral("historyPage"));
    buildHeader();
    QPushButton* plan = m_empty->addButton(QStringLiteral("Go to Plan"), true);
    connect(plan, &QPushButton::clicked, this, &HistoryPage::planRequested);
    m_stack->addWidget(buildTable());
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_comparison);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(m_header);
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);

    m_searchDelay.setSingleShot(true);
    m_searchDelay.setInterval(150);
    connect(&m_searchDelay, &QTimer::timeout, this, [this] { m_model->setText(m_search->text()); });
    connect(m_search, &QLineEdit::textChanged, &m_searchDelay, qOverload<>(&QTimer::start));
    m_follow.setInterval(refreshMilliseconds);
    connect(&m_follow, &QTimer::timeout, this, &HistoryPage::follow);
    connect(m_model, &HistoryModel::loaded, this, &HistoryPage::refresh);
    connect(m_view, &RunView::changed, this, &HistoryPage::refresh);
    connect(&m_service, &HistoryService::refreshed, this, [this] {
        m_following = false;
        m_model->reload();
    });
    connect(&m_service, &HistoryService::failed, this,
            [this](const QString& title, const QString& detail) {
                m_follow.stop();
                m_following = false;
                m_banner->say(Banner::Kind::Problem, title, detail);
            });
    connect(&m_exporter, &Exporter::failed, this,
            [this](const QString& title, const QString& detail) {
                m_banner->say(Banner::Kind::Problem, title, detail);
                refresh();
            });
    connect(&m_exporter, &Exporter::written, this, [this](const QString& file) {
        m_banner->say(Banner::Kind::Good, QStringLiteral("Exported %1").arg(QFileInfo(file).fileName()),
                      file, QStringLiteral("Show folder"));
        refresh();
    });
    connect(m_comparison, &ComparisonView::compared, this, &HistoryPage::refresh);
    connect(m_comparison, &ComparisonView::failed, this,
            [this](const QString& title, const QString& detail) {
                if (m_comparison->runs().empty())
                    showTable();
                m_banner->say(Banner::Kind::Problem, title, detail);
            });
    connect(m_comparison, &ComparisonView::written, this, [this](const QString& file) {
        m_banner->setProperty("folder", QFileInfo(file).absolutePath());
        m_banner->say(Banner::Kind::Good, QStringLiteral("Exported %1").arg(QFileInfo(file).fileName()),
                      file, QStringLiteral("Show folder"));
    });
    connect(m_banner, &Banner::actionTriggered, this, [this] {
        const QString folder = m_banner->property("folder").toString();
        QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
    });
    setWidgetKeys(this, {{{QStringLiteral("/")}, QStringLiteral("Search")},
                         {{QStringLiteral("Esc")}, QStringLiteral("Back to all runs")}});
    setWidgetKeys(m_table, {{{QStringLiteral("Return")}, QStringLiteral("Open the selected run")},
                            {{QStringLiteral("C")}, QStringLiteral("Compare the selected runs")}});
    refresh();
}

void HistoryPage::buildHeader()
{
    m_search->setObjectName(QStringLiteral("historySearch"));
    m_search->setPlaceholderText(QStringLiteral("Search label, model, layout, schedule"));
    m_search->setAccessibleName(QStringLiteral("Search the history"));
    m_search->setClearButtonEnabled(true);
    followTextSize(this, [this] { m_search->setMinimumWidth(scaled(250)); });
    m_back->setObjectName(QStringLiteral("allRuns"));
    m_open->setObjectName(QStringLiteral("openRun"));
    m_folder->setObjectName(QStringLiteral("showRunFolder"));
    m_report->setObjectName(QStringLiteral("exportReport"));
    m_trace->setObjectName(QStringLiteral("exportTrace"));
    m_report->setToolTip(QStringLiteral("One HTML file with settings, figures, timeline and method"));
    m_trace->setToolTip(QStringLiteral("Chrome trace JSON, opens in ui.perfetto.dev"));
    m_stop->setObjectName(QStringLiteral("stopRun"));
    m_stop->setProperty("look", "danger");
    m_stop->setToolTip(QStringLiteral("Ask the ranks to end after their step; what they have "
                                      "measured is kept"));
    m_compare->setObjectName(QStringLiteral("compareRuns"));
    m_open->setProperty("look", "primary");
    m_header->addLeading(m_back);
    m_header->addAction(m_search);
    for (QPushButton* button : {m_prediction, m_compare, m_folder, m_report, m_trace, m_stop, m_open})
        m_header->addAction(button);
    connect(m_back, &QPushButton::clicked, this, &HistoryPage::showTable);
    connect(m_stop, &QPushButton::clicked, this, &HistoryPage::stopRun);
    connect(m_open, &QPushButton::clicked, this, &HistoryPage::openSelected);
    connect(m_compare, &QPushButton::clicked, this, &HistoryPage::compareSelected);
    connect(m_folder, &QPushButton::clicked, this, &HistoryPage::showFolder);
    connect(m_report, &QPushButton::clicked, this,
            [this] { isComparing() ? exportComparison() : exportRun(Exporter::Format::Report); });
    connect(m_trace, &QPushButton::clicked, this, [this] { exportRun(Exporter::Format::Trace); });
}

QWidget* HistoryPage::buildTable()
{
    configureTable();
    auto* panel = new Panel({});
    panel->body()->setContentsMargins(6, 0, 6, 6);
    panel->setContent(m_table);
    return panel;
}

void HistoryPage::configureTable()
{
    m_table->setObjectName(QStringLiteral("historyTable"));
    m_table->setAccessibleName(QStringLiteral("Stored runs"));
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(HistoryModel::State, new StateDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->viewport()->setAutoFillBackground(false);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(true);
    header->setStretchLastSection(false);
    followTextSize(this, [this, header] {
        const int widths[] = {92, 150, 92, 78, 76, 58, 64, 82, 80, 74, 100, 142};
        m_table->verticalHeader()->setDefaultSectionSize(scaled(34));
        header->setMinimumSectionSize(scaled(54));
        for (int column = 0; column < HistoryModel::ColumnCount; ++column)
            header->resizeSection(column, scaled(widths[column]));
    });
    header->setSectionResizeMode(HistoryModel::Label, QHeaderView::Stretch);
    header->setSortIndicator(HistoryModel::Started, Qt::DescendingOrder);
    header->setSortIndicatorShown(true);
    connect(header, &QHeaderView::sortIndicatorChanged, this,
            [this, header](int column, Qt::SortOrder order) {
                if (HistoryModel::isSortable(column)) {
                    m_model->sort(column, order);
                    return;
                }
                const QSignalBlocker quiet(header);
                header->setSortIndicator(HistoryModel::Started, Qt::DescendingOrder);
                m_model->sort(HistoryModel::Started, Qt::DescendingOrder);
            });
    connect(m_table, &QTableView::activated, this, &HistoryPage::openSelected);
    // A key of the table itself, which would else look for a run that begins with the letter.
    auto* compare = new QShortcut(Qt::Key_C, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(compare, &QShortcut::activated, this, &HistoryPage::compareSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &HistoryPage::selectionChanged);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &HistoryPage::refresh);
}

void HistoryPage::selectionChanged()
{
    if (const RunSummary* run = m_model->runAt(m_table->currentIndex().row()))
        m_selectedId = toQString(run->id);
    refresh();
}

bool HistoryPage::isRunOpen() const
{
    return m_stack->currentWidget() == m_view;
}

bool HistoryPage::isComparing() const
{
    return m_stack->currentWidget() == m_comparison;
}

QStringList HistoryPage::selectedDirectories() const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    QStringList directories;
    for (const QModelIndex& index : rows)
        if (const RunSummary* run = m_model->runAt(index.row()))
            directories << toQString(run->directory);
    return directories;
}

QString HistoryPage::currentDirectory() const
{
    if (isComparing())
        return {};
    if (isRunOpen())
        return m_view->directory();
    const RunSummary* run = m_model->runAt(m_table->currentIndex().row());
    return run ? toQString(run->directory) : QString();
}

QString HistoryPage::currentId() const
{
    const QString directory = currentDirectory();
    return directory.isEmpty() ? QString() : QFileInfo(directory).fileName();
}

bool HistoryPage::isCurrentGoing() const
{
    const RunSummary* row = m_model->runAt(m_table->currentIndex().row());
    const RunData* opened = m_view->run();
    if (isRunOpen() ? opened == nullptr : row == nullptr)
        return false;
    const RunState state = isRunOpen() ? opened->status().state : row->state;
    return state != RunState::Draft && !isFinal(state);
}

void HistoryPage::stopRun()
{
    try {
        requestStop(currentDirectory().toStdString());
        m_stopAsked = currentDirectory();
    } catch (const Error& error) {
        m_banner->say(Banner::Kind::Problem, QStringLiteral("The run cannot be stopped"),
                      toQString(error.object() + ". " + error.remedy()));
    }
    refresh();
}

void HistoryPage::refresh()
{
    const bool open = isRunOpen();
    const bool comparing = isComparing();
    if (!open && !comparing) {
        // The table loses its selection when its rows are read again.
        const int row = std::max(m_model->rowOf(m_selectedId), m_model->rowCount() > 0 ? 0 : -1);
        if (row >= 0 && m_table->currentIndex().row() != row) {
            const QSignalBlocker quiet(m_table->selectionModel());
            m_table->selectRow(row);
        }
        const bool none = m_model->isLoaded() && m_model->total() == 0;
        const bool searching = !m_search->text().isEmpty();
        m_empty->setTexts(searching ? QStringLiteral("No run matches") : QStringLiteral("No runs yet"),
                          searching ? QStringLiteral("Nothing in label, model, layout or schedule "
                                                     "contains “%1”.")
                                          .arg(m_search->text())
                                    : QStringLiteral("Every run is kept here with its settings, losses "
                                                     "and timelines, also those from the command line."));
        m_stack->setCurrentIndex(none ? 1 : 0);
    }
    const bool any = !currentDirectory().isEmpty();
    if (open && m_view->run() != nullptr)
        m_header->setTitle(runTitle(*m_view->run()), runProgress(*m_view->run()));
    else if (comparing)
        m_header->setTitle(QStringLiteral("Comparison"),
                           m_comparison->isBusy() ? QStringLiteral("reading the runs …")
                                                  : counted(std::int64_t(m_comparison->runs().size()), QStringLiteral("run")));
    else if (m_model->isLoaded() && m_model->total() > 0)
        m_header->setTitle(QStringLiteral("History"), counted(m_model->total(), QStringLiteral("run")));
    else
        m_header->setTitle(QStringLiteral("History"));
    const bool table = !open && m_stack->currentIndex() == 0;
    const qsizetype selected = table ? m_table->selectionModel()->selectedRows().size() : 0;
    m_back->setVisible(open || comparing);
    m_search->setVisible(table || (!open && !comparing && !m_search->text().isEmpty()));
    m_open->setVisible(table);
    m_compare->setVisible(table);
    m_compare->setEnabled(selected > 1);
    m_compare->setToolTip(selected > 1
                              ? QStringLiteral("Lay the %1 selected runs side by side (C)").arg(selected)
                              : QStringLiteral("Select several runs with Ctrl or Shift, then compare them (C)"));
    m_prediction->setVisible(open);
    for (QPushButton* button : {m_folder, m_trace})
        button->setVisible(open || table);
    m_report->setVisible(open || table || comparing);
    const bool going = (open || table) && isCurrentGoing();
    const bool stopping = going && m_stopAsked == currentDirectory();
    m_stop->setVisible(going);
    m_stop->setEnabled(!stopping);
    m_stop->setText(stopping ? QStringLiteral("Stopping…") : QStringLiteral("Stop"));
    m_open->setEnabled(any);
    m_open->setToolTip(going ? QStringLiteral("Watch this run as it goes on") : QString());
    m_folder->setEnabled(any);
    m_report->setEnabled(comparing ? !m_comparison->runs().empty() : any && !m_exporter.isBusy());
    m_trace->setEnabled(any && !m_exporter.isBusy());
}

void HistoryPage::reload()
{
    m_model->reload();
}

void HistoryPage::openSelected()
{
    const QString directory = currentDirectory();
    if (!directory.isEmpty())
        openRun(directory);
}

void HistoryPage::openRun(const QString& directory)
{
    m_banner->dismiss();
    m_view->open(directory);
    m_stack->setCurrentWidget(m_view);
    refresh();
    m_view->setFocus();
}

void HistoryPage::showTable()
{
    m_banner->dismiss();
    m_stack->setCurrentIndex(0);
    m_view->close();
    m_comparison->clear();
    m_model->reload();
    refresh();
    m_table->setFocus();
}

void HistoryPage::compareRuns(const QStringList& directories)
{
    m_banner->dismiss();
    m_comparison->compare(directories);
    m_stack->setCurrentWidget(m_comparison);
    refresh();
    m_comparison->setFocus();
}

void HistoryPage::compareSelected()
{
    const QStringList directories = selectedDirectories();
    if (directories.size() > 1)
        compareRuns(directories);
}

void HistoryPage::exportComparison()
{
    const QString file = QFileDialog::getSaveFileName(
        window(), QStringLiteral("Export"), QDir::home().filePath(QStringLiteral("comparison.html")),
        QStringLiteral("HTML page (*.html);;Figures (*.csv)"));
    if (!file.isEmpty())
        m_comparison->write(file);
}

void HistoryPage::showFolder()
{
    QDesktopServices::openUrl(QUrl::fromLocalFile(currentDirectory()));
}

void HistoryPage::exportRun(Exporter::Format format)
{
    const QString id = currentId();
    if (id.isEmpty())
        return;
    const QString proposal =
        QDir::home().filePath(id + QLatin1Char('.') + Exporter::suffix(format));
    const QString file = QFileDialog::getSaveFileName(window(), QStringLiteral("Export"), proposal,
                                                      Exporter::filter(format));
    if (file.isEmpty())
        return;
    m_banner->setProperty("folder", QFileInfo(file).absolutePath());
    m_exporter.write(id, format, file);
    m_banner->say(Banner::Kind::Note, QStringLiteral("Exporting %1…").arg(id), {});
    refresh();
}

void HistoryPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!isRunOpen() && !isComparing())
        reload();
    follow();
    m_follow.start();
}

void HistoryPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_follow.stop();
}

/// Runs that go on, and those that the command line begins, are in the table as they stand.
void HistoryPage::follow()
{
    if (isRunOpen() || isComparing() || m_following)
        return;
    m_following = true;
    m_service.refresh();
}

void HistoryPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && (isRunOpen() || isComparing())) {
        showTable();
        return;
    }
    if (event->key() == Qt::Key_Slash && m_search->isVisible()) {
        m_search->setFocus(Qt::ShortcutFocusReason);
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace triaxis::ui

#include "ui/search/search_dialog.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/pages/layout_helpers.h"
#include "ui/search/search_chart.h"
#include "ui/search/search_model.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/dialog_size.h"
#include "ui/widgets/panel.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <chrono>

namespace triaxis::ui
{
namespace
{

/// A hint in the place of `content` until there is some.
QStackedWidget* heldBack(QWidget* content)
{
    auto* hint = new QLabel;
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setProperty("role", "muted");
    auto* stack = new QStackedWidget;
    stack->addWidget(hint);
    stack->addWidget(content);
    return stack;
}

} // namespace

/// What the worker hands back.
struct SearchDialog::Outcome
{
    SearchResult result;
    std::optional<PricedPlan> drawn;
    QString problem; ///< empty: there is a result
    QString refusal; ///< why nothing was found
};

SearchDialog::SearchDialog(const DrawnPlan& plan, QWidget* parent)
    : QDialog(parent), m_job(trainingJob(plan)), m_drawn(parallelPlan(plan)),
      m_model(new SearchModel(this)), m_chart(new SearchChart)
{
    setObjectName(QStringLiteral("searchDialog"));
    setWindowTitle(tr("Find the best layout"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(buildHead());
    layout->addWidget(buildResults(), 1);
    layout->addLayout(buildFoot());
    // Return in the table takes a layout; it must not press a button besides.
    for (QPushButton* button : findChildren<QPushButton*>())
        button->setAutoDefault(false);
    resizeWithinScreen(*this, {1200, 800});
    showWaiting(tr("Press Search."));
    refreshFoot();
}

SearchDialog::~SearchDialog()
{
    stop();
    if (m_thread.joinable())
        m_thread.join();
}

QWidget* SearchDialog::buildHead()
{
    auto* panel = new Panel(tr("%1 on %2 of %3")
                                .arg(toQString(m_job.model.name),
                                     counted(m_job.devices, QStringLiteral("device")),
                                     spoken(m_job.cluster.title)));
    panel->setHint(tr("%1 of %2 tokens a step, %3 · every schedule, microbatch, "
                      "recompute and ZeRO stage")
                       .arg(counted(m_job.globalBatch, QStringLiteral("sequence")),
                            wholeNumber(m_job.sequence), spoken(toText(m_job.precision))));
    m_keep = new QSpinBox;
    m_keep->setRange(1, 500);
    m_keep->setValue(30);
    m_keep->setPrefix(tr("best "));
    m_keep->setAccessibleName(tr("Layouts that are kept"));
    m_keep->setToolTip(tr("How many of the fastest layouts are kept, besides the front"));
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("searchProgress"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the search"));
    m_counted = new QLabel;
    m_counted->setObjectName(QStringLiteral("layoutsPriced"));
    m_counted->setProperty("role", "small");
    m_start = new QPushButton(tr("Search"));
    m_start->setObjectName(QStringLiteral("startSearch"));
    connect(m_start, &QPushButton::clicked, this, [this] { m_running ? stop() : start(); });
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_keep);
    row->addWidget(m_progress, 1);
    row->addWidget(m_counted);
    row->addWidget(m_start);
    panel->body()->addLayout(row);
    return panel;
}

QWidget* SearchDialog::buildTable()
{
    m_table = new QTableView;
    m_table->setObjectName(QStringLiteral("layouts"));
    m_table->setAccessibleName(tr("Layouts that were found, the fastest first"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(scaled(26));
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setMinimumSectionSize(scaled(58));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(SearchModel::Settings, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                m_chart->mark(index.row());
                refreshFoot();
            });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { apply(index.row()); });
    connect(m_table, &QTableView::clicked, this,
            [this](const QModelIndex& index) { apply(index.row()); });
    connect(m_chart, &SearchChart::chosen, this, [this](int row) {
        m_table->selectRow(row);
        apply(row);
    });
    m_layouts = heldBack(m_table);
    auto* panel = new Panel(tr("Layouts, the fastest first"));
    panel->setHint(tr("a click, or Return, takes one over; Ctrl+Z takes it back"));
    panel->setContent(m_layouts);
    return panel;
}

QWidget* SearchDialog::buildBelow()
{
    m_picture = heldBack(m_chart);
    m_chartPanel = new Panel(tr("Step time against memory"));
    m_chartPanel->setContent(m_picture);
    m_rejected = new QLabel;
    m_rejected->setObjectName(QStringLiteral("rejected"));
    m_rejected->setWordWrap(true);
    m_rejected->setProperty("role", "small");
    m_rejected->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* rejected = new Panel(tr("Why the others were rejected"));
    rejected->setContent(m_rejected);
    auto* below = panelSplitter(Qt::Horizontal);
    below->addWidget(m_chartPanel);
    below->addWidget(rejected);
    below->setSizes({620, 400});
    return below;
}

QWidget* SearchDialog::buildResults()
{
    auto* whole = panelSplitter(Qt::Vertical);
    whole->addWidget(buildTable());
    whole->addWidget(buildBelow());
    whole->setStretchFactor(0, 1);
    whole->setSizes({360, 230});
    return whole;
}

QBoxLayout* SearchDialog::buildFoot()
{
    m_taken = new QLabel;
    m_taken->setObjectName(QStringLiteral("taken"));
    m_taken->setProperty("role", "muted");
    m_undo = new QPushButton(tr("Take it back"));
    m_undo->setObjectName(QStringLiteral("undoLayout"));
    m_undo->setToolTip(tr("Back to the plan before (Ctrl+Z)"));
    m_undo->setEnabled(false);
    connect(m_undo, &QPushButton::clicked, this, &SearchDialog::undo);
    auto* undoKey = new QShortcut(QKeySequence::Undo, this);
    connect(undoKey, &QShortcut::activated, this, &SearchDialog::undo);
    m_apply = new QPushButton(tr("Take this layout"));
    m_apply->setObjectName(QStringLiteral("applyLayout"));
    m_apply->setProperty("look", "primary");
    connect(m_apply, &QPushButton::clicked, this, [this] { apply(m_table->currentIndex().row()); });
    auto* close = new QPushButton(tr("Close"));
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_taken, 1);
    row->addWidget(m_undo);
    row->addWidget(m_apply);
    row->addWidget(close);
    return row;
}

/// In place of the table and the chart, as long as they have nothing to show.
void SearchDialog::showWaiting(const QString& text)
{
    if (m_model->rowCount() > 0)
        return;
    for (QStackedWidget* stack : {m_layouts, m_picture}) {
        stack->setCurrentIndex(0);
        qobject_cast<QLabel*>(stack->widget(0))->setText(text);
    }
    m_rejected->setText(tr("Said when the search is over."));
}

void SearchDialog::start()
{
    stop();
    if (m_thread.joinable())
        m_thread.join();
    m_running = true;
    m_start->setText(tr("Stop"));
    m_progress->setValue(0);
    m_counted->clear();
    showWaiting(tr("Searching. Layouts appear when all of them are priced; "
                   "Stop shows the best so far."));
    m_thread = std::jthread([this, job = m_job, drawn = m_drawn,
                             keep = m_keep->value()](std::stop_token stop) {
        auto outcome = std::make_shared<Outcome>();
        auto last = std::chrono::steady_clock::now();
        SearchRequest request;
        request.job = job;
        request.keep = keep;
        request.front = true;
        request.stop = stop;
        request.progress = [&](const ScanProgress& progress) {
            constexpr auto frame = std::chrono::milliseconds(33);
            const auto now = std::chrono::steady_clock::now();
            if (now - last >= frame) {
                last = now;
                QMetaObject::invokeMethod(
                    this, [this, progress] { showProgress(progress.share, progress.layouts); },
                    Qt::QueuedConnection);
            }
            return !stop.stop_requested();
        };
        try {
            outcome->result = searchPlans(request);
            outcome->drawn = priceOf(job, drawn);
            if (outcome->result.best.empty())
                outcome->refusal =
                    outcome->result.complete
                        ? spoken(refusalText(job, request.limits, outcome->result.counts))
                        : tr("The search was stopped before.");
        } catch (const Error& error) {
            outcome->problem = spoken(error.object() + ". " + error.remedy());
        }
        QMetaObject::invokeMethod(
            this, [this, outcome] { take(*outcome); }, Qt::QueuedConnection);
    });
}

void SearchDialog::stop()
{
    m_thread.request_stop();
}

void SearchDialog::showProgress(double share, std::int64_t layouts)
{
    if (!m_running)
        return;
    m_progress->setValue(int(1000 * share));
    m_counted->setText(tr("%1 priced").arg(counted(layouts, QStringLiteral("layout"))));
}

QString SearchDialog::rejectedText(const SearchResult& result) const
{
    QStringList lines;
    for (std::size_t i = 0; i < rejections; ++i)
        if (result.counts.rejected[i] > 0)
            lines << QStringLiteral("%1: %2").arg(
                counted(result.counts.rejected[i], countsShapes(Rejection(i))
                                                       ? QStringLiteral("shape")
                                                       : QStringLiteral("layout")),
                spoken(toText(Rejection(i))));
    if (result.thumb && !result.best.empty())
        lines << tr("The rule of thumb (smallest tensor and pipeline sizes that fit) "
                    "takes %1, %2 more than the best.")
                     .arg(spoken(units::seconds(result.thumb->seconds)),
                          spoken(units::percent(
                              result.thumb->seconds / result.best.front().seconds - 1)));
    return lines.join(QLatin1Char('\n'));
}

void SearchDialog::take(const Outcome& outcome)
{
    m_running = false;
    m_start->setText(tr("Search again"));
    m_progress->setValue(outcome.problem.isEmpty() ? 1000 : 0);
    if (outcome.problem.isEmpty())
        showRows(outcome);
    else
        showWaiting(outcome.problem);
    refreshFoot();
    emit finished();
}

void SearchDialog::showRows(const Outcome& outcome)
{
    const SearchResult& result = outcome.result;
    m_counted->setText(tr("%1 in %2%3")
                           .arg(counted(result.counts.layouts, QStringLiteral("layout")),
                                spoken(units::seconds(result.seconds)),
                                result.complete ? QString() : tr(", stopped")));
    std::vector<SearchRow> rows = rowsOf(result, m_job, outcome.drawn);
    m_chart->setRows(rows, double(m_job.cluster.device.memoryBytes));
    m_model->setRows(std::move(rows));
    m_chartPanel->setHint(m_chart->beyond() > 0
                              ? tr("%1 above %2 are in the table only")
                                    .arg(counted(m_chart->beyond(), QStringLiteral("layout")),
                                         spoken(units::seconds(m_chart->slowestShown())))
                              : QString());
    m_rejected->setText(
        (outcome.refusal.isEmpty() ? QString() : outcome.refusal + QLatin1Char('\n')) +
        rejectedText(result));
    if (m_model->rowCount() == 0) {
        showWaiting(tr("Nothing was found. ") + outcome.refusal);
        return;
    }
    for (QStackedWidget* stack : {m_layouts, m_picture})
        stack->setCurrentIndex(1);
    m_table->selectRow(0);
    m_table->setFocus();
}

void SearchDialog::apply(int row)
{
    if (row >= 0 && row < m_model->rowCount() && row != m_model->drawnRow())
        emit applyRequested(m_model->rows()[std::size_t(row)].priced.plan);
}

void SearchDialog::undo()
{
    if (m_undo->isEnabled())
        emit undoRequested();
}

void SearchDialog::setDrawn(const ParallelPlan& plan, bool canUndo)
{
    m_drawn = plan;
    int drawn = -1;
    const std::vector<SearchRow>& rows = m_model->rows();
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (sameLayout(rows[row].priced.plan, plan))
            drawn = int(row);
    m_model->setDrawnRow(drawn);
    m_chart->setRows(rows, double(m_job.cluster.device.memoryBytes));
    m_chart->mark(m_table->currentIndex().row());
    m_undo->setEnabled(canUndo);
    m_taken->setText(
        tr("%1 The plan is now %2, %3.")
            .arg(canUndo ? tr("Taken.") : tr("Taken back."), sizesText(plan), scheduleText(plan)));
    refreshFoot();
}

void SearchDialog::refreshFoot()
{
    const int row = m_table->currentIndex().row();
    const bool isDrawn = row >= 0 && row == m_model->drawnRow();
    m_apply->setEnabled(row >= 0 && !isDrawn);
    m_apply->setText(isDrawn ? tr("This is the plan") : tr("Take this layout"));
}

} // namespace triaxis::ui

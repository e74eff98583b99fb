#include "ui/search/search_dialog.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/pages/layout_helpers.h"
#include "ui/search/search_chart.h"
#include "ui/search/search_model.h"
#include "ui/widgets/panel.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace triaxis::ui
{

/// What the worker hands back.
struct SearchDialog::Outcome
{
    SearchResult result;
    QString problem; ///< empty: there is a result
    QString refusal; ///< why nothing was found
};

std::vector<SearchRow> rowsOf(const SearchResult& result, const TrainingJob& job)
{
    std::vector<SearchRow> rows;
    const double tokens = double(job.globalBatch) * job.sequence;
    const auto add = [&](const PricedPlan& priced) -> SearchRow& {
        rows.push_back({priced, tokens / priced.seconds, false, false});
        return rows.back();
    };
    for (const PricedPlan& priced : result.best)
        add(priced);
    for (const PricedPoint& point : result.front)
        add({planOf(point.point), point.seconds, point.memory}).onFront = true;
    if (result.thumb)
        add(*result.thumb).thumb = true;
    std::stable_sort(rows.begin(), rows.end(), [](const SearchRow& a, const SearchRow& b) {
        return a.priced.seconds < b.priced.seconds;
    });
    return rows;
}

SearchDialog::SearchDialog(const DrawnPlan& plan, QWidget* parent)
    : QDialog(parent), m_plan(plan), m_job(trainingJob(plan)), m_model(new SearchModel(this)),
      m_chart(new SearchChart)
{
    setObjectName(QStringLiteral("searchDialog"));
    setWindowTitle(QStringLiteral("Find the best layout"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_apply = buttons->addButton(QStringLiteral("Take this layout"), QDialogButtonBox::ApplyRole);
    m_apply->setObjectName(QStringLiteral("applyLayout"));
    m_apply->setEnabled(false);
    connect(m_apply, &QPushButton::clicked, this, [this] { apply(m_table->currentIndex().row()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(buildHead());
    layout->addWidget(buildResults(), 1);
    layout->addWidget(buttons);
    resize(1080, 680);
}

SearchDialog::~SearchDialog()
{
    stop();
    if (m_thread.joinable())
        m_thread.join();
}

QWidget* SearchDialog::buildHead()
{
    auto* panel = new Panel(QStringLiteral("What is searched"));
    m_about = new QLabel;
    m_about->setWordWrap(true);
    m_about->setText(QStringLiteral("%1 on %2 of %3, %4 of %5 tokens a step, %6. Every layout with "
                                    "every schedule, microbatch, recompute and ZeRO stage.")
                         .arg(toQString(m_job.model.name),
                              counted(m_job.devices, QStringLiteral("device")),
                              toQString(m_job.cluster.title),
                              counted(m_job.globalBatch, QStringLiteral("sequence")),
                              wholeNumber(m_job.sequence), QLatin1String(toText(m_job.precision))));
    m_keep = new QSpinBox;
    m_keep->setRange(1, 500);
    m_keep->setValue(30);
    m_keep->setPrefix(QStringLiteral("best "));
    m_keep->setAccessibleName(QStringLiteral("Layouts that are kept"));
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("searchProgress"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(QStringLiteral("Progress of the search"));
    m_start = new QPushButton(QStringLiteral("Search"));
    m_start->setObjectName(QStringLiteral("startSearch"));
    m_start->setProperty("look", "primary");
    m_start->setDefault(true);
    connect(m_start, &QPushButton::clicked, this, [this] { m_running ? stop() : start(); });
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_keep);
    row->addWidget(m_progress, 1);
    row->addWidget(m_start);
    panel->body()->addWidget(m_about);
    panel->body()->addLayout(row);
    return panel;
}

QWidget* SearchDialog::buildResults()
{
    m_table = new QTableView;
    m_table->setObjectName(QStringLiteral("layouts"));
    m_table->setAccessibleName(QStringLiteral("Layouts that were found, the fastest first"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(SearchModel::Settings, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                m_apply->setEnabled(index.isValid());
                m_chart->mark(index.row());
            });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { apply(index.row()); });
    connect(m_table, &QTableView::clicked, this,
            [this](const QModelIndex& index) { apply(index.row()); });
    connect(m_chart, &SearchChart::chosen, this, [this](int row) {
        m_table->selectRow(row);
        apply(row);
    });
    auto* layouts = new Panel(QStringLiteral("Layouts, the fastest first"));
    layouts->setHint(QStringLiteral("a click, or Return, takes one over; it can be undone"));
    layouts->setContent(m_table);
    auto* chart = new Panel(QStringLiteral("Step time against memory"));
    chart->setHint(QStringLiteral("dashed: the device's memory"));
    chart->setContent(m_chart);
    m_rejected = new QLabel(QStringLiteral("Press Search. Here it will say why layouts were "
                                           "rejected, and how many."));
    m_rejected->setObjectName(QStringLiteral("rejected"));
    m_rejected->setWordWrap(true);
    m_rejected->setProperty("role", "small");
    m_rejected->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* rejected = new Panel(QStringLiteral("Why the others were rejected"));
    rejected->setContent(m_rejected);
    auto* below = panelSplitter(Qt::Horizontal);
    below->addWidget(chart);
    below->addWidget(rejected);
    below->setSizes({560, 400});
    auto* whole = panelSplitter(Qt::Vertical);
    whole->addWidget(layouts);
    whole->addWidget(below);
    whole->setSizes({280, 260});
    return whole;
}

void SearchDialog::start()
{
    stop();
    if (m_thread.joinable())
        m_thread.join();
    m_running = true;
    m_start->setText(QStringLiteral("Stop"));
    m_progress->setValue(0);
    m_thread = std::jthread([this, job = m_job, keep = m_keep->value()](std::stop_token stop) {
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
            if (outcome->result.best.empty())
                outcome->refusal =
                    toQString(refusalText(job, request.limits, outcome->result.counts));
        } catch (const Error& error) {
            outcome->problem = toQString(error.object() + ". " + error.remedy());
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
    m_progress->setToolTip(QStringLiteral("%1 layouts priced").arg(wholeNumber(layouts)));
}

QString SearchDialog::rejectedText(const SearchResult& result) const
{
    QStringList lines;
    lines << QStringLiteral("%1 layouts in %2%3")
                 .arg(wholeNumber(result.counts.layouts), toQString(units::seconds(result.seconds)),
                      result.complete ? QString() : QStringLiteral(", stopped before the end"));
    for (std::size_t i = 0; i < rejections; ++i)
        if (result.counts.rejected[i] > 0)
            lines << QStringLiteral("%1 %2: %3")
                         .arg(wholeNumber(result.counts.rejected[i]),
                              countsShapes(Rejection(i)) ? QStringLiteral("shapes")
                                                         : QStringLiteral("layouts"),
                              QLatin1String(toText(Rejection(i))));
    if (result.thumb && !result.best.empty())
        lines << QStringLiteral("The rule of thumb (smallest tensor and pipeline sizes that fit) "
                                "takes %1, %2 more than the best.")
                     .arg(toQString(units::seconds(result.thumb->seconds)),
                          toQString(units::percent(
                              result.thumb->seconds / result.best.front().seconds - 1)));
    return lines.join(QLatin1Char('\n'));
}

void SearchDialog::take(const Outcome& outcome)
{
    m_running = false;
    m_start->setText(QStringLiteral("Search"));
    m_progress->setValue(outcome.problem.isEmpty() ? 1000 : 0);
    if (!outcome.problem.isEmpty()) {
        m_rejected->setText(outcome.problem);
    } else {
        std::vector<SearchRow> rows = rowsOf(outcome.result, m_job);
        m_chart->setRows(rows, double(m_job.cluster.device.memoryBytes));
        m_model->setRows(std::move(rows));
        QString text = rejectedText(outcome.result);
        if (!outcome.refusal.isEmpty())
            text = outcome.refusal + QLatin1Char('\n') + text;
        m_rejected->setText(text);
        if (m_model->rowCount() > 0)
            m_table->selectRow(0);
    }
    emit finished();
}

void SearchDialog::apply(int row)
{
    if (row >= 0 && row < m_model->rowCount())
        emit applyRequested(m_model->rows()[std::size_t(row)].priced.plan);
}

} // namespace triaxis::ui

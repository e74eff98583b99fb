#include "ui/models/history_model.h"

#include "engine/core/units.h"
#include "engine/schedule/generators.h"
#include "ui/base/count_text.h"
#include "ui/base/language.h"
#include "ui/base/percent_text.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/history/history_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace triaxis::ui
{
namespace
{

QString dash()
{
    return QString(QChar(0x2013));
}

QString layoutOf(const RunSummary& run)
{
    return QStringLiteral("%1 × %2 × %3").arg(run.dp).arg(run.tp).arg(run.pp);
}

QString textOf(const RunSummary& run, int column)
{
    switch (column) {
    case HistoryModel::State:
        return spoken(toText(run.state));
    case HistoryModel::Label:
        return run.label.empty() ? toQString(run.id) : toQString(run.label);
    case HistoryModel::Model:
        return toQString(run.model);
    case HistoryModel::LayoutColumn:
        return layoutOf(run);
    case HistoryModel::Schedule:
        return spoken(scheduleTitle(run.schedule));
    case HistoryModel::Steps:
        return wholeNumber(run.steps);
    case HistoryModel::Loss:
        return lossText(run.finalLoss);
    case HistoryModel::StepTime:
        return run.stepSeconds > 0 ? spoken(units::seconds(run.stepSeconds)) : dash();
    case HistoryModel::TokensPerSecond:
        return run.tokensPerSecond > 0 ? countText(run.tokensPerSecond) : dash();
    case HistoryModel::Bubble:
        return percentText(run.bubble);
    case HistoryModel::PeakMemory:
        return run.peakBytes > 0 ? spoken(units::bytes(run.peakBytes)) : dash();
    case HistoryModel::Size:
        return spoken(units::bytes(run.bytes));
    case HistoryModel::Kind:
        return kindText(run.kind);
    case HistoryModel::Started:
        return momentText(run.startedUtc);
    case HistoryModel::Deleted:
        return run.deletedUtc.empty() ? dash() : momentText(run.deletedUtc);
    default:
        return {};
    }
}

bool isNumber(int column)
{
    return column >= HistoryModel::Steps && column <= HistoryModel::Size;
}

/// What the column is called in RunQuery::orderBy.
const char* orderOf(int column)
{
    static constexpr std::array names{
        "starred",  "state",       "label", "model",     "layout",
        "schedule", "steps",       "loss",  "step_time", "tokens_per_second",
        "bubble",   "peak_memory", "size",  "kind",      "started",
        "deleted"};
    static_assert(names.size() == HistoryModel::ColumnCount);
    return names[std::size_t(column)];
}

QStringList tagsOf(const RunSummary& run)
{
    QStringList tags;
    for (const std::string& tag : run.tags)
        tags << toQString(tag);
    return tags;
}

QString toolTipOf(const RunSummary& run, int column)
{
    if (column == HistoryModel::State && !run.reason.empty())
        return spoken(run.reason);
    if (column == HistoryModel::Label || column == HistoryModel::Started)
        return Words::tr("%1\nstarted %2 (UTC)").arg(toQString(run.id), toQString(run.startedUtc));
    if (column == HistoryModel::LayoutColumn)
        return Words::tr("data × tensor × pipeline, %1")
            .arg(counted(run.ranks, QStringLiteral("rank")));
    if (column == HistoryModel::Kind)
        return kindHint(run.kind);
    if (column == HistoryModel::Star)
        return run.starred
                   ? HistoryModel::tr("Take the star away")
                   : HistoryModel::tr("Give it a star: it is easy to find, and never pruned");
    return {};
}

/// What a screen reader says of a cell that is painted.
QString spokenOf(const RunSummary& run, int column)
{
    if (column == HistoryModel::Star)
        return run.starred ? HistoryModel::tr("starred") : HistoryModel::tr("no star");
    if (column != HistoryModel::Label || run.tags.empty())
        return {};
    return HistoryModel::tr("%1, tags: %2")
        .arg(textOf(run, column), tagsOf(run).join(QStringLiteral(", ")));
}

/// The same runs in the same order: a view keeps its place then.
bool sameRows(const std::vector<RunSummary>& before, const std::vector<RunSummary>& now)
{
    return std::equal(before.begin(), before.end(), now.begin(), now.end(),
                      [](const RunSummary& a, const RunSummary& b) { return a.id == b.id; });
}

} // namespace

HistoryModel::HistoryModel(HistoryService& service, QObject* parent)
    : QAbstractTableModel(parent), m_service(service)
{
}

void HistoryModel::setQuery(const RunQuery& query)
{
    const RunQuery before = std::exchange(m_query, query);
    m_query.orderBy = before.orderBy;
    m_query.descending = before.descending;
    ask(pageSize);
}

void HistoryModel::setText(const QString& text)
{
    const std::string wanted = text.trimmed().toStdString();
    if (wanted == m_query.text)
        return;
    m_query.text = wanted;
    ask(pageSize);
}

void HistoryModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= ColumnCount)
        return;
    m_query.orderBy = orderOf(column);
    m_query.descending = order == Qt::DescendingOrder;
    ask(pageSize);
}

void HistoryModel::reload()
{
    ask(std::max(pageSize, int(m_runs.size())));
}

void HistoryModel::ask(int rows)
{
    RunQuery query = m_query;
    query.offset = 0;
    query.limit = rows;
    const int request = ++m_request;
    m_fetching = true;
    m_service.query(query, this, [this, request](const HistoryService::Page& page) {
        if (request == m_request)
            takeFirst(page);
    });
}

void HistoryModel::takeFirst(const HistoryService::Page& page)
{
    const bool same = m_loaded && sameRows(m_runs, page.runs);
    if (!same)
        beginResetModel();
    m_runs = page.runs;
    m_totals = page.totals;
    m_fetching = false;
    m_loaded = true;
    if (!same)
        endResetModel();
    else if (!m_runs.empty())
        emit dataChanged(index(0, 0), index(int(m_runs.size()) - 1, ColumnCount - 1));
    emit loaded();
}

bool HistoryModel::canFetchMore(const QModelIndex& parent) const
{
    return !parent.isValid() && !m_fetching && int(m_runs.size()) < m_totals.runs;
}

void HistoryModel::fetchMore(const QModelIndex& parent)
{
    if (!canFetchMore(parent))
        return;
    RunQuery query = m_query;
    query.offset = int(m_runs.size());
    query.limit = pageSize;
    const int request = ++m_request;
    m_fetching = true;
    m_service.query(query, this, [this, request](const HistoryService::Page& page) {
        if (request == m_request)
            takeMore(page);
    });
}

void HistoryModel::takeMore(const HistoryService::Page& page)
{
    m_totals = page.totals;
    if (page.runs.empty()) {
        // Rows have gone since the first page was counted.
        m_totals.runs = int(m_runs.size());
        m_fetching = false;
        return;
    }
    const int first = int(m_runs.size());
    beginInsertRows({}, first, first + int(page.runs.size()) - 1);
    m_runs.insert(m_runs.end(), page.runs.begin(), page.runs.end());
    m_fetching = false; // only now: a view may ask for more while rows are being inserted
    endInsertRows();
    emit loaded();
}

void HistoryModel::replace(const std::vector<RunSummary>& runs)
{
    for (const RunSummary& run : runs) {
        const int row = rowOf(toQString(run.id));
        if (row < 0)
            continue;
        m_runs[std::size_t(row)] = run;
        emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    }
}

const RunSummary* HistoryModel::runAt(int row) const
{
    return row >= 0 && row < int(m_runs.size()) ? &m_runs[std::size_t(row)] : nullptr;
}

int HistoryModel::rowOf(const QString& id) const
{
    for (std::size_t row = 0; row < m_runs.size(); ++row) {
        if (toQString(m_runs[row].id) == id)
            return int(row);
    }
    return -1;
}

int HistoryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_runs.size());
}

int HistoryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const
{
    const RunSummary* run = index.isValid() ? runAt(index.row()) : nullptr;
    if (run == nullptr || index.column() >= ColumnCount)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return textOf(*run, index.column());
    case Qt::ToolTipRole:
        return toolTipOf(*run, index.column());
    case Qt::TextAlignmentRole:
        return int((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::AccessibleTextRole: {
        const QString text = spokenOf(*run, index.column());
        return text.isEmpty() ? QVariant() : QVariant(text);
    }
    case stateRole:
        return int(run->state);
    case starredRole:
        return run->starred;
    case tagsRole:
        return tagsOf(*run);
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr std::array titles{"",
                                       QT_TR_NOOP("State"),
                                       QT_TR_NOOP("Label"),
                                       QT_TR_NOOP("Model"),
                                       QT_TR_NOOP("Layout"),
                                       QT_TR_NOOP("Schedule"),
                                       QT_TR_NOOP("Steps"),
                                       QT_TR_NOOP("Loss"),
                                       QT_TR_NOOP("Step time"),
                                       QT_TR_NOOP("Tokens / s"),
                                       QT_TR_NOOP("Bubble"),
                                       QT_TR_NOOP("Peak memory"),
                                       QT_TR_NOOP("Size"),
                                       QT_TR_NOOP("Kind"),
                                       QT_TR_NOOP("Started"),
                                       QT_TR_NOOP("Deleted")};
    static_assert(titles.size() == ColumnCount);
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return section == Star ? QString(QChar(0x2605)) : tr(titles[std::size_t(section)]);
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && section == Star)
        return tr("Star");
    if (role == Qt::ToolTipRole)
        return section == Star ? tr("Click to sort by star") : tr("Click to sort");
    return {};
}

} // namespace triaxis::ui

#include "ui/models/history_model.h"

#include "engine/schedule/generators.h"
#include "engine/core/units.h"
#include "ui/base/text.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

QString dash()
{
    return QString(QChar(0x2013));
}

QString startedText(const std::string& utc)
{
    const QDateTime when = QDateTime::fromString(toQString(utc), Qt::ISODate).toLocalTime();
    if (!when.isValid())
        return toQString(utc);
    const QDate today = QDate::currentDate();
    const QString time = when.toString(QStringLiteral("HH:mm"));
    if (when.date() == today)
        return QStringLiteral("today ") + time;
    if (when.date() == today.addDays(-1))
        return QStringLiteral("yesterday ") + time;
    return when.toString(QStringLiteral("yyyy-MM-dd ")) + time;
}

QString layoutOf(const RunSummary& run)
{
    return QStringLiteral("%1 × %2 × %3").arg(run.dp).arg(run.tp).arg(run.pp);
}

QString textOf(const RunSummary& run, int column)
{
    switch (column) {
    case HistoryModel::State:
        return QLatin1String(toText(run.state));
    case HistoryModel::Label:
        return run.label.empty() ? toQString(run.id) : toQString(run.label);
    case HistoryModel::Model:
        return toQString(run.model);
    case HistoryModel::LayoutColumn:
        return layoutOf(run);
    case HistoryModel::Schedule:
        return toQString(scheduleTitle(run.schedule));
    case HistoryModel::Steps:
        return wholeNumber(run.steps);
    case HistoryModel::Loss:
        return lossText(run.finalLoss);
    case HistoryModel::StepTime:
        return run.stepSeconds > 0 ? toQString(units::seconds(run.stepSeconds)) : dash();
    case HistoryModel::TokensPerSecond:
        return run.tokensPerSecond > 0 ? toQString(units::count(run.tokensPerSecond)) : dash();
    case HistoryModel::Bubble:
        return std::isnan(run.bubble) ? dash() : toQString(units::percent(run.bubble));
    case HistoryModel::PeakMemory:
        return run.peakBytes > 0 ? toQString(units::bytes(run.peakBytes)) : dash();
    case HistoryModel::Started:
        return startedText(run.startedUtc);
    default:
        return {};
    }
}

bool isNumber(int column)
{
    return column >= HistoryModel::Steps && column <= HistoryModel::PeakMemory;
}

/// What the column is called in RunQuery::orderBy; null where it cannot be sorted by.
const char* orderOf(int column)
{
    switch (column) {
    case HistoryModel::Loss:
        return "loss";
    case HistoryModel::StepTime:
        return "step_time";
    case HistoryModel::TokensPerSecond:
        return "tokens_per_second";
    case HistoryModel::Bubble:
        return "bubble";
    case HistoryModel::Started:
        return "started";
    default:
        return nullptr;
    }
}

QString toolTipOf(const RunSummary& run, int column)
{
    if (column == HistoryModel::State && !run.reason.empty())
        return toQString(run.reason);
    if (column == HistoryModel::Label || column == HistoryModel::Started)
        return QStringLiteral("%1\nstarted %2 (UTC)").arg(toQString(run.id), toQString(run.startedUtc));
    if (column == HistoryModel::LayoutColumn)
        return QStringLiteral("data × tensor × pipeline, %1").arg(counted(run.ranks, QStringLiteral("rank")));
    return {};
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

bool HistoryModel::isSortable(int column)
{
    return orderOf(column) != nullptr;
}

void HistoryModel::setText(const QString& text)
{
    const std::string wanted = text.trimmed().toStdString();
    if (wanted == m_query.text)
        return;
    m_query.text = wanted;
    reload();
}

void HistoryModel::sort(int column, Qt::SortOrder order)
{
    const char* by = orderOf(column);
    if (by == nullptr)
        return;
    m_query.orderBy = by;
    m_query.descending = order == Qt::DescendingOrder;
    reload();
}

void HistoryModel::reload()
{
    RunQuery query = m_query;
    query.offset = 0;
    query.limit = std::max(pageSize, int(m_runs.size()));
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
    m_total = page.total;
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
    return !parent.isValid() && !m_fetching && int(m_runs.size()) < m_total;
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
    m_total = page.total;
    if (page.runs.empty()) {
        // Rows have gone since the first page was counted.
        m_total = int(m_runs.size());
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
    case stateRole:
        return int(run->state);
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const char* const titles[] = {"State",    "Label",     "Model",      "Layout",
                                         "Schedule", "Steps",     "Loss",       "Step time",
                                         "Tokens / s", "Bubble",  "Peak memory", "Started"};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return QString::fromLatin1(titles[section]);
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return isSortable(section) ? QStringLiteral("Click to sort") : QString();
    return {};
}

} // namespace triaxis::ui

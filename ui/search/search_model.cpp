#include "ui/search/search_model.h"

#include "engine/core/units.h"
#include "engine/schedule/generators.h"
#include "ui/base/text.h"

#include <array>

namespace triaxis::ui
{

QString sizesText(const ParallelPlan& plan)
{
    QString text = QStringLiteral("%1 × %2 × %3").arg(plan.dp).arg(plan.tp).arg(plan.pp);
    if (plan.cp > 1)
        text += QStringLiteral(", context %1").arg(plan.cp);
    if (plan.ep > 1)
        text += QStringLiteral(", expert %1").arg(plan.ep);
    return text;
}

QString settingsText(const ParallelPlan& plan)
{
    QStringList parts;
    if (plan.zero != ZeroStage::None)
        parts << QStringLiteral("ZeRO ") + QLatin1String(toText(plan.zero));
    if (plan.recompute != Recompute::None)
        parts << QStringLiteral("%1 recompute").arg(QLatin1String(toText(plan.recompute)));
    if (plan.sequenceParallel)
        parts << QStringLiteral("sequence parallel");
    if (!plan.layersPerStage.empty())
        parts << QStringLiteral("uneven layers");
    return parts.join(QStringLiteral(", "));
}

SearchModel::SearchModel(QObject* parent) : QAbstractTableModel(parent) {}

void SearchModel::setRows(std::vector<SearchRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int SearchModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int SearchModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SearchModel::text(const SearchRow& row, int column) const
{
    const ParallelPlan& plan = row.priced.plan;
    switch (column) {
    case Mark:
        return row.thumb     ? QStringLiteral("rule of thumb")
               : row.onFront ? QStringLiteral("front")
                             : QString();
    case Sizes:
        return sizesText(plan);
    case Schedule:
        return plan.virtualStages > 1 ? QStringLiteral("%1, %2 chunks")
                                            .arg(toQString(scheduleTitle(plan.schedule)))
                                            .arg(plan.virtualStages)
                                      : toQString(scheduleTitle(plan.schedule));
    case Microbatch:
        return plan.microbatch;
    case Settings:
        return settingsText(plan);
    case StepTime:
        return toQString(units::seconds(row.priced.seconds));
    case Tokens:
        return toQString(units::count(row.tokensPerSecond));
    case Memory:
        return toQString(units::bytes(std::int64_t(row.priced.memory)));
    default:
        return {};
    }
}

QVariant SearchModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SearchRow& row = m_rows[std::size_t(index.row())];
    if (role == Qt::DisplayRole)
        return text(row, index.column());
    if (role == Qt::ToolTipRole)
        return text(row, index.column()).toString();
    if (role == Qt::TextAlignmentRole && index.column() >= StepTime)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant SearchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    static const std::array<const char*, ColumnCount> names{"",         "Data × tensor × pipeline",
                                                            "Schedule", "Microbatch",
                                                            "Settings", "Step",
                                                            "Tokens/s", "Memory"};
    return section >= 0 && section < ColumnCount
               ? QVariant(QString::fromUtf8(names[std::size_t(section)]))
               : QVariant();
}

} // namespace triaxis::ui

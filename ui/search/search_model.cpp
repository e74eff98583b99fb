#include "ui/search/search_model.h"

#include "engine/core/units.h"
#include "ui/base/count_text.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

#include <QFont>
#include <QGuiApplication>

#include <array>

namespace triaxis::ui
{
namespace
{

QString noteText(const SearchRow& row)
{
    QStringList parts;
    if (row.drawn)
        parts << Words::tr("this plan");
    if (row.thumb)
        parts << Words::tr("rule of thumb");
    if (row.onFront)
        parts << Words::tr("on the front");
    return parts.join(QStringLiteral(", "));
}

QString noteHint(const SearchRow& row)
{
    QStringList parts;
    if (row.drawn)
        parts << Words::tr("This plan: the layout as it is drawn now.");
    if (row.thumb)
        parts << Words::tr("Rule of thumb: the smallest tensor and pipeline sizes that fit, the "
                           "rest data parallel.");
    if (row.onFront)
        parts << Words::tr("On the front: no other layout is both faster and smaller.");
    return parts.join(QLatin1Char('\n'));
}

struct Heading
{
    const char* name;
    const char* hint;
};

constexpr std::array<Heading, SearchModel::ColumnCount> headings{{
    {QT_TRANSLATE_NOOP("Words", "Data × tensor × pipeline"),
     QT_TRANSLATE_NOOP("Words", "Sizes of the axes")},
    {QT_TRANSLATE_NOOP("Words", "Schedule"),
     QT_TRANSLATE_NOOP("Words", "Order of forwards and backwards in the pipeline")},
    {QT_TRANSLATE_NOOP("Words", "Microbatch"),
     QT_TRANSLATE_NOOP("Words", "Sequences a microbatch")},
    {QT_TRANSLATE_NOOP("Words", "Settings"),
     QT_TRANSLATE_NOOP("Words", "What else tells the layouts apart")},
    {QT_TRANSLATE_NOOP("Words", "Step"), QT_TRANSLATE_NOOP("Words", "Predicted time of a step")},
    {QT_TRANSLATE_NOOP("Words", "Against yours"),
     QT_TRANSLATE_NOOP("Words", "Step time against the plan as it is drawn")},
    {QT_TRANSLATE_NOOP("Words", "Memory"), QT_TRANSLATE_NOOP("Words", "Peak of the fullest rank")},
    {QT_TRANSLATE_NOOP("Words", "Note"),
     QT_TRANSLATE_NOOP(
         "Words",
         "This plan, the rule of thumb's answer, and the front: layouts of which none is both "
         "faster and smaller than another")},
}};

} // namespace

SearchModel::SearchModel(QObject* parent) : QAbstractTableModel(parent) {}

void SearchModel::setRows(std::vector<SearchRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int SearchModel::drawnRow() const
{
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (m_rows[row].drawn)
            return int(row);
    return -1;
}

void SearchModel::setDrawnRow(int row)
{
    if (m_rows.empty())
        return;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i].drawn = int(i) == row;
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
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
    case Sizes:
        return sizesText(plan);
    case Schedule:
        return scheduleText(plan);
    case Microbatch:
        return plan.microbatch;
    case Settings:
        return settingsText(plan);
    case StepTime:
        return spoken(units::seconds(row.priced.seconds));
    case Difference: {
        const int drawn = drawnRow();
        if (drawn < 0 || row.drawn)
            return {};
        return signedPercent(row.priced.seconds / m_rows[std::size_t(drawn)].priced.seconds - 1);
    }
    case Memory:
        return spoken(units::bytes(std::int64_t(row.priced.memory)));
    case Note:
        return noteText(row);
    default:
        return {};
    }
}

QString SearchModel::hint(const SearchRow& row, int column) const
{
    if (column == Note)
        return noteHint(row);
    if (column == StepTime)
        return tr("%1 tokens/s").arg(countText(row.tokensPerSecond));
    if (column != Settings || row.priced.plan.layersPerStage.empty())
        return text(row, column).toString();
    QStringList layers;
    for (const int count : row.priced.plan.layersPerStage)
        layers << QString::number(count);
    return tr("%1\nLayers by stage: %2")
        .arg(text(row, column).toString(), layers.join(QStringLiteral(", ")));
}

QVariant SearchModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SearchRow& row = m_rows[std::size_t(index.row())];
    if (role == Qt::DisplayRole)
        return text(row, index.column());
    if (role == Qt::ToolTipRole)
        return hint(row, index.column());
    if (role == Qt::FontRole && row.drawn) {
        QFont font = QGuiApplication::font();
        font.setWeight(QFont::DemiBold);
        return font;
    }
    const bool isFigure =
        index.column() == Microbatch || (index.column() >= StepTime && index.column() <= Memory);
    if (role == Qt::TextAlignmentRole && isFigure)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant SearchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= ColumnCount)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    const Heading& heading = headings[std::size_t(section)];
    if (role == Qt::DisplayRole)
        return Words::tr(heading.name);
    if (role == Qt::ToolTipRole)
        return Words::tr(heading.hint);
    if (role == Qt::TextAlignmentRole) {
        const bool isFigure = section == Microbatch || (section >= StepTime && section <= Memory);
        return int((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

} // namespace triaxis::ui

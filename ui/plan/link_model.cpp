#include "ui/plan/link_model.h"

#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

#include <cmath>

namespace triaxis::ui
{
namespace
{

/// A figure of a level in the unit in which people read it.
struct LinkFigure
{
    const char* header;
    const char* meaning;
    double LinkLevel::*field;
    double unit;
    double least;
    double most;
};

constexpr double anything = 1e9;
constexpr LinkFigure figures[] = {
    {QT_TRANSLATE_NOOP("Words", "GB/s"),
     QT_TRANSLATE_NOOP("Words", "Bandwidth of one device in one direction while all send"),
     &LinkLevel::bandwidth, 1e9, 1e-6, anything},
    {QT_TRANSLATE_NOOP("Words", "Latency µs"),
     QT_TRANSLATE_NOOP("Words", "From one device to another"), &LinkLevel::latency, 1e-6, 0,
     anything},
    {QT_TRANSLATE_NOOP("Words", "Start µs"),
     QT_TRANSLATE_NOOP("Words", "Of a collective before its first byte moves"), &LinkLevel::startup,
     1e-6, 0, anything},
    {QT_TRANSLATE_NOOP("Words", "Efficiency %"),
     QT_TRANSLATE_NOOP("Words", "Share of the bandwidth that very large collectives reach"),
     &LinkLevel::efficiency, 0.01, 1, 100},
    {QT_TRANSLATE_NOOP("Words", "Half size KiB"),
     QT_TRANSLATE_NOOP("Words", "Bytes of a collective that reaches half of that rate"),
     &LinkLevel::halfSize, 1024, 0, anything},
    {QT_TRANSLATE_NOOP("Words", "Copy GB/s"),
     QT_TRANSLATE_NOOP(
         "Words", "Rate at which an all-reduce passes its buffer through a device's own memory; 0: "
                  "free"),
     &LinkLevel::copyBandwidth, 1e9, 0, anything},
};

const LinkFigure* figureOf(int column)
{
    const int at = column - LinkModel::Bandwidth;
    return at >= 0 && at < int(std::size(figures)) ? &figures[at] : nullptr;
}

QVariant textOf(const LinkLevel& level, int column, int role)
{
    if (const LinkFigure* figure = figureOf(column)) {
        const double value = level.*(figure->field) / figure->unit;
        if (role == Qt::EditRole)
            return value;
        if (column == LinkModel::Copy && value == 0)
            return Words::tr("free");
        return numberLocale().toString(value, 'g', 6);
    }
    switch (column) {
    case LinkModel::Name:
        return toQString(level.name);
    case LinkModel::Span:
        if (role == Qt::DisplayRole && level.span == 0)
            return Words::tr("all");
        return level.span;
    case LinkModel::Sharing:
        return level.sharing;
    default:
        return {};
    }
}

} // namespace

LinkModel::LinkModel(std::vector<LinkLevel> levels, QObject* parent)
    : QAbstractTableModel(parent), m_levels(std::move(levels))
{
}

int LinkModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_levels.size());
}

int LinkModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LinkModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LinkLevel& level = m_levels[std::size_t(index.row())];
    if (role == Qt::CheckStateRole && index.column() == InNetwork)
        return level.reducesInNetwork ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        return textOf(level, index.column(), role);
    if (role == Qt::ToolTipRole || role == Qt::TextAlignmentRole)
        return headerData(index.column(), Qt::Horizontal, role);
    return {};
}

QVariant LinkModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (role == Qt::TextAlignmentRole)
        return int((section == Name || section == InNetwork ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool name = role == Qt::DisplayRole;
    if (const LinkFigure* figure = figureOf(section))
        return Words::tr(name ? figure->header : figure->meaning);
    switch (section) {
    case Name:
        return name ? tr("Link") : tr("What the link is called; the innermost first");
    case Span:
        return name ? tr("Devices") : tr("Devices that the level joins");
    case Sharing:
        return name ? tr("Share a port") : tr("Devices that share one port");
    case InNetwork:
        return name ? tr("Switch adds") : tr("The switch itself adds up all-reduces (NVLS, SHARP)");
    default:
        return {};
    }
}

Qt::ItemFlags LinkModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags base = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == InNetwork)
        return base | Qt::ItemIsUserCheckable;
    // The outermost level always joins all of the cluster, a node's level its devices.
    return index.column() == Span ? base : base | Qt::ItemIsEditable;
}

bool LinkModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    LinkLevel& level = m_levels[std::size_t(index.row())];
    if (index.column() == InNetwork && role == Qt::CheckStateRole) {
        level.reducesInNetwork = value.toInt() == Qt::Checked;
    } else if (role != Qt::EditRole) {
        return false;
    } else if (const LinkFigure* figure = figureOf(index.column())) {
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        if (!isNumber || !(number >= figure->least && number <= figure->most)) {
            emit refused(tr("%1: a number from %2 to %3.")
                             .arg(Words::tr(figure->header))
                             .arg(figure->least)
                             .arg(figure->most));
            return false;
        }
        level.*(figure->field) = number * figure->unit;
    } else if (index.column() == Name) {
        const QString name = value.toString().trimmed();
        if (name.isEmpty()) {
            emit refused(tr("A link needs a name."));
            return false;
        }
        level.name = name.toStdString();
    } else if (index.column() == Sharing) {
        const int sharing = value.toInt();
        if (sharing < 1 || sharing > 1024) {
            emit refused(tr("Share a port: 1 to 1024 devices."));
            return false;
        }
        level.sharing = sharing;
    } else {
        return false;
    }
    emit dataChanged(index, index);
    return true;
}

} // namespace triaxis::ui

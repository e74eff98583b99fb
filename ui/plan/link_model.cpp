#include "ui/plan/link_model.h"

#include "ui/base/text.h"

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
    {"GB/s", "Bandwidth of one device in one direction while all send", &LinkLevel::bandwidth, 1e9,
     1e-6, anything},
    {"Latency µs", "From one device to another", &LinkLevel::latency, 1e-6, 0, anything},
    {"Start µs", "Of a collective before its first byte moves", &LinkLevel::startup, 1e-6, 0,
     anything},
    {"Efficiency %", "Share of the bandwidth that very large collectives reach",
     &LinkLevel::efficiency, 0.01, 1, 100},
    {"Half size KiB", "Bytes of a collective that reaches half of that rate", &LinkLevel::halfSize,
     1024, 0, anything},
    {"Copy GB/s",
     "Rate at which an all-reduce passes its buffer through a device's own memory; 0: "
     "free",
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
            return QStringLiteral("free");
        return QString::number(value, 'g', 6);
    }
    switch (column) {
    case LinkModel::Name:
        return toQString(level.name);
    case LinkModel::Span:
        if (role == Qt::DisplayRole && level.span == 0)
            return QStringLiteral("all");
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
        return QString::fromUtf8(name ? figure->header : figure->meaning);
    switch (section) {
    case Name:
        return name ? QStringLiteral("Link")
                    : QStringLiteral("What the link is called; the innermost first");
    case Span:
        return name ? QStringLiteral("Devices") : QStringLiteral("Devices that the level joins");
    case Sharing:
        return name ? QStringLiteral("Share a port")
                    : QStringLiteral("Devices that share one port");
    case InNetwork:
        return name ? QStringLiteral("Switch adds")
                    : QStringLiteral("The switch itself adds up all-reduces (NVLS, SHARP)");
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
            emit refused(QStringLiteral("%1: a number from %2 to %3.")
                             .arg(QString::fromUtf8(figure->header))
                             .arg(figure->least)
                             .arg(figure->most));
            return false;
        }
        level.*(figure->field) = number * figure->unit;
    } else if (index.column() == Name) {
        const QString name = value.toString().trimmed();
        if (name.isEmpty()) {
            emit refused(QStringLiteral("A link needs a name."));
            return false;
        }
        level.name = name.toStdString();
    } else if (index.column() == Sharing) {
        const int sharing = value.toInt();
        if (sharing < 1 || sharing > 1024) {
            emit refused(QStringLiteral("Share a port: 1 to 1024 devices."));
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

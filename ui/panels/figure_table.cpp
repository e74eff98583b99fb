#include "ui/panels/figure_table.h"

#include "ui/report/save_part.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHash>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QWheelEvent>

#include <numeric>

namespace triaxis::ui
{
namespace
{

QColor colourOf(Tone tone)
{
    const Theme& theme = themeOf(QGuiApplication::palette());
    switch (tone) {
    case Tone::Plain:
        return theme.text;
    case Tone::Good:
        return theme.good;
    case Tone::Warning:
        return theme.warning;
    case Tone::Bad:
        return theme.danger;
    }
    return theme.text;
}

/// Names of rows and columns in the window's small type, in line with the cells; long ones are
/// elided.
class NameHeader : public QHeaderView
{
public:
    using QHeaderView::QHeaderView;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const Theme& theme = themeOf(QGuiApplication::palette());
        const bool rows = orientation() == Qt::Vertical;
        painter->save();
        painter->fillRect(rect, theme.panel);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1),
                          rows ? theme.track : theme.line);
        painter->setFont(fontOf(FontRole::Small));
        painter->setPen(theme.muted);
        const QRect inside = rect.adjusted(rows ? 0 : scaled(4), 0, -scaled(8), 0);
        const QString name = model()->headerData(section, orientation()).toString();
        painter->drawText(inside, (rows ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(name, Qt::ElideRight, inside.width()));
        painter->restore();
    }
};

/// Figures end where the names of their columns end, whatever the style leaves around cells.
class FigureDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyleOptionViewItem empty = option;
        initStyleOption(&empty, index);
        const QString text = empty.text;
        empty.text.clear();
        const QStyle* style = empty.widget ? empty.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &empty, painter, empty.widget);
        painter->save();
        painter->setFont(index.data(Qt::FontRole).value<QFont>());
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        painter->drawText(option.rect.adjusted(0, 0, -scaled(8), 0),
                          Qt::AlignRight | Qt::AlignVCenter, text);
        painter->restore();
    }
};

constexpr double narrowestName = 72;
constexpr double usualPadding = 24; ///< of a figure in its column, both sides
constexpr double leastPadding = 12;

} // namespace

void FigureTableModel::setTable(FigureTable table)
{
    if (table == m_table)
        return;
    const bool sameShape =
        table.rows.size() == m_table.rows.size() && table.columns.size() == m_table.columns.size();
    if (!sameShape) {
        beginResetModel();
        m_table = std::move(table);
        endResetModel();
        return;
    }
    m_table = std::move(table);
    if (rowCount() == 0 || columnCount() == 0)
        return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int FigureTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_table.rows.size());
}

int FigureTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_table.columns.size());
}

QVariant FigureTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount())
        return {};
    const FigureTable::Cell& cell =
        m_table.cells[std::size_t(index.row())][std::size_t(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.tip.isEmpty() ? QVariant() : QVariant(cell.tip);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2: %3")
            .arg(m_table.rows[std::size_t(index.row())].text,
                 m_table.columns[std::size_t(index.column())].text, cell.text);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return colourOf(cell.tone);
    case Qt::FontRole:
        return fontOf(cell.bold ? FontRole::SmallBold : FontRole::Small);
    default:
        return {};
    }
}

QVariant FigureTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const auto& names = orientation == Qt::Vertical ? m_table.rows : m_table.columns;
    if (section < 0 || std::size_t(section) >= names.size())
        return {};
    const FigureTable::Name& name = names[std::size_t(section)];
    if (role == Qt::DisplayRole)
        return name.text;
    if (role == Qt::ToolTipRole && !name.tip.isEmpty())
        return QString(name.text + QLatin1Char('\n') + name.tip);
    if (role == Qt::ToolTipRole)
        return name.text;
    if (role == Qt::TextAlignmentRole)
        return int((orientation == Qt::Vertical ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    return {};
}

FigureTableView::FigureTableView(const QString& name, const QString& accessibleName,
                                 QWidget* parent)
    : QTableView(parent), m_model(new FigureTableModel(this))
{
    setContextMenuPolicy(Qt::ActionsContextMenu);
    addAction(saveTableAction(this, name, [this] { return m_model; }));
    setObjectName(name);
    setAccessibleName(accessibleName);
    setHorizontalHeader(new NameHeader(Qt::Horizontal, this));
    setVerticalHeader(new NameHeader(Qt::Vertical, this));
    setModel(m_model);
    setItemDelegate(new FigureDelegate(this));
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setEditTriggers(NoEditTriggers);
    setSelectionMode(ContiguousSelection);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
        header->setHighlightSections(false);
        header->setSectionsClickable(false);
        header->setSectionResizeMode(QHeaderView::Fixed);
    }
    measure();
}

void FigureTableView::setTable(FigureTable table)
{
    if (table == m_model->table())
        return;
    m_model->setTable(std::move(table));
    measure();
}

/// Texts repeat along a row: runs that are compared have most of their settings in common.
void FigureTableView::measure()
{
    const QFontMetrics plain(fontOf(FontRole::Small));
    const QFontMetrics bold(fontOf(FontRole::SmallBold));
    const FigureTable& table = m_model->table();
    m_ownNames = 0;
    for (const FigureTable::Name& row : table.rows)
        m_ownNames = std::max(m_ownNames, plain.horizontalAdvance(row.text));
    m_widths.clear();
    for (const FigureTable::Name& column : table.columns)
        m_widths.push_back(plain.horizontalAdvance(column.text) + 1);
    QHash<QString, int> known;
    for (const auto& row : table.cells) {
        for (std::size_t column = 0; column < m_widths.size(); ++column) {
            const QString& text = row[column].text;
            auto width = known.constFind(text);
            if (width == known.constEnd())
                width = known.insert(text, bold.horizontalAdvance(text));
            m_widths[column] = std::max(m_widths[column], *width);
        }
    }
    fit();
}

void FigureTableView::setLeastNames(int pixels)
{
    if (pixels == m_leastNames)
        return;
    m_leastNames = pixels;
    fit();
}

void FigureTableView::fit()
{
    verticalHeader()->setDefaultSectionSize(scaled(24));
    verticalHeader()->setMinimumSectionSize(scaled(20));
    horizontalHeader()->setMinimumSectionSize(scaled(30));
    const int names = std::max(m_ownNames, m_leastNames);
    horizontalHeader()->setFixedHeight(scaled(26));
    std::vector<int> widths = m_widths;
    int all = std::accumulate(widths.begin(), widths.end(), 0);
    // Where it is narrow first the gaps go, then the names are elided: no figure is.
    const int gap = scaled(10);
    const int columns = std::max(1, int(widths.size()));
    const int room = width() - 2 * frameWidth();
    int nameWidth = std::min(names, scaled(m_widestName)) + gap;
    const int padding =
        std::clamp((room - nameWidth - all) / columns, scaled(leastPadding), scaled(usualPadding));
    all += columns * padding;
    if (nameWidth + all > room)
        nameWidth = std::max(std::min(names, scaled(narrowestName)) + gap, room - all);
    verticalHeader()->setFixedWidth(nameWidth);
    for (int& width : widths)
        width += padding;
    // What is left over is shared, so that figures stand under each other across the width.
    const int spare = room - nameWidth - all;
    const int each = spare > 0 && !widths.empty() ? spare / int(widths.size()) : 0;
    for (std::size_t column = 0; column < widths.size(); ++column)
        setColumnWidth(int(column), widths[column] + std::min(each, scaled(60)));
    updateGeometry();
}

void FigureTableView::setWidestName(double pixels)
{
    m_widestName = pixels;
    fit();
}

QSize FigureTableView::sizeHint() const
{
    const int rows = m_model->rowCount() * verticalHeader()->defaultSectionSize();
    const int header = scaled(26);
    const bool wide = horizontalHeader()->length() > viewport()->width();
    return {scaled(240),
            rows + header + (wide ? horizontalScrollBar()->sizeHint().height() : 0) + 2};
}

QSize FigureTableView::minimumSizeHint() const
{
    return {scaled(140), sizeHint().height()};
}

void FigureTableView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        measure();
}

void FigureTableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fit();
}

void FigureTableView::wheelEvent(QWheelEvent* event)
{
    // Rows are all visible; what is around the table scrolls.
    if (std::abs(event->angleDelta().x()) > std::abs(event->angleDelta().y()))
        QTableView::wheelEvent(event);
    else
        event->ignore();
}

void FigureTableView::keyPressEvent(QKeyEvent* event)
{
    if (!event->matches(QKeySequence::Copy)) {
        QTableView::keyPressEvent(event);
        return;
    }
    // The whole table, with its names, as other programs take it.
    const FigureTable& table = m_model->table();
    QString text;
    for (const FigureTable::Name& column : table.columns)
        text += QLatin1Char('\t') + column.text;
    text += QLatin1Char('\n');
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        text += table.rows[row].text;
        for (const FigureTable::Cell& cell : table.cells[row])
            text += QLatin1Char('\t') + cell.text;
        text += QLatin1Char('\n');
    }
    QGuiApplication::clipboard()->setText(text);
}

} // namespace triaxis::ui

#include "ui/history/history_table.h"

#include "engine/record/run_state.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/history/run_delegates.h"
#include "ui/models/history_model.h"
#include "ui/models/state_delegate.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QSettings>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

const QString columnsSetting = QStringLiteral("history/columns");
const QString columnsScaleSetting = QStringLiteral("history/columnsTextScale");
const QString languageSetting = QStringLiteral("history/columnLanguage");
const QString sortSetting = QStringLiteral("history/sortColumn");
const QString orderSetting = QStringLiteral("history/sortDescending");

/// Pixels at a text size of 100 %, by HistoryModel::Column.
constexpr int leastLabel = 100; ///< pixels at a text size of 100 %
constexpr int widths[] = {36, 88, 150, 92, 78, 80, 56, 64, 80, 82, 72, 92, 74, 80, 126, 126};

/// What is easier to read from the large end.
bool beginsDescending(int column)
{
    return column == HistoryModel::Star || column >= HistoryModel::Steps;
}

} // namespace

HistoryTable::HistoryTable(HistoryModel& model, QWidget* parent)
    : QTableView(parent), m_model(model)
{
    setObjectName(QStringLiteral("historyTable"));
    setAccessibleName(tr("Stored runs"));
    setModel(&model);
    setItemDelegateForColumn(HistoryModel::Star, new StarDelegate(this));
    setItemDelegateForColumn(HistoryModel::State, new StateDelegate(this));
    setItemDelegateForColumn(HistoryModel::Label, new LabelDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setMouseTracking(true);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    viewport()->setAutoFillBackground(false);
    configureHeader();
    connect(this, &QTableView::activated, this, &HistoryTable::openRequested);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &HistoryTable::remember);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &HistoryTable::remember);
    connect(&model, &HistoryModel::loaded, this, &HistoryTable::reselect);
}

/// Of a column: room for its title with the mark of its order, and for every state.
int HistoryTable::widthOf(int column) const
{
    const QFontMetrics title(horizontalHeader()->font());
    int least = title.horizontalAdvance(
                    m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) +
                scaled(20);
    if (column == HistoryModel::State)
        for (const RunState state : {RunState::Finished, RunState::Failed, RunState::Stopped})
            least = std::max(least,
                             fontMetrics().horizontalAdvance(spoken(toText(state))) + scaled(38));
    return column == HistoryModel::Star ? scaled(widths[column])
                                        : std::max(int(scaled(widths[column])), int(least));
}

void HistoryTable::configureHeader()
{
    QHeaderView* header = horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(true);
    header->setSectionsMovable(true);
    header->setStretchLastSection(false);
    header->setAccessibleName(tr("Columns of the stored runs"));
    followTextSize(this, [this, header] {
        verticalHeader()->setDefaultSectionSize(scaled(34));
        header->setMinimumSectionSize(scaled(34));
        for (int column = 0; column < HistoryModel::ColumnCount; ++column)
            header->resizeSection(column, widthOf(column));
    });
    header->setSectionResizeMode(HistoryModel::Star, QHeaderView::Fixed);
    header->setSectionResizeMode(HistoryModel::Label, QHeaderView::Fixed);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sectionResized, this, [this](int column) {
        if (column != HistoryModel::Label)
            fitLabel();
    });
    setColumnHidden(HistoryModel::Kind, true);
    setColumnHidden(HistoryModel::Deleted, true);
    header->setSortIndicatorShown(true);
    restoreColumns();
    connect(header, &QHeaderView::sectionClicked, this, [this, header](int column) {
        const RunQuery& query = m_model.query();
        const bool same = header->property("sorted").toInt() == column;
        const bool descending = same ? !query.descending : beginsDescending(column);
        sortBy(column, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    });
    connect(header, &QHeaderView::customContextMenuRequested, this, &HistoryTable::showColumnMenu);
}

/// Labels take what the other columns leave, but can always be read: then the table scrolls.
void HistoryTable::fitLabel()
{
    QHeaderView* header = horizontalHeader();
    const int others = header->length() - header->sectionSize(HistoryModel::Label);
    const int least = scaled(leastLabel);
    header->resizeSection(HistoryModel::Label, std::max(least, viewport()->width() - others));
}

void HistoryTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitLabel();
}

void HistoryTable::sortBy(int column, Qt::SortOrder order)
{
    horizontalHeader()->setProperty("sorted", column);
    horizontalHeader()->setSortIndicator(column, order);
    m_model.sort(column, order);
}

void HistoryTable::restoreColumns()
{
    const QSettings settings;
    QHeaderView* header = horizontalHeader();
    const QByteArray state = settings.value(columnsSetting).toByteArray();
    // That of a version with other columns is not taken, nor the widths of another language.
    const bool fits = settings.value(QStringLiteral("history/columnCount")).toInt() ==
                          int(HistoryModel::ColumnCount) &&
                      settings.value(languageSetting, QStringLiteral("en")) == windowLanguage();
    const bool restored = !state.isEmpty() && fits && header->restoreState(state);
    // Widths that were chosen at another text size stay as wide in letters.
    const double scale = settings.value(columnsScaleSetting, 1.0).toDouble();
    const double ratio = scale > 0 ? fontScale() / scale : 1;
    if (restored && std::abs(ratio - 1) > 0.01)
        for (int column = 0; column < HistoryModel::ColumnCount; ++column)
            if (column != HistoryModel::Label)
                header->resizeSection(column, header->isSectionHidden(column)
                                                  ? widthOf(column)
                                                  : int(header->sectionSize(column) * ratio));
    header->setSectionResizeMode(HistoryModel::Star, QHeaderView::Fixed);
    header->setSectionResizeMode(HistoryModel::Label, QHeaderView::Fixed);
    header->setSortIndicatorShown(true);
    setColumnHidden(HistoryModel::Label, false);
    setColumnHidden(HistoryModel::Deleted, true);
    fitLabel();
    const int column = settings.value(sortSetting, int(HistoryModel::Started)).toInt();
    const bool known = column >= 0 && column < HistoryModel::Deleted;
    sortBy(known ? column : int(HistoryModel::Started),
           settings.value(orderSetting, true).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void HistoryTable::saveColumns() const
{
    if (m_trash)
        return;
    QSettings settings;
    settings.setValue(columnsSetting, horizontalHeader()->saveState());
    settings.setValue(columnsScaleSetting, fontScale());
    settings.setValue(QStringLiteral("history/columnCount"), int(HistoryModel::ColumnCount));
    settings.setValue(languageSetting, windowLanguage());
    settings.setValue(sortSetting, horizontalHeader()->property("sorted").toInt());
    settings.setValue(orderSetting, m_model.query().descending);
}

void HistoryTable::setTrash(bool trash)
{
    if (m_trash == trash)
        return;
    saveColumns();
    m_trash = trash;
    setColumnHidden(HistoryModel::Deleted, !trash);
    setColumnHidden(HistoryModel::Star, trash);
    if (trash)
        sortBy(HistoryModel::Deleted, Qt::DescendingOrder);
    else
        restoreColumns();
}

void HistoryTable::showColumnMenu(const QPoint& at)
{
    QMenu menu(this);
    for (int column = 0; column < HistoryModel::ColumnCount; ++column) {
        if (column == HistoryModel::Label || column == HistoryModel::Deleted)
            continue;
        const QString title =
            column == HistoryModel::Star
                ? tr("Star")
                : m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        QAction* action = menu.addAction(title);
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        connect(action, &QAction::toggled, this,
                [this, column](bool shown) { setColumnHidden(column, !shown); });
    }
    menu.exec(horizontalHeader()->mapToGlobal(at));
}

std::vector<RunSummary> HistoryTable::selectedRuns() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    std::vector<RunSummary> runs;
    for (const QModelIndex& index : rows)
        if (const RunSummary* run = m_model.runAt(index.row()))
            runs.push_back(*run);
    return runs;
}

const RunSummary* HistoryTable::currentRun() const
{
    return m_model.runAt(currentIndex().row());
}

void HistoryTable::select(const QString& id)
{
    m_selected = {id};
    m_current = id;
    if (m_model.rowOf(id) >= 0) // else once it has been read
        reselect();
}

void HistoryTable::remember()
{
    if (m_reselecting)
        return;
    m_selected.clear();
    for (const QModelIndex& index : selectionModel()->selectedRows())
        if (const RunSummary* run = m_model.runAt(index.row()))
            m_selected.insert(toQString(run->id));
    if (const RunSummary* run = currentRun()) {
        m_current = toQString(run->id);
        m_currentRow = currentIndex().row();
    }
    emit selectionMoved();
}

void HistoryTable::reselect()
{
    QItemSelection wanted;
    int current = -1;
    const int last = HistoryModel::ColumnCount - 1;
    const std::vector<RunSummary>& runs = m_model.loadedRuns();
    for (int row = 0; row < int(runs.size()); ++row) {
        const QString id = toQString(runs[std::size_t(row)].id);
        if (m_selected.contains(id))
            wanted.select(m_model.index(row, 0), m_model.index(row, last));
        if (id == m_current)
            current = row;
    }
    const bool gone = wanted.isEmpty() && !runs.empty();
    if (gone) {
        // The row that stands where the last one did.
        current = std::clamp(m_currentRow, 0, int(runs.size()) - 1);
        wanted.select(m_model.index(current, 0), m_model.index(current, last));
    }
    if (current < 0 && !wanted.isEmpty())
        current = wanted.first().top();
    const QModelIndexList before = selectionModel()->selectedRows();
    const bool same =
        currentIndex().row() == current && !gone && before.size() == m_selected.size();
    if (!same) {
        m_reselecting = true;
        if (current >= 0)
            selectionModel()->setCurrentIndex(m_model.index(current, HistoryModel::Label),
                                              QItemSelectionModel::NoUpdate);
        selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect);
        m_reselecting = false;
    }
    remember();
}

bool HistoryTable::isOverStar(const QPoint& at) const
{
    const QModelIndex index = indexAt(at);
    return index.isValid() && index.column() == HistoryModel::Star;
}

void HistoryTable::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier &&
        isOverStar(event->pos())) {
        if (const RunSummary* run = m_model.runAt(indexAt(event->pos()).row()))
            emit starRequested(toQString(run->id));
        return; // the selection stays as it is
    }
    QTableView::mousePressEvent(event);
}

void HistoryTable::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (isOverStar(event->pos()))
        mousePressEvent(event);
    else
        QTableView::mouseDoubleClickEvent(event);
}

void HistoryTable::mouseMoveEvent(QMouseEvent* event)
{
    viewport()->setCursor(isOverStar(event->pos()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (event->buttons() != Qt::NoButton && isOverStar(event->pos()) && state() == NoState)
        return;
    QTableView::mouseMoveEvent(event);
}

void HistoryTable::keyPressEvent(QKeyEvent* event)
{
    const bool open = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (open && event->modifiers() == Qt::NoModifier) {
        emit openRequested();
        return;
    }
    QTableView::keyPressEvent(event);
}

void HistoryTable::contextMenuEvent(QContextMenuEvent* event)
{
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        const QRect row = visualRect(m_model.index(currentIndex().row(), HistoryModel::Label));
        at = viewport()->mapToGlobal(row.bottomLeft());
    }
    emit menuRequested(at);
    event->accept();
}

} // namespace triaxis::ui

#pragma once

#include "storage/run_summary.h"

#include <QSet>
#include <QTableView>

namespace triaxis::ui
{

class HistoryModel;

/// The stored runs as rows. Keeps its selection over new answers of the database, and its columns
/// over windows.
class HistoryTable : public QTableView
{
    Q_OBJECT
public:
    explicit HistoryTable(HistoryModel& model, QWidget* parent = nullptr);

    /// In the order of the table.
    std::vector<RunSummary> selectedRuns() const;
    /// The row that has the focus; null for none.
    const RunSummary* currentRun() const;
    void select(const QString& id);
    /// Those of the trash are sorted by when they were deleted, and show it.
    void setTrash(bool trash);
    /// Widths, order, which are hidden, and what is sorted by.
    void saveColumns() const;

signals:
    void selectionMoved();
    void openRequested();
    void starRequested(const QString& id);
    void menuRequested(const QPoint& global);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int widthOf(int column) const;
    void configureHeader();
    void restoreColumns();
    void fitLabel();
    void showColumnMenu(const QPoint& at);
    void sortBy(int column, Qt::SortOrder order);
    void remember();
    /// After the rows have been read anew.
    void reselect();
    bool isOverStar(const QPoint& at) const;

    HistoryModel& m_model;
    QSet<QString> m_selected;
    QString m_current;
    int m_currentRow = 0;
    bool m_reselecting = false;
    bool m_trash = false;
};

} // namespace triaxis::ui

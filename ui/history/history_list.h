#pragma once

#include "ui/history/run_choice.h"

#include <QTimer>
#include <QWidget>

class QPushButton;
class QSplitter;
class QStackedWidget;

namespace triaxis::ui
{

class EmptyState;
class FilterBar;
class HistoryModel;
class HistoryService;
class HistoryTable;
class RunDetails;

/// The stored runs, or those in the trash, with what narrows them and what is noted with them. What
/// is shown and how is kept over windows.
class HistoryList : public QWidget
{
    Q_OBJECT
public:
    explicit HistoryList(HistoryService& service, QWidget* parent = nullptr);
    ~HistoryList() override;

    HistoryModel* model() const { return m_model; }
    HistoryTable* table() const { return m_table; }
    FilterBar* filters() const { return m_filters; }
    RunDetails* details() const { return m_details; }

    void reload();
    bool isTrash() const { return m_trash; }
    void setTrash(bool trash);
    bool areDetailsShown() const;
    void showDetails(bool shown);
    /// Words or filters are set.
    bool isNarrowed() const;
    void clearFilters();
    void setStarredOnly(bool only);
    /// All runs, and those in the trash, whatever is filtered.
    const StorageUse& storage() const { return m_storage; }
    /// "12 of 1,234 runs · 310 MiB".
    QString totalsLine() const;
    void saveState() const;

signals:
    /// Selection, rows, filters or totals are other ones.
    void changed();
    void planRequested();
    void importRequested();
    void leaveTrashRequested();

private:
    void build();
    void buildEmpty();
    void restoreState();
    void takeChoice();
    void askFacets();
    void refresh();
    void refreshEmpty();
    void showEmpty(bool empty);

    HistoryService& m_service;
    HistoryModel* m_model;
    FilterBar* m_filters;
    HistoryTable* m_table;
    RunDetails* m_details;
    QWidget* m_detailsPanel = nullptr;
    QSplitter* m_splitter = nullptr;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QPushButton* m_toPlan = nullptr;
    QPushButton* m_toImport = nullptr;
    QPushButton* m_toAll = nullptr;
    QPushButton* m_toRuns = nullptr;
    StorageUse m_storage;
    RunChoice m_outside; ///< of the trash, while that is shown
    QTimer m_facetsDelay;
    int m_facetsRequest = 0;
    bool m_trash = false;
};

} // namespace triaxis::ui

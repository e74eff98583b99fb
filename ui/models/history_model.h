#pragma once

#include "ui/models/history_service.h"

#include <QAbstractTableModel>

namespace triaxis::ui
{

/// Table of stored runs. Rows come in pages as the view asks for them; searching and sorting happen in SQL.
class HistoryModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        State,
        Label,
        Model,
        LayoutColumn,
        Schedule,
        Steps,
        Loss,
        StepTime,
        TokensPerSecond,
        Bubble,
        PeakMemory,
        Started,
        ColumnCount
    };
    /// RunState as int, for the delegate that paints the mark of a state.
    static constexpr int stateRole = Qt::UserRole + 1;
    static constexpr int pageSize = 100;

    explicit HistoryModel(HistoryService& service, QObject* parent = nullptr);

    void setText(const QString& text);
    /// Asks for the rows shown so far again, and at least for the first page. Where the same runs come
    /// back only their figures change.
    void reload();
    const RunSummary* runAt(int row) const;
    int rowOf(const QString& id) const;
    int total() const { return m_total; }
    bool isLoaded() const { return m_loaded; }
    static bool isSortable(int column);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    /// Rows of a new query, or more of them, have come.
    void loaded();

private:
    void takeFirst(const HistoryService::Page& page);
    void takeMore(const HistoryService::Page& page);

    HistoryService& m_service;
    RunQuery m_query;
    std::vector<RunSummary> m_runs;
    int m_total = 0;
    int m_request = 0;      ///< answers to older questions are dropped
    bool m_fetching = false;
    bool m_loaded = false;
};

} // namespace triaxis::ui

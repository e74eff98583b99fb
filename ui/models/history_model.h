#pragma once

#include "ui/models/history_service.h"

#include <QAbstractTableModel>

namespace triaxis::ui
{

/// Table of stored runs. Rows come in pages as the view asks for them; searching, filtering and
/// sorting happen in SQL.
class HistoryModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Star,
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
        Size,
        Kind,
        Started,
        Deleted,
        ColumnCount
    };
    /// RunState as int, for the delegate that paints the mark of a state.
    static constexpr int stateRole = Qt::UserRole + 1;
    static constexpr int tagsRole = Qt::UserRole + 2;    ///< of the label's column: QStringList
    static constexpr int starredRole = Qt::UserRole + 3; ///< bool
    static constexpr int pageSize = 100;

    explicit HistoryModel(HistoryService& service, QObject* parent = nullptr);

    /// Which runs; page and order of the query do not matter. Loaded() follows, also where they are
    /// the same.
    void setQuery(const RunQuery& query);
    const RunQuery& query() const { return m_query; }
    /// The words that are searched for, beside the other filters.
    void setText(const QString& text);
    /// Asks for the rows shown so far again, and at least for the first page. Where the same runs
    /// come back only their figures change.
    void reload();
    /// New figures or notes of runs that may be shown.
    void replace(const std::vector<RunSummary>& runs);
    const RunSummary* runAt(int row) const;
    const std::vector<RunSummary>& loadedRuns() const { return m_runs; }
    int rowOf(const QString& id) const;
    int total() const { return m_totals.runs; }
    const RunTotals& totals() const { return m_totals; }
    bool isLoaded() const { return m_loaded; }

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
    void ask(int rows);
    void takeFirst(const HistoryService::Page& page);
    void takeMore(const HistoryService::Page& page);

    HistoryService& m_service;
    RunQuery m_query;
    std::vector<RunSummary> m_runs;
    RunTotals m_totals;
    int m_request = 0; ///< answers to older questions are dropped
    bool m_fetching = false;
    bool m_loaded = false;
};

} // namespace triaxis::ui

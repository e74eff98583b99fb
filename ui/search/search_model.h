#pragma once

#include "engine/search/plan_search.h"

#include <QAbstractTableModel>

#include <vector>

namespace triaxis::ui
{

/// A layout that a search has found.
struct SearchRow
{
    PricedPlan priced;
    double tokensPerSecond = 0;
    bool onFront = false; ///< none is both faster and smaller
    bool thumb = false;   ///< the rule of thumb's answer
};

/// Layouts of a search, a row each.
class SearchModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Mark,
        Sizes,
        Schedule,
        Microbatch,
        Settings,
        StepTime,
        Tokens,
        Memory,
        ColumnCount
    };

    explicit SearchModel(QObject* parent = nullptr);

    void setRows(std::vector<SearchRow> rows);
    const std::vector<SearchRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant text(const SearchRow& row, int column) const;

    std::vector<SearchRow> m_rows;
};

/// "128 × 8 × 16, context 2": what tells layouts apart.
QString sizesText(const ParallelPlan& plan);
/// "ZeRO 1, full recompute, sequence parallel".
QString settingsText(const ParallelPlan& plan);

} // namespace triaxis::ui

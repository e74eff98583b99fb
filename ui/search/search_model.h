#pragma once

#include "ui/search/search_rows.h"

#include <QAbstractTableModel>

#include <vector>

namespace triaxis::ui
{

/// Layouts of a search, a row each, beside the plan that is drawn.
class SearchModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Sizes,
        Schedule,
        Microbatch,
        Settings,
        StepTime,
        Difference, ///< of the step time from the plan that is drawn
        Memory,
        Note,
        ColumnCount
    };

    explicit SearchModel(QObject* parent = nullptr);

    void setRows(std::vector<SearchRow> rows);
    const std::vector<SearchRow>& rows() const { return m_rows; }
    /// The row of the plan that is drawn; −1: none.
    int drawnRow() const;
    void setDrawnRow(int row);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant text(const SearchRow& row, int column) const;
    QString hint(const SearchRow& row, int column) const;

    std::vector<SearchRow> m_rows;
};

} // namespace triaxis::ui

#pragma once

#include "engine/cluster/cluster.h"

#include <QAbstractTableModel>

#include <vector>

namespace triaxis::ui
{

/// The levels of a network as a table, a row each, every figure editable.
class LinkModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Name,
        Span,
        Bandwidth,
        Latency,
        Startup,
        Efficiency,
        HalfSize,
        Copy,
        Sharing,
        InNetwork,
        ColumnCount
    };

    explicit LinkModel(std::vector<LinkLevel> levels, QObject* parent = nullptr);

    const std::vector<LinkLevel>& levels() const { return m_levels; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// False, and nothing changed, for what is no such figure.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    /// What was typed is no such figure; `why` says what would be.
    void refused(const QString& why);

private:
    std::vector<LinkLevel> m_levels;
};

} // namespace triaxis::ui

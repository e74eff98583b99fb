#pragma once

#include <QStyledItemDelegate>

namespace triaxis::ui
{

/// Paints the state of a run with a mark in its colour.
class StateDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace triaxis::ui

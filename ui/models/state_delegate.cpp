#include "ui/models/state_delegate.h"

#include "engine/record/run_state.h"
#include "ui/models/history_model.h"
#include "ui/theme/theme.h"

#include <QGuiApplication>
#include <QPainter>

namespace triaxis::ui
{
namespace
{

constexpr double markRadius = 3.5;

QColor colourOf(RunState state, const Theme& theme)
{
    switch (state) {
    case RunState::Draft:
        return theme.faint;
    case RunState::Starting:
    case RunState::Running:
    case RunState::Stopping:
        return theme.accent;
    case RunState::Finished:
        return theme.good;
    case RunState::Failed:
        return theme.danger;
    case RunState::Stopped:
        return theme.warning;
    }
    return theme.faint;
}

} // namespace

void StateDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    // An empty icon makes the style leave room for the mark.
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(int(2 * markRadius) + 2, 1);
}

void StateDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const Theme& theme = themeOf(QGuiApplication::palette());
    const auto state = RunState(index.data(HistoryModel::stateRole).toInt());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colourOf(state, theme));
    painter->drawEllipse(QPointF(option.rect.left() + 14, option.rect.center().y() + 0.5), markRadius,
                         markRadius);
    painter->restore();
}

} // namespace triaxis::ui

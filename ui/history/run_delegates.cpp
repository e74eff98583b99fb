#include "ui/history/run_delegates.h"

#include "ui/models/history_model.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <QtMath>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

QPainterPath starAt(const QPointF& centre, double radius)
{
    constexpr double inner = 0.42;
    QPainterPath path;
    for (int i = 0; i < 10; ++i) {
        const double angle = M_PI * i / 5 - M_PI / 2;
        const double reach = i % 2 == 0 ? radius : radius * inner;
        const QPointF at = centre + QPointF(std::cos(angle), std::sin(angle)) * reach;
        i == 0 ? path.moveTo(at) : path.lineTo(at);
    }
    path.closeSubpath();
    return path;
}

constexpr int edge = 8; ///< of a cell, as in the style sheet
constexpr int gap = 8;  ///< between label and tags

} // namespace

void StarDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->text.clear();
}

void StarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const Theme& theme = themeOf(QGuiApplication::palette());
    const bool starred = index.data(HistoryModel::starredRole).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(starred ? theme.warning : mixed(theme.panel, theme.faint, 0.7), 1.1));
    painter->setBrush(starred ? QBrush(theme.warning) : QBrush(Qt::NoBrush));
    painter->drawPath(starAt(QRectF(option.rect).center() + QPointF(0, 0.5), scaled(6)));
    painter->restore();
}

void LabelDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    const QStringList tags = index.data(HistoryModel::tagsRole).toStringList();
    if (tags.isEmpty()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem whole = option;
    initStyleOption(&whole, index);
    const QString label = std::exchange(whole.text, QString());
    const QWidget* widget = option.widget;
    QStyle* style = widget ? widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &whole, painter, widget);
    const Theme& theme = themeOf(QGuiApplication::palette());
    // As far in as the style puts the text of cells without tags.
    const int inset = edge + style->pixelMetric(QStyle::PM_FocusFrameHMargin, &whole, widget) + 1;
    const QRect room = option.rect.adjusted(inset, 0, -edge, 0);
    const QFontMetrics metrics(option.font);
    const QFont small = fontOf(FontRole::Small);
    const QFontMetrics smallMetrics(small);
    const QString behind = QLatin1Char('#') + tags.join(QStringLiteral(" #"));
    // Half of a narrow cell stays for the label.
    const int wanted = smallMetrics.horizontalAdvance(behind);
    const int labelWidth = metrics.horizontalAdvance(label) + 1; // fractions are cut off
    const int forLabel =
        std::min(labelWidth, std::max(room.width() - wanted - gap, room.width() / 2));
    painter->save();
    painter->setPen(theme.text);
    painter->setFont(option.font);
    painter->drawText(QRect(room.left(), room.top(), forLabel, room.height()),
                      Qt::AlignVCenter | Qt::AlignLeft,
                      metrics.elidedText(label, Qt::ElideRight, forLabel));
    const int left = room.left() + forLabel + gap;
    const int rest = room.right() - left;
    if (rest > smallMetrics.averageCharWidth() * 3) {
        painter->setPen(theme.accent);
        painter->setFont(small);
        painter->drawText(QRect(left, room.top(), rest, room.height()),
                          Qt::AlignVCenter | Qt::AlignLeft,
                          smallMetrics.elidedText(behind, Qt::ElideRight, rest));
    }
    painter->restore();
}

} // namespace triaxis::ui

#include "ui/widgets/figure_strip.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"

#include <QEvent>
#include <QHelpEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

QColor colourOf(Tone tone, const Theme& theme)
{
    switch (tone) {
    case Tone::Plain:
        return theme.muted;
    case Tone::Good:
        return theme.good;
    case Tone::Warning:
        return theme.warning;
    case Tone::Bad:
        return theme.danger;
    }
    return theme.muted;
}

/// The longest of its texts that fits, else the last with its end cut off.
QString fitting(const QStringList& texts, const QFontMetrics& metrics, int room)
{
    for (const QString& text : texts)
        if (metrics.horizontalAdvance(text) <= room)
            return text;
    return metrics.elidedText(texts.last(), Qt::ElideRight, room);
}

void paintFigure(QPainter& painter, const QRectF& cell, const Figure& figure, const Theme& theme)
{
    const auto line = [&](FontRole role, QPointF at, const QStringList& texts,
                          const QColor& colour) {
        painter.setFont(fontOf(role));
        painter.setPen(colour);
        const int room = int(cell.right() - at.x());
        return drawTabular(painter, at, fitting(texts, painter.fontMetrics(), room));
    };
    const auto below = [&](double baseline) {
        return QPointF(cell.left(), cell.top() + scaled(baseline));
    };
    line(FontRole::Small, below(22), {figure.name}, theme.muted);
    const double width = line(FontRole::Figure, below(44), {figure.value}, theme.text);
    QStringList meanings{figure.meaning};
    if (!figure.brief.isEmpty())
        meanings << figure.brief;
    line(FontRole::Small, below(61), meanings, colourOf(figure.tone, theme));
    if (!figure.error.isEmpty())
        line(FontRole::Small, below(44) + QPointF(width + scaled(6), 0), {figure.error, {}},
             theme.muted);
}

} // namespace

FigureStrip::FigureStrip(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("figures"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FigureStrip::setFigures(std::vector<Figure> figures)
{
    if (figures == m_figures)
        return;
    m_figures = std::move(figures);
    QStringList told;
    for (const Figure& figure : m_figures) {
        const QString value = QStringList{figure.value, figure.error}.join(QLatin1Char(' '));
        told << QStringLiteral("%1: %2, %3").arg(figure.name, value.trimmed(), figure.meaning);
    }
    setAccessibleName(told.join(QStringLiteral("; ")));
    update();
}

QSize FigureStrip::sizeHint() const
{
    return {900, scaled(72)};
}

QSize FigureStrip::minimumSizeHint() const
{
    return {420, scaled(72)};
}

QRectF FigureStrip::cell(std::size_t index) const
{
    const double left = 18;
    double before = 0;
    double all = 0;
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        before += i < index ? m_figures[i].weight : 0;
        all += m_figures[i].weight;
    }
    const double unit = (width() - left) / std::max(all, 1e-9);
    return {left + unit * before, 0, unit * m_figures[index].weight - 14, double(height())};
}

bool FigureStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        if (!cell(i).contains(help->pos()))
            continue;
        const Figure& figure = m_figures[i];
        // All of it: large text leaves no room for some names and meanings.
        QStringList lines{figure.name, figure.meaning, figure.explanation};
        lines.removeAll(QString());
        QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this,
                           cell(i).toRect());
        return true;
    }
    QToolTip::hideText();
    return true;
}

void FigureStrip::paintEvent(QPaintEvent* event)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    paintCard(painter, rect(), event->rect(), theme);
    for (std::size_t i = 0; i < m_figures.size(); ++i)
        paintFigure(painter, cell(i), m_figures[i], theme);
}

} // namespace triaxis::ui

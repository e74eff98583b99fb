#include "ui/widgets/figure_strip.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

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

void paintFigure(QPainter& painter, const QRectF& cell, const Figure& figure, const Theme& theme)
{
    const auto line = [&](FontRole role, double baseline, const QString& text,
                          const QColor& colour) {
        painter.setFont(fontOf(role));
        painter.setPen(colour);
        const QString fitting =
            painter.fontMetrics().elidedText(text, Qt::ElideRight, int(cell.width()));
        drawTabular(painter, QPointF(cell.left(), cell.top() + scaled(baseline)), fitting);
    };
    line(FontRole::Small, 22, figure.name, theme.muted);
    line(FontRole::Figure, 44, figure.value, theme.text);
    line(FontRole::Small, 61, figure.meaning, colourOf(figure.tone, theme));
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
    QStringList spoken;
    for (const Figure& figure : m_figures)
        spoken << QStringLiteral("%1: %2, %3").arg(figure.name, figure.value, figure.meaning);
    setAccessibleName(spoken.join(QStringLiteral("; ")));
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
    const double each = (width() - left) / double(m_figures.size());
    return {left + each * double(index), 0, each - 14, double(height())};
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
        QString text = figure.meaning;
        if (!figure.explanation.isEmpty())
            text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + figure.explanation;
        QToolTip::showText(help->globalPos(), text, this, cell(i).toRect());
        return true;
    }
    QToolTip::hideText();
    return true;
}

void FigureStrip::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    for (std::size_t i = 0; i < m_figures.size(); ++i)
        paintFigure(painter, cell(i), m_figures[i], theme);
}

} // namespace triaxis::ui

#include "ui/widgets/axis_chip.h"

#include "ui/base/widget_keys.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/base/words.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int largest = 9999;

QString nameOf(Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return Words::tr("Data");
    case Axis::Tensor:
        return Words::tr("Tensor");
    case Axis::Pipeline:
        return Words::tr("Pipeline");
    }
    return {};
}

/// What travels on the axis, from long to short.
QStringList trafficOf(Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return {Words::tr("gradients, once a step"), Words::tr("gradients")};
    case Axis::Tensor:
        return {Words::tr("sums in every layer"), Words::tr("sums")};
    case Axis::Pipeline:
        return {Words::tr("activations to the next"), Words::tr("activations")};
    }
    return {};
}

QColor colourOf(Axis axis, const Theme& theme)
{
    switch (axis) {
    case Axis::Data:
        return theme.data;
    case Axis::Tensor:
        return theme.tensor;
    case Axis::Pipeline:
        return theme.pipeline;
    }
    return theme.accent;
}

} // namespace

AxisChip::AxisChip(Axis axis, QWidget* parent) : QWidget(parent), m_axis(axis)
{
    setFocusPolicy(Qt::StrongFocus);
    setKeySection(this, QStringLiteral("Plan: form"));
    setWidgetKeys(this,
                  {{{QStringLiteral("Up"), QStringLiteral("Down"), QStringLiteral("+"), QStringLiteral("-")}, tr("Size of the focused axis")},
                   {{QStringLiteral("PgUp"), QStringLiteral("PgDown")}, tr("Double or halve it")},
                   {{QStringLiteral("Home")}, tr("Back to 1")},
                   {{QStringLiteral("0 … 9")}, tr("Type it"), true}});
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describe();
}

void AxisChip::setValue(int value)
{
    if (value == m_value)
        return;
    m_value = value;
    describe();
    update();
}

void AxisChip::setProblem(const QString& problem)
{
    if (problem == m_problem)
        return;
    m_problem = problem;
    describe();
    update();
}

void AxisChip::setNote(const QString& note)
{
    if (note == m_note)
        return;
    m_note = note;
    describe();
    update();
}

void AxisChip::setMend(const QString& change)
{
    if (change == m_mend)
        return;
    m_mend = change;
    describe();
    update();
}

bool AxisChip::offersMend() const
{
    return !m_mend.isEmpty() && !(m_problem.isEmpty() && m_note.isEmpty());
}

void AxisChip::describe()
{
    const QString said = m_problem.isEmpty() ? m_note : m_problem;
    setAccessibleName(tr("%1 parallel size %2").arg(nameOf(m_axis)).arg(m_value));
    setAccessibleDescription(said.isEmpty() ? trafficOf(m_axis).first() : said);
    QStringList lines{
        tr("%1 parallel size: %2").arg(nameOf(m_axis), trafficOf(m_axis).first())};
    if (!said.isEmpty())
        lines << said;
    if (offersMend())
        lines << tr("Mend, or Return: ") + m_mend;
    lines << tr("Click − or +, or focus and press + − or digits");
    setToolTip(lines.join(QLatin1Char('\n')));
}

QSize AxisChip::sizeHint() const
{
    return {scaled(200), scaled(44)};
}

QSize AxisChip::minimumSizeHint() const
{
    return {scaled(100), scaled(44)};
}

QRectF AxisChip::button(Part part) const
{
    const double side = scaled(22);
    if (part == Part::Mend) {
        const double wide =
            QFontMetrics(fontOf(FontRole::SmallBold)).horizontalAdvance(tr("Mend")) +
            10.0;
        return {width() - 8 - wide, 5, wide, double(scaled(16))};
    }
    const double right = part == Part::More ? width() - 10 : width() - 10 - side - 2;
    return {right - side, height() - side - 4.0, side, side};
}

AxisChip::Part AxisChip::partAt(const QPointF& position) const
{
    if (offersMend() && button(Part::Mend).contains(position))
        return Part::Mend;
    for (const Part part : {Part::Less, Part::More}) {
        if (button(part).contains(position))
            return part;
    }
    return Part::None;
}

void AxisChip::request(int value)
{
    value = std::clamp(value, 1, largest);
    if (value != m_value)
        emit valueRequested(value);
}

void AxisChip::paintButton(QPainter& painter, Part part, const QColor& colour) const
{
    const Theme& theme = themeOf(palette());
    const QRectF box = button(part);
    const bool enabled = part == Part::More ? m_value < largest : m_value > 1;
    if (m_hovered == part && enabled) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.hover);
        painter.drawRoundedRect(box, 5, 5);
    }
    painter.setPen(QPen(enabled ? colour : theme.faint, 1.8, Qt::SolidLine, Qt::RoundCap));
    const QPointF centre = box.center();
    const double arm = box.width() * 0.22;
    painter.drawLine(centre - QPointF(arm, 0), centre + QPointF(arm, 0));
    if (part == Part::More)
        painter.drawLine(centre - QPointF(0, arm), centre + QPointF(0, arm));
}

QString AxisChip::firstLine(const QFontMetrics& metrics) const
{
    const int room =
        offersMend() ? int(button(Part::Mend).left()) - 16 : width() - (m_note.isEmpty() ? 22 : 34);
    if (!m_problem.isEmpty())
        return metrics.elidedText(m_problem, Qt::ElideRight, room);
    for (const QString& traffic : trafficOf(m_axis)) {
        const QString line = nameOf(m_axis) + QStringLiteral(" · ") + traffic;
        if (metrics.horizontalAdvance(line) <= room)
            return line;
    }
    return nameOf(m_axis);
}

void AxisChip::paintFirstLine(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    painter.setFont(fontOf(FontRole::Small));
    painter.setPen(m_problem.isEmpty() ? theme.muted : theme.danger);
    painter.drawText(QPointF(12, scaled(17)), firstLine(painter.fontMetrics()));
    if (offersMend()) {
        const QRectF box = button(Part::Mend);
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(m_hovered == Part::Mend ? theme.accentSoft : theme.panel);
        painter.drawRoundedRect(box, 4, 4);
        painter.setFont(fontOf(FontRole::SmallBold));
        painter.setPen(theme.accent);
        painter.drawText(box, Qt::AlignCenter, tr("Mend"));
    } else if (m_problem.isEmpty() && !m_note.isEmpty()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        const double radius = scaled(3);
        painter.drawEllipse(QPointF(width() - 14.0, scaled(13)), radius, radius);
    }
}

void AxisChip::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    const QColor axisColour = colourOf(m_axis, theme);
    const QColor edge = m_problem.isEmpty() ? axisColour : theme.danger;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(edge, hasFocus() ? 2.4 : 1.5));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.2, 1.2, -1.2, -1.2), 8, 8);

    paintFirstLine(painter);
    painter.setFont(fontOf(FontRole::ChipValue));
    painter.setPen(axisColour);
    drawTabular(painter, {12, double(scaled(36))}, QString::number(m_value));
    paintButton(painter, Part::Less, axisColour);
    paintButton(painter, Part::More, axisColour);
}

void AxisChip::mouseMoveEvent(QMouseEvent* event)
{
    const Part part = partAt(event->position());
    if (part != m_hovered) {
        m_hovered = part;
        setCursor(part == Part::None ? Qt::ArrowCursor : Qt::PointingHandCursor);
        update();
    }
}

void AxisChip::leaveEvent(QEvent* event)
{
    m_hovered = Part::None;
    update();
    QWidget::leaveEvent(event);
}

void AxisChip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const Part part = partAt(event->position());
    if (part == Part::Less)
        request(m_value - 1);
    else if (part == Part::More)
        request(m_value + 1);
    else if (part == Part::Mend)
        emit mendRequested();
}

void AxisChip::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Right:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        request(m_value + 1);
        return;
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Minus:
        request(m_value - 1);
        return;
    case Qt::Key_PageUp:
        request(m_value * 2);
        return;
    case Qt::Key_PageDown:
        request(m_value / 2);
        return;
    case Qt::Key_Home:
        request(1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!offersMend() || event->modifiers() & Qt::ControlModifier)
            break;
        emit mendRequested();
        return;
    default:
        break;
    }
    if (event->text().size() == 1 && event->text().front().isDigit()) {
        m_typed = (m_typed + event->text()).right(4);
        request(m_typed.toInt());
        return;
    }
    QWidget::keyPressEvent(event);
}

void AxisChip::wheelEvent(QWheelEvent* event)
{
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    request(m_value + (event->angleDelta().y() > 0 ? 1 : -1));
}

void AxisChip::focusInEvent(QFocusEvent* event)
{
    m_typed.clear();
    QWidget::focusInEvent(event);
    update();
}

void AxisChip::focusOutEvent(QFocusEvent* event)
{
    m_typed.clear();
    QWidget::focusOutEvent(event);
    update();
}

} // namespace triaxis::ui

#include "ui/widgets/traffic_grid.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/widget_keys.h"
#include "ui/theme/fonts.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

QString bytesText(double bytes)
{
    return spoken(units::bytes(std::int64_t(std::llround(bytes))));
}

} // namespace

TrafficGrid::TrafficGrid(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("trafficGrid"));
    setAccessibleName(tr("What ranks send to each other"));
    setFocusPolicy(Qt::StrongFocus);
    setKeySection(this, QStringLiteral("Run: figures"));
    setWidgetKeys(this, {{{QStringLiteral("Left"), QStringLiteral("Right"), QStringLiteral("Up"),
                           QStringLiteral("Down"), QStringLiteral("Home"), QStringLiteral("End")},
                          tr("Cells of memory and traffic: choose another")},
                         {{QStringLiteral("Esc")}, tr("Cells: choose none")}});
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TrafficGrid::setMatrix(TrafficMatrix matrix, Measure measure)
{
    const bool other = matrix.size() != m_matrix.size();
    m_matrix = std::move(matrix);
    m_measure = measure;
    m_most = 0;
    for (const TrafficMatrix::Cell& cell : m_matrix.cells)
        m_most = std::max(m_most, valueOf(cell));
    if (other) {
        m_selected = {};
        updateGeometry();
    }
    setAccessibleDescription(m_selected.any() ? describe(m_selected) : describeAll());
    update();
    emit selectionChanged();
}

void TrafficGrid::select(const Place& place)
{
    if (place == m_selected)
        return;
    m_selected = place;
    setAccessibleDescription(place.any() ? describe(place) : describeAll());
    update();
    emit selectionChanged();
}

double TrafficGrid::valueOf(const TrafficMatrix::Cell& cell) const
{
    return m_measure == Measure::Bytes ? cell.bytes : cell.seconds;
}

QString TrafficGrid::valueText(double value) const
{
    return m_measure == Measure::Bytes ? bytesText(value) : spoken(units::seconds(value));
}

QString TrafficGrid::describe(const Place& place) const
{
    if (!place.any() || std::size_t(std::max(place.from, place.to)) >= m_matrix.size())
        return {};
    const TrafficMatrix::Cell& cell = m_matrix.at(std::size_t(place.from), std::size_t(place.to));
    QString text = QStringLiteral("%1 → %2: ")
                       .arg(spoken(m_matrix.names[std::size_t(place.from)]),
                            spoken(m_matrix.names[std::size_t(place.to)]));
    if (cell.bytes <= 0)
        return text + tr("nothing");
    text += tr("%1 a step").arg(bytesText(cell.bytes));
    if (cell.seconds > 0)
        text +=
            tr(", %1, %2/s")
                .arg(spoken(units::seconds(cell.seconds)), bytesText(cell.bytes / cell.seconds));
    else
        text += tr(", time not measured");
    QStringList parts;
    for (int axis = 0; axis < trafficAxisCount; ++axis)
        if (cell.byAxis[std::size_t(axis)] > 0)
            parts << QStringLiteral("%1 %2").arg(spoken(toText(TrafficAxis(axis))),
                                                 bytesText(cell.byAxis[std::size_t(axis)]));
    if (parts.size() > 1)
        text += QStringLiteral(" (%1)").arg(parts.join(QStringLiteral(", ")));
    if (cell.pairs > 1)
        text += QStringLiteral(", %1").arg(counted(cell.pairs, QStringLiteral("link")));
    return text;
}

QString TrafficGrid::describeAll() const
{
    Place most;
    double bytes = 0;
    for (std::size_t from = 0; from < m_matrix.size(); ++from)
        for (std::size_t to = 0; to < m_matrix.size(); ++to)
            if (const double here = m_matrix.at(from, to).bytes; here > bytes) {
                bytes = here;
                most = {int(from), int(to)};
            }
    return most.any() ? tr("most between one pair: %1").arg(describe(most)) : tr("nothing is sent");
}

QString TrafficGrid::shortName(std::size_t row) const
{
    QString name = spoken(m_matrix.names[row]);
    name.remove(QStringLiteral("rank "));
    name.replace(QStringLiteral("data "), QStringLiteral("d"));
    name.replace(QStringLiteral("stage "), QStringLiteral("s"));
    name.replace(QStringLiteral(" · "), QStringLiteral("·"));
    return name;
}

double TrafficGrid::labelWidth() const
{
    const QFontMetrics metrics(fontOf(FontRole::Small));
    int widest = 0;
    for (std::size_t row = 0; row < m_matrix.size(); ++row)
        widest = std::max(widest, metrics.horizontalAdvance(shortName(row)));
    return widest + scaled(8);
}

int TrafficGrid::heightForWidth(int width) const
{
    const double rows = std::max<double>(1, double(m_matrix.size()));
    const double cells = std::clamp((width - labelWidth()) * 0.72, rows * 4, double(scaled(330)));
    const double few = rows * scaled(40);
    return int(std::min(cells, std::max(few, double(scaled(60)))) + scaled(nameRoom + legendRoom));
}

QSize TrafficGrid::sizeHint() const
{
    return {scaled(280), heightForWidth(std::max(width(), scaled(240)))};
}

QSize TrafficGrid::minimumSizeHint() const
{
    return {scaled(160), heightForWidth(std::max(width(), scaled(200)))};
}

QRectF TrafficGrid::area() const
{
    const double left = labelWidth();
    const double top = scaled(nameRoom);
    return {left, top, std::max(10.0, width() - left),
            std::max(10.0, double(height()) - scaled(nameRoom + legendRoom))};
}

QRectF TrafficGrid::box(int from, int to) const
{
    const QRectF all = area();
    const double rows = std::max<double>(1, double(m_matrix.size()));
    const double gap = rows > 32 ? 0.5 : rows > 12 ? 1 : 2;
    const double across = all.width() / rows;
    const double down = all.height() / rows;
    return {all.left() + to * across, all.top() + from * down, std::max(0.5, across - gap),
            std::max(0.5, down - gap)};
}

TrafficGrid::Place TrafficGrid::placeAt(const QPointF& at) const
{
    const QRectF all = area();
    if (!all.contains(at) || m_matrix.size() == 0)
        return {};
    const int rows = int(m_matrix.size());
    return {std::min(rows - 1, int((at.y() - all.top()) / all.height() * rows)),
            std::min(rows - 1, int((at.x() - all.left()) / all.width() * rows))};
}

bool TrafficGrid::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Place place = placeAt(help->pos());
    if (place.any())
        QToolTip::showText(help->globalPos(), describe(place), this,
                           box(place.from, place.to).toRect());
    else
        QToolTip::hideText();
    return true;
}

void TrafficGrid::mousePressEvent(QMouseEvent* event)
{
    const Place place = placeAt(event->position());
    if (event->button() == Qt::LeftButton && place.any())
        select(place == m_selected ? Place{} : place);
}

void TrafficGrid::keyPressEvent(QKeyEvent* event)
{
    const int rows = int(m_matrix.size());
    Place next = m_selected.any() ? m_selected : Place{0, 0};
    const int step = m_selected.any() ? 1 : 0;
    switch (event->key()) {
    case Qt::Key_Left:
        next.to -= step;
        break;
    case Qt::Key_Right:
        next.to += step;
        break;
    case Qt::Key_Up:
        next.from -= step;
        break;
    case Qt::Key_Down:
        next.from += step;
        break;
    case Qt::Key_Home:
        next.to = 0;
        break;
    case Qt::Key_End:
        next.to = rows - 1;
        break;
    case Qt::Key_Escape:
        if (m_selected.any()) {
            select({});
            return;
        }
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (rows > 0)
        select({std::clamp(next.from, 0, rows - 1), std::clamp(next.to, 0, rows - 1)});
}

} // namespace triaxis::ui

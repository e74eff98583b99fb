#include "ui/plan/floor_scene.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr int smallFloor = 16; ///< nodes, up to which links around others are drawn, too

/// What a link leaves from: the box of a tensor group where it is together, else its first cell.
QRectF anchor(const FloorScene& scene, int data, int pipeline)
{
    const std::vector<int> group = scene.floor.tensorGroup(data, pipeline);
    if (scene.floor.isInOneNode(group))
        return outlineBox(scene, group);
    return scene.cell(group.front());
}

double linkWidth(const FloorScene& scene)
{
    return std::clamp(std::round(scene.zoom * 3), 1.0, 4.0);
}

class LinkPainter
{
public:
    LinkPainter(QPainter& painter, const FloorScene& scene)
        : m_painter(painter), m_scene(scene), m_viewport(QPoint(), scene.viewport),
          m_width(linkWidth(scene)), m_around(scene.geometry.slotsDrawn().size() <= smallFloor)
    {
    }

    void link(const QRectF& from, const QRectF& to, const QColor& colour)
    {
        if (from == to || !(from | to).intersects(m_viewport))
            return;
        if (const auto line = facingLine(from, to)) {
            // Along a row or column of nodes only to the next: others would be crossed.
            const double longest = m_scene.zoom * m_scene.geometry.scale() * 64;
            if (line->length() <= longest) {
                m_painter.fillRect(boxOf(*line), colour);
                return;
            }
        }
        if (!m_around)
            return;
        m_painter.setOpacity(0.55);
        paintLink(m_painter, from, to, colour, std::max(1.0, m_width - 1.5));
        m_painter.setOpacity(1);
    }

private:
    QRectF boxOf(const QLineF& line) const
    {
        const double half = m_width / 2;
        return QRectF(line.p1(), line.p2())
            .normalized()
            .adjusted(line.dx() == 0 ? -half : 0, line.dx() == 0 ? 0 : -half,
                      line.dx() == 0 ? half : 0, line.dx() == 0 ? 0 : half);
    }

    QPainter& m_painter;
    const FloorScene& m_scene;
    QRectF m_viewport;
    double m_width;
    bool m_around;
};

/// Replicas and stages whose tensor groups touch the visible slots.
std::vector<std::pair<int, int>> visibleGroups(const FloorScene& scene)
{
    std::vector<std::pair<int, int>> groups;
    for (const int slot : scene.geometry.slotsIn(scene.visible())) {
        const int node = scene.geometry.slotsDrawn()[std::size_t(slot)].node;
        for (int device = scene.floor.firstDevice(node); device < scene.floor.firstDevice(node + 1);
             ++device) {
            const auto at = scene.floor.coordinatesAt(device);
            if (at && at->tensor == 0)
                groups.emplace_back(at->data, at->pipeline);
        }
    }
    return groups;
}

} // namespace

std::optional<QLineF> facingLine(const QRectF& from, const QRectF& to)
{
    const double top = std::max(from.top(), to.top());
    const double bottom = std::min(from.bottom(), to.bottom());
    const double left = std::max(from.left(), to.left());
    const double right = std::min(from.right(), to.right());
    const auto whole = [](double value) { return std::round(value); };
    if (bottom > top && left >= right) {
        const double y = whole((top + bottom) / 2);
        return QLineF(right, y, left, y);
    }
    if (right > left && top >= bottom) {
        const double x = whole((left + right) / 2);
        return QLineF(x, bottom, x, top);
    }
    return std::nullopt;
}

void paintLink(QPainter& painter, const QRectF& from, const QRectF& to, const QColor& colour,
               double width)
{
    if (from == to)
        return; // folded into one
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    const bool level =
        std::abs(to.center().y() - from.center().y()) < std::max(from.height(), to.height()) / 2;
    QPainterPath path;
    if (level) { // below what lies between
        const QPointF begin(from.center().x(), from.bottom());
        const QPointF end(to.center().x(), to.bottom());
        const double drop = std::min(40.0, 10 + std::abs(end.x() - begin.x()) * 0.06);
        path.moveTo(begin);
        path.cubicTo(begin + QPointF(0, drop), end + QPointF(0, drop), end);
    } else {
        const bool down = to.center().y() > from.center().y();
        const QPointF begin(from.center().x(), down ? from.bottom() : from.top());
        const QPointF end(to.center().x(), down ? to.top() : to.bottom());
        const double middle = (end.y() - begin.y()) / 2;
        path.moveTo(begin);
        path.cubicTo(begin + QPointF(0, middle), end - QPointF(0, middle), end);
    }
    painter.drawPath(path);
    painter.restore();
}

void paintLinks(QPainter& painter, const FloorScene& scene)
{
    const Layout& layout = scene.floor.layout();
    LinkPainter links(painter, scene);
    const bool repeats = scene.geometry.slotsDrawn().size() < std::size_t(scene.floor.nodes());
    for (const auto& [data, pipeline] : visibleGroups(scene)) {
        const QRectF here = anchor(scene, data, pipeline);
        if (pipeline + 1 < layout.pp)
            links.link(here, anchor(scene, data, pipeline + 1), scene.theme.pipeline);
        if (pipeline > 0 && repeats) // the stage before may be folded away
            links.link(anchor(scene, data, pipeline - 1), here, scene.theme.pipeline);
        if (data + 1 < layout.dp)
            links.link(here, anchor(scene, data + 1, pipeline), scene.theme.data);
    }
}

void paintLit(QPainter& painter, const FloorScene& scene, int device)
{
    const auto centre = scene.floor.coordinatesAt(device);
    const FloorDetail detail = scene.detail();
    QColor veil = scene.theme.panel;
    veil.setAlphaF(0.6F);
    painter.fillRect(QRect(QPoint(), scene.viewport), veil);
    if (!centre) {
        paintCell(painter, scene, device);
        return;
    }
    const Layout& layout = scene.floor.layout();
    struct Lit
    {
        int device;
        QColor colour;
    };
    std::vector<Lit> lit;
    const auto chain = [&](int size, int own, const QColor& colour, const auto& at) {
        for (int i = 0; i + 1 < size; ++i)
            paintLink(painter, scene.cell(at(i)), scene.cell(at(i + 1)), colour, linkWidth(scene));
        for (int i = 0; i < size; ++i)
            if (i != own)
                lit.push_back({at(i), colour});
    };
    chain(layout.dp, centre->data, scene.theme.data, [&](int i) {
        return scene.floor.deviceOf(Coordinates{i, centre->tensor, centre->pipeline});
    });
    chain(layout.pp, centre->pipeline, scene.theme.pipeline, [&](int i) {
        return scene.floor.deviceOf(Coordinates{centre->data, centre->tensor, i});
    });
    const std::vector<int> tensor = scene.floor.tensorGroup(centre->data, centre->pipeline);
    for (const int member : tensor)
        if (member != device)
            lit.push_back({member, scene.theme.tensor});
    if (detail >= FloorDetail::Cells && layout.tp > 1)
        paintOutlines(painter, scene, tensor);
    const QRect viewport(QPoint(), scene.viewport);
    painter.setBrush(Qt::NoBrush);
    for (const Lit& one : lit) {
        const QRect cell = scene.cell(one.device);
        if (!cell.intersects(viewport))
            continue;
        if (detail < FloorDetail::Cells) {
            painter.fillRect(cell.adjusted(-1, -1, 1, 1), one.colour);
            continue;
        }
        paintCell(painter, scene, one.device);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(one.colour, 2));
        painter.drawRoundedRect(QRectF(cell).adjusted(0, 0, 0, 0), 5, 5);
        painter.restore();
    }
    if (detail >= FloorDetail::Cells)
        paintCell(painter, scene, device);
}

} // namespace triaxis::ui

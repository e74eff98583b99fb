#include "ui/plan/floor_scene.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace triaxis::ui
{
namespace
{

constexpr int longChain = 64;  ///< ranks
constexpr int nearLinks = 4;   ///< of a long chain, to either side
constexpr int smallFloor = 16; ///< nodes, up to which links around others are drawn, too

/// What a link leaves from: the box of a tensor group where it is together, else its first cell.
QRectF anchor(const FloorScene& scene, int data, int pipeline)
{
    const std::vector<int> group = scene.floor.tensorGroup(data, pipeline);
    if (scene.floor.isInOneNode(group))
        return outlineBox(scene, group);
    return scene.cell(group.front());
}

/// One end of a link.
struct End
{
    QRectF box; ///< of the group
    int node;
};

End endOf(const FloorScene& scene, int data, int pipeline)
{
    const int first = scene.floor.deviceOf(Coordinates{data, 0, pipeline});
    return {anchor(scene, data, pipeline), scene.geometry.slotOf(scene.floor.nodeOf(first)).node};
}

class LinkFinder
{
public:
    explicit LinkFinder(const FloorScene& scene)
        : m_scene(scene), m_viewport(QPoint(), scene.viewport), m_width(linkWidth(scene)),
          m_longest(scene.zoom * scene.geometry.scale() * 56),
          m_around(scene.geometry.slotsDrawn().size() <= smallFloor)
    {
    }

    void link(const End& from, const End& to, Axis axis)
    {
        if (from.box == to.box || !(from.box | to.box).intersects(m_viewport))
            return;
        // Groups that face each other are joined across the gap, others node by node.
        if (straight(from.box, to.box, axis))
            return;
        if (from.node == to.node) {
            if (m_around)
                m_links.push_back({axis, from.box, to.box, std::nullopt});
            return;
        }
        if (!m_joined.emplace(from.node, to.node, int(axis)).second)
            return;
        const QRectF here = m_scene.toScreen(m_scene.geometry.slotOf(from.node).frame);
        const QRectF there = m_scene.toScreen(m_scene.geometry.slotOf(to.node).frame);
        const double aside = axis == Axis::Data ? -m_width * 1.5 : m_width * 1.5;
        if (!straight(here.translated(aside, aside), there.translated(aside, aside), axis) &&
            m_around)
            m_links.push_back(
                {axis, here.translated(aside, 0), there.translated(aside, 0), std::nullopt});
    }

    std::vector<FloorLink> taken() { return std::move(m_links); }

private:
    bool straight(const QRectF& from, const QRectF& to, Axis axis)
    {
        const auto line = facingLine(from, to);
        if (!line || line->length() > m_longest)
            return false;
        m_links.push_back({axis, from, to, line});
        return true;
    }

    const FloorScene& m_scene;
    std::vector<FloorLink> m_links;
    QRectF m_viewport;
    double m_width;
    double m_longest; ///< of a straight link: across the gap between two nodes
    bool m_around;
    std::set<std::tuple<int, int, int>> m_joined; ///< nodes, axis
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

QPainterPath linkCurve(const QRectF& from, const QRectF& to)
{
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
    return path;
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
    painter.drawPath(linkCurve(from, to));
    painter.restore();
}

double linkWidth(const FloorScene& scene)
{
    return std::clamp(std::round(scene.zoom * 3), 1.0, 4.0);
}

void paintLinks(QPainter& painter, const FloorScene& scene)
{
    const double width = linkWidth(scene);
    const double half = width / 2;
    for (const FloorLink& link : floorLinks(scene)) {
        const QColor& colour = link.axis == Axis::Data ? scene.theme.data : scene.theme.pipeline;
        if (!link.line) {
            painter.setOpacity(0.6);
            paintLink(painter, link.from, link.to, colour, std::max(1.0, width - 1));
            painter.setOpacity(1);
            continue;
        }
        const bool upright = link.line->dx() == 0;
        painter.fillRect(QRectF(link.line->p1(), link.line->p2())
                             .normalized()
                             .adjusted(upright ? -half : 0, upright ? 0 : -half, upright ? half : 0,
                                       upright ? 0 : half),
                         colour);
    }
}

std::vector<FloorLink> floorLinks(const FloorScene& scene)
{
    const Layout& layout = scene.floor.layout();
    LinkFinder links(scene);
    const bool repeats = scene.geometry.slotsDrawn().size() < std::size_t(scene.floor.nodes());
    for (const auto& [data, pipeline] : visibleGroups(scene)) {
        const End here = endOf(scene, data, pipeline);
        if (pipeline + 1 < layout.pp)
            links.link(here, endOf(scene, data, pipeline + 1), Axis::Pipeline);
        if (pipeline > 0 && repeats) // the stage before may be folded away
            links.link(endOf(scene, data, pipeline - 1), here, Axis::Pipeline);
        if (data + 1 < layout.dp)
            links.link(here, endOf(scene, data + 1, pipeline), Axis::Data);
    }
    return links.taken();
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
        // Of a long chain only what is near: the rest would be a scribble.
        const bool isLong = size > longChain;
        const int begin = isLong ? std::max(0, own - nearLinks) : 0;
        const int end = isLong ? std::min(size, own + nearLinks + 1) : size;
        for (int i = begin; i + 1 < end; ++i)
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

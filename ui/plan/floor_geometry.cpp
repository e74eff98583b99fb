#include "ui/plan/floor_geometry.h"

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double margin = 12;        ///< between the node's frame and the groups
constexpr double between = 22;       ///< groups; links run here
constexpr double padding = 8;        ///< outline to cells
constexpr double cellGap = 6;
constexpr double narrowestCell = 34;
constexpr double widestCell = 160;
constexpr double lowestCell = 26;
constexpr double tallestCell = 84;
constexpr int cellsAcross = 4;

} // namespace

FloorGeometry::FloorGeometry(const Layout& layout, const QSizeF& available, double scale)
    : m_layout(layout), m_scale(scale)
{
    m_titleHeight = 20 * scale;
    m_headerHeight = 28 * scale;
    m_columns = std::min(layout.tp, cellsAcross);
    m_rows = (layout.tp + m_columns - 1) / m_columns;

    const double acrossFixed = 2 * margin + (layout.pp - 1) * between +
                               layout.pp * (2 * padding + (m_columns - 1) * cellGap);
    const double downFixed =
        m_headerHeight + margin + (layout.dp - 1) * between +
        layout.dp * (m_titleHeight + 2 * padding + (m_rows - 1) * cellGap);
    const double width = (available.width() - acrossFixed) / (layout.pp * m_columns);
    const double height = (available.height() - downFixed) / (layout.dp * m_rows);
    m_cell = {std::clamp(std::floor(width), narrowestCell * scale, widestCell * scale),
              std::clamp(std::floor(height), lowestCell * scale, tallestCell * scale)};
    m_group = {2 * padding + m_columns * m_cell.width() + (m_columns - 1) * cellGap,
               m_titleHeight + 2 * padding + m_rows * m_cell.height() + (m_rows - 1) * cellGap};
    m_size = {2 * margin + layout.pp * m_group.width() + (layout.pp - 1) * between,
              m_headerHeight + margin + layout.dp * m_group.height() + (layout.dp - 1) * between};
}

QRectF FloorGeometry::node() const
{
    return {QPointF(0, 0), m_size};
}

QRectF FloorGeometry::group(int replica, int stage) const
{
    return {margin + stage * (m_group.width() + between),
            m_headerHeight + replica * (m_group.height() + between), m_group.width(),
            m_group.height()};
}

QRectF FloorGeometry::outline(int replica, int stage) const
{
    return group(replica, stage).adjusted(0, m_titleHeight, 0, 0);
}

QRectF FloorGeometry::cell(const Coordinates& at) const
{
    const QRectF box = outline(at.data, at.pipeline);
    const int column = at.tensor % m_columns;
    const int row = at.tensor / m_columns;
    return {box.left() + padding + column * (m_cell.width() + cellGap),
            box.top() + padding + row * (m_cell.height() + cellGap), m_cell.width(),
            m_cell.height()};
}

QRectF FloorGeometry::pipelineLink(int replica, int stage) const
{
    const QRectF left = outline(replica, stage);
    const QRectF right = outline(replica, stage + 1);
    return {QPointF(left.right(), left.center().y() - 1.5),
            QPointF(right.left(), left.center().y() + 1.5)};
}

QRectF FloorGeometry::dataLink(int replica, int stage) const
{
    const QRectF above = outline(replica, stage);
    const QRectF below = group(replica + 1, stage);
    return {QPointF(above.center().x() - 1.5, above.bottom()),
            QPointF(above.center().x() + 1.5, below.top() + 2 * m_scale)};
}

std::optional<Coordinates> FloorGeometry::cellAt(const QPointF& position) const
{
    const int stage = int(std::floor((position.x() - margin) / (m_group.width() + between)));
    const int replica =
        int(std::floor((position.y() - m_headerHeight) / (m_group.height() + between)));
    if (stage < 0 || stage >= m_layout.pp || replica < 0 || replica >= m_layout.dp)
        return std::nullopt;
    for (int tensor = 0; tensor < m_layout.tp; ++tensor) {
        const Coordinates at{replica, tensor, stage};
        if (cell(at).contains(position))
            return at;
    }
    return std::nullopt;
}

} // namespace triaxis::ui

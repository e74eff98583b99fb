#pragma once

#include "engine/layout/layout.h"

#include <QRectF>

#include <optional>

namespace triaxis::ui
{

/// Where everything of the floor picture lies, in pixels: one box a tensor group, stages from left to right, replicas from
/// top to bottom, cells of the group inside.
class FloorGeometry
{
public:
    /// `available`: the room to fill; `scale`: text size. The picture may be larger than the room.
    FloorGeometry(const Layout& layout, const QSizeF& available, double scale);

    QSizeF size() const { return m_size; }
    QRectF node() const;                              ///< the frame around everything
    QRectF group(int replica, int stage) const;       ///< with its title
    QRectF outline(int replica, int stage) const;     ///< the dashed part
    QRectF cell(const Coordinates& at) const;
    QRectF pipelineLink(int replica, int stage) const; ///< from `stage` to the next
    QRectF dataLink(int replica, int stage) const;     ///< from `replica` to the next
    std::optional<Coordinates> cellAt(const QPointF& position) const;
    double titleHeight() const { return m_titleHeight; }
    QSizeF cellSize() const { return m_cell; }

private:
    Layout m_layout;
    double m_scale;
    int m_columns = 1; ///< of cells in a group
    int m_rows = 1;
    double m_titleHeight = 0;
    double m_headerHeight = 0;
    QSizeF m_cell;
    QSizeF m_group;
    QSizeF m_size;
};

} // namespace triaxis::ui

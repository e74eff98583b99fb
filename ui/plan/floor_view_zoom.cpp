#include "ui/plan/floor_view.h"
#include "ui/theme/fonts.h"

#include <QAction>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double edge = 8;         ///< pixels around the floor
constexpr double largestFit = 1.9; ///< a single device does not fill the window
constexpr double largestZoom = 5;
constexpr int nodesBeforeFolding = 64;

} // namespace

void FloorView::rebuild()
{
    if (!m_foldingChosen)
        m_folding = {m_floor.nodes() > nodesBeforeFolding, {}};
    m_tools->fold()->setChecked(m_folding.folded);
    m_tools->fold()->setEnabled(m_floor.alike().size() < std::size_t(m_floor.nodes()));
    m_geometry = FloorGeometry(
        m_floor, m_folding, QSizeF(viewport()->size()) - QSizeF(2 * edge, 2 * edge), fontScale());
    refit();
}

void FloorView::refit()
{
    if (m_fitted)
        m_zoom = fittingZoom();
    updateScrollBars();
    m_stale = true;
}

double FloorView::fittingZoom() const
{
    const QSizeF size = m_geometry.size();
    const double across = (viewport()->width() - 2 * edge) / size.width();
    const double down = (viewport()->height() - 2 * edge - footHeight()) / size.height();
    return std::clamp(std::min(across, down), 1e-3, largestFit);
}

int FloorView::footHeight() const
{
    return scaled(22);
}

QPointF FloorView::origin() const
{
    const QSizeF size = m_geometry.size() * m_zoom;
    const double spareX = (viewport()->width() - size.width()) / 2;
    const double spareY = (viewport()->height() - footHeight() - size.height()) / 2;
    return {std::round(spareX >= edge ? spareX : edge - horizontalScrollBar()->value()),
            std::round(spareY >= edge ? spareY : edge - verticalScrollBar()->value())};
}

void FloorView::updateScrollBars()
{
    const QSizeF size = m_geometry.size() * m_zoom + QSizeF(2 * edge, 2 * edge + footHeight());
    const auto set = [](QScrollBar* bar, double all, int page) {
        bar->setPageStep(page);
        bar->setSingleStep(24);
        bar->setRange(0, std::max(0, int(std::floor(all + 0.01)) - page));
    };
    set(horizontalScrollBar(), size.width(), viewport()->width());
    set(verticalScrollBar(), size.height(), viewport()->height());
}

void FloorView::setZoom(double zoom, const QPointF& around)
{
    const double least = std::min(fittingZoom(), 1.0) * 0.5;
    const double next = std::clamp(zoom, least, largestZoom);
    if (next == m_zoom)
        return;
    const QPointF fixed = (around - origin()) / m_zoom;
    m_zoom = next;
    m_fitted = false;
    updateScrollBars();
    horizontalScrollBar()->setValue(int(std::lround(fixed.x() * m_zoom + edge - around.x())));
    verticalScrollBar()->setValue(int(std::lround(fixed.y() * m_zoom + edge - around.y())));
    refresh();
}

void FloorView::zoomIn()
{
    setZoom(m_zoom * 1.25, QRectF(viewport()->rect()).center());
}

void FloorView::zoomOut()
{
    setZoom(m_zoom / 1.25, QRectF(viewport()->rect()).center());
}

void FloorView::fit()
{
    m_fitted = true;
    rebuild();
    refresh();
}

void FloorView::fitSelection()
{
    if (!m_selected) {
        fit();
        return;
    }
    const QRectF node = m_geometry.slotOf(m_floor.nodeOf(*m_selected)).frame;
    m_fitted = false;
    m_zoom = std::clamp(std::min((viewport()->width() - 4 * edge) / node.width(),
                                 (viewport()->height() - 4 * edge) / node.height()),
                        1e-3, largestFit);
    updateScrollBars();
    horizontalScrollBar()->setValue(
        int(node.center().x() * m_zoom + edge - viewport()->width() / 2.0));
    verticalScrollBar()->setValue(
        int(node.center().y() * m_zoom + edge - viewport()->height() / 2.0));
    refresh();
}

void FloorView::setFolded(bool folded)
{
    m_foldingChosen = true;
    m_folding = {folded, {}};
    m_fitted = true;
    rebuild();
    refresh();
}

void FloorView::scrollContentsBy(int, int)
{
    refresh();
}

void FloorView::ensureVisible(int device)
{
    const QRect cell = cellOnScreen(device);
    if (cell.left() < 0 || cell.right() > viewport()->width())
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + cell.center().x() -
                                        viewport()->width() / 2);
    if (cell.top() < 0 || cell.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + cell.center().y() -
                                      viewport()->height() / 2);
}

} // namespace triaxis::ui

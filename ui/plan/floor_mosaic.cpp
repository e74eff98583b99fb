#include "ui/plan/floor_scene.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

/// Boxes of plain colour, written straight into an image: a painter takes several times as long for
/// thousands of them.
class Canvas
{
public:
    Canvas(const QSize& size, double ratio, const QColor& back)
        : m_ratio(ratio), m_image(size * ratio, QImage::Format_RGB32)
    {
        m_image.fill(back);
        m_bits = reinterpret_cast<QRgb*>(m_image.bits());
        m_stride = m_image.bytesPerLine() / qsizetype(sizeof(QRgb));
    }

    void fill(const QRect& box, QRgb colour)
    {
        const int left = std::max(0, pixels(box.left()));
        const int right = std::min(m_image.width(), pixels(box.left() + box.width()));
        const int top = std::max(0, pixels(box.top()));
        const int bottom = std::min(m_image.height(), pixels(box.top() + box.height()));
        for (int y = top; y < bottom && left < right; ++y) {
            QRgb* line = m_bits + y * m_stride;
            std::fill(line + left, line + right, colour);
        }
    }

    QImage image() const
    {
        QImage drawn = m_image;
        drawn.setDevicePixelRatio(m_ratio);
        return drawn;
    }

private:
    int pixels(int position) const { return int(std::lround(position * m_ratio)); }

    double m_ratio;
    QImage m_image;
    QRgb* m_bits;
    qsizetype m_stride;
};

void fillFramed(Canvas& canvas, const QRect& box, const QColor& edge, const QColor& inside)
{
    canvas.fill(QRect(box.left(), box.top(), box.width(), 1), edge.rgb());
    canvas.fill(QRect(box.left(), box.bottom(), box.width(), 1), edge.rgb());
    canvas.fill(QRect(box.left(), box.top(), 1, box.height()), edge.rgb());
    canvas.fill(QRect(box.right(), box.top(), 1, box.height()), edge.rgb());
    canvas.fill(box.adjusted(1, 1, -1, -1), inside.rgb());
}

QColor dotColour(const FloorScene& scene, const CellLook& look)
{
    switch (look.kind) {
    case CellLook::Kind::Rank:
        return cellColour(scene.theme, look.colour);
    case CellLook::Kind::Unused:
        return scene.theme.track;
    case CellLook::Kind::Ghost:
        break;
    }
    return mixed(scene.theme.panel, scene.theme.danger, 0.35);
}

} // namespace

void paintMosaic(QPainter& painter, const FloorScene& scene)
{
    Canvas canvas(scene.viewport, painter.device()->devicePixelRatioF(), scene.theme.panel);
    const QRectF visible = scene.visible();
    for (const FloorGeometry::Rack& rack : scene.geometry.racks())
        if (rack.frame.intersects(visible))
            fillFramed(canvas, scene.toScreen(rack.frame), scene.theme.line, scene.theme.window);
    for (const int index : scene.geometry.slotsIn(visible)) {
        const FloorGeometry::Slot& slot = scene.geometry.slotsDrawn()[std::size_t(index)];
        const bool ghost = scene.floor.isGhostNode(slot.node);
        fillFramed(canvas, scene.toScreen(slot.frame),
                   ghost ? scene.theme.danger : scene.theme.line, scene.theme.raised);
        const int first = scene.floor.firstDevice(slot.node);
        const int last = scene.floor.firstDevice(slot.node + 1);
        for (int device = first; device < last; ++device) {
            const QRect box = scene.cell(device);
            canvas.fill(box, dotColour(scene, scene.lookOf(device)).rgb());
            if (scene.floor.isOverCapacity(device) ||
                scene.floor.worstNoticeOf(device) == Severity::Error) {
                const int side = std::max(2, box.width() / 2);
                canvas.fill(QRect(box.left() + box.width() - side, box.top(), side, side),
                            scene.theme.danger.rgb());
            }
        }
    }
    painter.drawImage(0, 0, canvas.image());
}

} // namespace triaxis::ui

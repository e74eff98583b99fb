#pragma once

#include "engine/timeline/live_timeline.h"

#include <QImage>
#include <QRectF>
#include <QTransform>

#include <optional>
#include <vector>

class QPainter;

namespace triaxis::ui
{

/// Fills boxes whose edges may lie between pixels: a pixel takes the colour by the share of it that
/// is covered, as with a painter's antialiasing, but straight into the lines of an image, which is
/// many times as fast.
class BoxFiller
{
public:
    /// For what a painter paints on; nothing where that is no opaque 32-bit image, or the painter
    /// turns, clips or blends. Only while the painter is active, and the image has no copy.
    static std::optional<BoxFiller> on(const QPainter& painter);

    /// `box` and the radius of its corners in the painter's coordinates.
    void fill(const QRectF& box, QRgb colour, double radius = 0);
    /// With a pattern that repeats over the whole image, pixel by pixel, so that boxes side by side
    /// show one pattern.
    void fillTiled(const QRectF& box, const QImage& tile);
    /// Every pixel takes its exact mixture of the layers and of what is beneath. `colours`: of the
    /// layers.
    void fill(const StackedColumns& stack, const std::vector<QRgb>& colours);
    /// Pixels of the image that a unit of the painter is wide.
    double scale() const { return m_scale; }

private:
    BoxFiller(QImage& image, const QTransform& toPixels);
    struct Edges;
    template <class Source>
    void fillRow(int y, double tall, const Edges& edges, const Source& source);
    template <class Source>
    void fillWholeRows(int firstRow, int lastRow, const Edges& edges, const Source& source);
    template <class Source>
    void fillRows(const QRectF& box, double radius, const Source& source);

    QRgb* m_bits;
    qsizetype m_stride; ///< pixels
    int m_width;
    int m_height;
    double m_scale;
    double m_left; ///< pixels of the painter's origin
    double m_top;
};

} // namespace triaxis::ui

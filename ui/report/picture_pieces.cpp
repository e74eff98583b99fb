#include "ui/report/report_pieces.h"

#include <algorithm>
#include <optional>

namespace triaxis::ui
{
namespace
{

constexpr double tall = 60;        // what is higher is a line through the picture
constexpr double mostShrunk = 0.8; // rather than to begin another page for a few lanes

/// From top to bottom of what must not be cut; none for lines and what is as high as the picture.
std::optional<std::pair<double, double>> extentOf(const DisplayItem& item)
{
    if (const auto* rect = std::get_if<FillRect>(&item))
        return rect->height < tall ? std::optional(std::pair(rect->y, rect->y + rect->height))
                                   : std::nullopt;
    if (const auto* label = std::get_if<DrawText>(&item))
        return std::pair(label->y - label->size / 2, label->y + label->size / 2);
    return std::nullopt;
}

PagePiece slice(const std::shared_ptr<const DisplayList>& list, double scale, double top,
                double bottom)
{
    PagePiece piece;
    piece.height = (bottom - top) * scale;
    piece.paint = [list, scale, top, bottom](PrintCanvas& canvas, const QPointF& at) {
        canvas.play(*list, at, scale, QRectF(0, top, list->width, bottom - top));
    };
    return piece;
}

} // namespace

double cutOf(const DisplayList& list, double from, double limit)
{
    std::vector<std::pair<double, double>> extents;
    for (const DisplayItem& item : list.items)
        if (const auto extent = extentOf(item); extent && extent->first < limit)
            extents.push_back(*extent);
    // From below: whoever crosses the cut pushes it up to its own top.
    std::sort(extents.begin(), extents.end(),
              [](const auto& a, const auto& b) { return a.second > b.second; });
    double cut = limit;
    for (const auto& [top, bottom] : extents)
        if (bottom > cut && top < cut)
            cut = top;
    return cut > from + tall ? cut : limit;
}

std::vector<PagePiece> picturePieces(const ReportPicture& picture, double width, double height)
{
    const auto list = std::make_shared<const DisplayList>(picture.draw(width));
    double scale = list->width > 0 ? std::min(1.0, width / list->width) : 1;
    if (list->height * scale > height && list->height * scale * mostShrunk <= height)
        scale = height / list->height;
    std::vector<PagePiece> pieces;
    std::shared_ptr<const PagePiece> head;
    if (picture.headHeight > 0)
        head = std::make_shared<const PagePiece>(slice(list, scale, 0, picture.headHeight));
    for (double top = 0; top < list->height;) {
        const double room = (height - (top > 0 && head ? head->height : 0)) / scale;
        double bottom = list->height;
        if (top + room < list->height)
            bottom = cutOf(*list, top, top + room);
        pieces.push_back(slice(list, scale, top, bottom));
        pieces.back().head = top > 0 ? head : nullptr;
        top = bottom;
    }
    if (!pieces.empty())
        pieces.front().spaceBefore = 10;
    return pieces;
}

} // namespace triaxis::ui

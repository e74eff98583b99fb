#pragma once

#include "ui/report/print_canvas.h"

#include <functional>
#include <memory>
#include <vector>

namespace triaxis::ui
{

/// A piece of a page that is not torn apart.
struct PagePiece
{
    double height = 0;
    std::function<void(PrintCanvas& canvas, const QPointF& at)> paint;
    double spaceBefore = 0;                ///< left out at the top of a page
    bool keepWithNext = false;             ///< a heading never ends a page
    std::shared_ptr<const PagePiece> head; ///< comes again where a page begins with this piece
};

/// Where a piece came to lie.
struct PlacedPiece
{
    double y = 0;
    const PagePiece* piece = nullptr;
};
using PlacedPage = std::vector<PlacedPiece>;

/// Fills pages of `height` pixels from the top; a piece that is higher than a page gets one of its
/// own. The pieces have to outlive what is returned.
std::vector<PlacedPage> flowPages(const std::vector<PagePiece>& pieces, double height);

/// Pieces side by side as one, both from its top on.
PagePiece besides(std::vector<PagePiece> left, std::vector<PagePiece> right, double distance);
double heightOf(const std::vector<PagePiece>& pieces);

} // namespace triaxis::ui

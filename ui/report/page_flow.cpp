#include "ui/report/page_flow.h"

#include <algorithm>

namespace triaxis::ui
{
namespace
{

void paintAll(const std::vector<PagePiece>& pieces, PrintCanvas& canvas, const QPointF& at)
{
    double y = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        y += i > 0 ? pieces[i].spaceBefore : 0;
        pieces[i].paint(canvas, at + QPointF(0, y));
        y += pieces[i].height;
    }
}

/// Height of a piece and of those that have to follow it on the same page.
double groupHeight(const std::vector<PagePiece>& pieces, std::size_t first)
{
    double height = pieces[first].height;
    for (std::size_t i = first; pieces[i].keepWithNext && i + 1 < pieces.size(); ++i)
        height += pieces[i + 1].spaceBefore + pieces[i + 1].height;
    return height;
}

} // namespace

double heightOf(const std::vector<PagePiece>& pieces)
{
    double height = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        height += (i > 0 ? pieces[i].spaceBefore : 0) + pieces[i].height;
    return height;
}

PagePiece besides(std::vector<PagePiece> left, std::vector<PagePiece> right, double distance)
{
    PagePiece both;
    both.height = std::max(heightOf(left), heightOf(right));
    both.spaceBefore = std::max(left.empty() ? 0 : left.front().spaceBefore,
                                right.empty() ? 0 : right.front().spaceBefore);
    both.paint = [left = std::move(left), right = std::move(right), distance](PrintCanvas& canvas,
                                                                              const QPointF& at) {
        paintAll(left, canvas, at);
        paintAll(right, canvas, at + QPointF(distance, 0));
    };
    return both;
}

std::vector<PlacedPage> flowPages(const std::vector<PagePiece>& pieces, double height)
{
    std::vector<PlacedPage> pages(1);
    double y = 0;
    bool kept = false; // by the piece before, whose group has been given its room
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const PagePiece& piece = pieces[i];
        const double space = pages.back().empty() ? 0 : piece.spaceBefore;
        const double needed = kept ? piece.height : groupHeight(pieces, i);
        if (!pages.back().empty() && y + space + needed > height) {
            pages.emplace_back();
            y = 0;
        }
        if (pages.back().empty() && piece.head) {
            pages.back().push_back({y, piece.head.get()});
            y += piece.head->height;
        } else if (!pages.back().empty()) {
            y += piece.spaceBefore;
        }
        pages.back().push_back({y, &piece});
        y += piece.height;
        kept = piece.keepWithNext;
    }
    return pages;
}

} // namespace triaxis::ui

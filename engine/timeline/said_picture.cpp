#include "engine/timeline/said_picture.h"

#include "engine/timeline/legend.h"
#include "engine/timeline/move_down.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace triaxis
{
namespace
{

bool isNear(double a, double b)
{
    return std::abs(a - b) < 0.01;
}

double topOf(const DisplayItem& item)
{
    if (const auto* rect = std::get_if<FillRect>(&item))
        return rect->y;
    if (const auto* text = std::get_if<DrawText>(&item))
        return text->y;
    if (const auto* line = std::get_if<StrokeLine>(&item))
        return std::min(line->y1, line->y2);
    double top = INFINITY;
    for (const auto& point : std::get<Polyline>(item).points)
        top = std::min(top, point.second);
    return top;
}

/// A legend within the items: the entries that addLegend() made them of.
struct Legend
{
    std::size_t begin = 0;
    std::size_t end = 0;
    std::vector<LegendEntry> entries;
};

const DrawText* nameAt(const DisplayList& list, std::size_t at)
{
    const auto* text = at < list.items.size() ? std::get_if<DrawText>(&list.items[at]) : nullptr;
    return text && text->align == Align::Left && text->ink == Ink::MutedText &&
                   isNear(text->size, legendTextSize)
               ? text
               : nullptr;
}

std::optional<Legend> legendAt(const DisplayList& list, std::size_t at)
{
    Legend legend{at, at, {}};
    while (legend.end < list.items.size()) {
        const auto* mark = std::get_if<FillRect>(&list.items[legend.end]);
        const DrawText* name = nameAt(list, legend.end + (mark ? 1 : 0));
        if (!name || (!mark && legend.entries.empty()) ||
            (mark && (!isNear(mark->width, legendSwatch) || !isNear(mark->height, legendSwatch) ||
                      !isNear(mark->y + legendSwatch / 2, name->y))))
            break;
        legend.entries.push_back({name->text, mark ? mark->ink : Ink::Text,
                                  mark ? mark->opacity : 0, mark && mark->hatched});
        legend.end += mark ? 2 : 1;
    }
    return legend.entries.empty() ? std::nullopt : std::optional(std::move(legend));
}

/// Puts the items of a legend where those of its names lie, and what is beneath below them.
void layAnew(DisplayList& list, const Legend& legend)
{
    const auto& first = std::get<FillRect>(list.items[legend.begin]);
    const double top = first.y + legendSwatch / 2 - legendLineHeight / 2;
    double before = 0;
    for (std::size_t i = legend.begin; i < legend.end; ++i)
        if (const auto* name = std::get_if<DrawText>(&list.items[i]))
            before = std::max(before, name->y + legendLineHeight / 2);
    DisplayList laid;
    const double now = addLegend(laid, legend.entries, first.x, top, list.width);
    for (std::size_t i = 0; i < list.items.size(); ++i)
        if ((i < legend.begin || i >= legend.end) && topOf(list.items[i]) >= before)
            moveDown(list.items[i], now - before);
    std::copy(laid.items.begin(), laid.items.end(),
              list.items.begin() + std::ptrdiff_t(legend.begin));
    list.height += now - before;
}

} // namespace

void sayPicture(DisplayList& picture, const std::function<std::string(const std::string&)>& say)
{
    for (DisplayItem& item : picture.items)
        if (auto* text = std::get_if<DrawText>(&item))
            text->text = say(text->text);
    for (std::size_t at = 0; at < picture.items.size(); ++at) {
        if (const auto legend = legendAt(picture, at)) {
            layAnew(picture, *legend);
            at = legend->end - 1;
        }
    }
}

} // namespace triaxis

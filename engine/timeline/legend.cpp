#include "engine/timeline/legend.h"

#include <algorithm>
#include <array>

namespace triaxis
{
namespace
{

constexpr double swatch = legendSwatch;
constexpr double textSize = legendTextSize;
constexpr double lineHeight = legendLineHeight;
constexpr double gapInside = 6;
constexpr double gapBetween = 16;

/// Longer than the category's name where that alone would not say what is painted.
const char* legendName(Category category)
{
    switch (category) {
    case Category::Tensor:
        return "tensor collective (strip: its share of a span)";
    case Category::Pipeline:
        return "pipeline transfer";
    case Category::Data:
        return "gradient and scalar reduction";
    case Category::Forward:
    case Category::Backward:
    case Category::WeightGradient:
    case Category::Optimizer:
    case Category::Wait:
    case Category::Idle:
        return toText(category);
    }
    return "";
}

bool hasTensorShare(const Track& track, double from, double to)
{
    for (std::size_t i = track.lowerBound(from); i < track.size() && track.begin(i) < to; ++i) {
        if (track.tensorTransfer(i) > 0)
            return true;
    }
    return false;
}

bool carriesNumbers(Category category)
{
    return category == Category::Forward || category == Category::Backward ||
           category == Category::WeightGradient;
}

} // namespace

double textWidth(const std::string& text, double size, bool bold)
{
    double letters = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0) == 0x80) // the rest of a letter of several bytes
            continue;
        const bool narrow = c == ' ' || c == '.' || c == ',' || c == 'i' || c == 'l' || c == 't';
        letters += narrow ? 0.36 : 0.6;
    }
    return letters * size * (bold ? 1.06 : 1);
}

double addLegend(DisplayList& list, const std::vector<LegendEntry>& entries, double left,
                 double top, double right)
{
    double x = left;
    double y = top;
    for (const LegendEntry& entry : entries) {
        const double marks = entry.opacity > 0 ? swatch + gapInside : 0;
        const double width = marks + textWidth(entry.name, textSize);
        if (x > left && x + width > right) {
            x = left;
            y += lineHeight;
        }
        const double middle = y + lineHeight / 2;
        if (marks > 0)
            list.items.emplace_back(FillRect{x, middle - swatch / 2, swatch, swatch, entry.ink,
                                             entry.hatched ? 0.0 : 2.0, entry.hatched,
                                             entry.opacity});
        list.items.emplace_back(
            DrawText{x + marks, middle, entry.name, Ink::MutedText, textSize, Align::Left});
        x += width + gapBetween;
    }
    return entries.empty() ? top : y + lineHeight;
}

std::vector<Category> categoriesIn(const Lanes& lanes, double from, double to, bool communication)
{
    std::array<bool, categoryCount> seen{};
    const auto look = [&](const Track& track) {
        const std::array<double, categoryCount> shares = track.shares(from, to);
        for (std::size_t c = 0; c < shares.size(); ++c)
            seen[c] = seen[c] || shares[c] > 0;
    };
    for (const RankTracks& rank : lanes.ranks()) {
        look(rank.compute);
        if (communication)
            look(rank.communication);
        seen[std::size_t(Category::Tensor)] |= hasTensorShare(rank.compute, from, to);
    }
    std::vector<Category> categories;
    for (int c = 0; c < categoryCount; ++c) {
        if (seen[std::size_t(c)] || Category(c) == Category::Idle)
            categories.push_back(Category(c));
    }
    return categories;
}

DisplayList drawLegend(const std::vector<Category>& categories, double width, bool numbers)
{
    std::vector<LegendEntry> entries;
    for (const Category category : categories)
        entries.push_back({legendName(category), inkOf(category), 1, category == Category::Wait});
    if (numbers && std::any_of(categories.begin(), categories.end(), carriesNumbers))
        entries.push_back({"numbers: microbatch, counted from 0", Ink::Text, 0});
    DisplayList list;
    list.width = width;
    list.height = addLegend(list, entries, 0, 0, width);
    return list;
}

} // namespace triaxis

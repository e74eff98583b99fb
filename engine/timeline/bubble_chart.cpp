#include "engine/timeline/charts.h"

#include "engine/timeline/legend.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double rowHeight = 28;
constexpr double barHeight = 16;
constexpr double textSize = 11;

/// What a bar is made of, left to right.
struct Part
{
    const char* name;
    double LaneShare::*share;
    Ink ink;
    double opacity;
};

constexpr Part parts[] = {
    {"warm-up", &LaneShare::warmUp, Ink::MutedText, 1},
    {"other idle time", &LaneShare::steady, Ink::MutedText, 0.72},
    {"waiting for a peer", &LaneShare::peerWait, Ink::MutedText, 0.52},
    {"exposed transfer", &LaneShare::exposedTransfer, Ink::Pipeline, 1},
    {"cool-down", &LaneShare::coolDown, Ink::MutedText, 0.3},
    {"waiting in tensor collectives", &LaneShare::tensorWait, Ink::Tensor, 0.45},
    {"tensor transfer", &LaneShare::tensorTransfer, Ink::Tensor, 1},
    {"tail: gradients, optimizer", &LaneShare::tail, Ink::Data, 1},
};

constexpr double LaneShare::*allShares[] = {
    &LaneShare::compute,         &LaneShare::tensorWait, &LaneShare::tensorTransfer,
    &LaneShare::warmUp,          &LaneShare::steady,     &LaneShare::peerWait,
    &LaneShare::exposedTransfer, &LaneShare::coolDown,   &LaneShare::tail};

double shownPart(const LaneShare& share)
{
    double sum = 0;
    for (const Part& part : parts)
        sum += share.*part.share;
    return sum;
}

std::string percentText(double fraction)
{
    return std::isfinite(fraction) ? fixedText(100 * fraction, 1) + "\u202f%" : "–";
}

std::string figuresOf(const BubbleRow& row)
{
    return percentText(row.measured) + " | " + percentText(row.closedForm);
}

void addBar(DisplayList& list, const LaneShare& share, double left, double middle,
            double pixelsPerShare)
{
    double x = left;
    for (const Part& part : parts) {
        const double width = share.*part.share * pixelsPerShare;
        if (width <= 0)
            continue;
        list.items.emplace_back(FillRect{x, middle - barHeight / 2, width, barHeight, part.ink, 0,
                                         false, part.opacity});
        x += width;
    }
}

} // namespace

std::vector<BubbleRow> bubbleRows(const StepShares& shares, const Layout& layout, double closedForm)
{
    const std::vector<double> measured = bubbleByStage(shares, layout);
    std::vector<BubbleRow> rows;
    for (int stage = 0; stage < layout.pp; ++stage) {
        BubbleRow row;
        int ranks = 0;
        for (std::size_t r = 0; r < shares.perRank.size(); ++r) {
            const double window = shares.perRank[r].window();
            if (coordinatesOf(layout, Rank(int(r))).pipeline != stage || !(window > 0))
                continue;
            ++ranks;
            for (const auto share : allShares)
                row.share.*share += shares.perRank[r].*share / window;
        }
        if (ranks == 0)
            continue;
        for (const auto share : allShares)
            row.share.*share /= ranks;
        row.stage = stage;
        row.name = "stage " + std::to_string(stage);
        row.measured = measured[std::size_t(stage)];
        row.closedForm = closedForm;
        rows.push_back(row);
    }
    return rows;
}

DisplayList drawBubbleBars(const std::vector<BubbleRow>& rows, double width)
{
    DisplayList list;
    list.width = width;
    if (rows.empty()) {
        list.height = rowHeight;
        list.items.emplace_back(
            DrawText{0, rowHeight / 2, "No spans of a whole step recorded", Ink::MutedText});
        return list;
    }
    double longest = 0;
    double nameWidth = 0;
    double figuresWidth = 0;
    for (const BubbleRow& row : rows) {
        longest = std::max(longest, shownPart(row.share));
        nameWidth = std::max(nameWidth, textWidth(row.name, textSize));
        figuresWidth = std::max(figuresWidth, textWidth(figuresOf(row), textSize));
    }
    const double left = nameWidth + 10;
    const double barWidth = std::max(20.0, width - left - figuresWidth - 12);
    double middle = rowHeight / 2;
    for (const BubbleRow& row : rows) {
        list.items.emplace_back(DrawText{0, middle, row.name, Ink::MutedText, textSize});
        if (longest > 0)
            addBar(list, row.share, left, middle, barWidth / longest);
        list.items.emplace_back(
            DrawText{width, middle, figuresOf(row), Ink::Text, textSize, Align::Right});
        middle += rowHeight;
    }
    std::vector<LegendEntry> entries;
    for (const Part& part : parts) {
        const bool used = std::any_of(rows.begin(), rows.end(), [&](const BubbleRow& row) {
            return row.share.*part.share > 0.0005;
        });
        if (used)
            entries.push_back({part.name, part.ink, part.opacity});
    }
    list.height = addLegend(list, entries, 0, double(rows.size()) * rowHeight + 4, width);
    return list;
}

} // namespace triaxis

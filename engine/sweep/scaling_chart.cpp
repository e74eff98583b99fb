#include "engine/sweep/sweep_layouts.h"
#include "engine/sweep/sweep_table.h"
#include "engine/timeline/charts.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double rowHeight = 30;
constexpr double barHeight = 16;
constexpr double axisHeight = 34;
constexpr double textSize = 12;
constexpr double smallText = 11;
constexpr double gap = 10;

double idealOf(const SweepTable& table, const SweepRow& row)
{
    return double(row.layout.ranks()) / table.rows[std::size_t(table.base)].layout.ranks();
}

std::string speedUpText(const SweepRow& row)
{
    return "×" + fixedText(row.speedUp, 2);
}

std::string efficiencyText(const SweepRow& row)
{
    return fixedText(100 * row.efficiency, 0) + "\u202f%";
}

/// 1, 2 or 5 times a power of ten, so that at most eight of them fill the axis.
double tickStep(double most)
{
    double step = 1;
    for (const double factor : {2.0, 2.5, 2.0}) // 1, 2, 5, 10
        if (most / step > 8)
            step *= factor;
    while (most / step > 8)
        step *= 2;
    return step;
}

struct Frame
{
    double left = 0;
    double right = 0;
    double scale = 0; ///< pixels of a speed-up of 1
    double bottom = 0;
    double speedUp = 0; ///< right edge of the figures
};

void addAxis(DisplayList& list, const Frame& frame, double most)
{
    const double step = tickStep(most);
    for (double value = 0; value <= most * (1 + 1e-9); value += step) {
        const double x = frame.left + value * frame.scale;
        list.items.emplace_back(StrokeLine{x, 0, x, frame.bottom + 4, Ink::Line});
        list.items.emplace_back(DrawText{x, frame.bottom + 13, "×" + shortText(value, 1),
                                         Ink::MutedText, smallText, Align::Centre});
    }
}

void addRow(DisplayList& list, const SweepTable& table, const SweepRow& row, const Frame& frame,
            double middle)
{
    list.items.emplace_back(DrawText{0, middle, sizesText(row.layout), Ink::Text, textSize});
    if (!std::isfinite(row.speedUp)) {
        list.items.emplace_back(
            DrawText{frame.left + 6, middle, "not measured", Ink::MutedText, smallText});
        return;
    }
    list.items.emplace_back(FillRect{frame.left, middle - barHeight / 2, row.speedUp * frame.scale,
                                     barHeight, Ink::Accent, 2});
    const double ideal = frame.left + idealOf(table, row) * frame.scale;
    list.items.emplace_back(StrokeLine{ideal, middle - rowHeight / 2 + 3, ideal,
                                       middle + rowHeight / 2 - 3, Ink::Text, 2});
    list.items.emplace_back(
        DrawText{frame.speedUp, middle, speedUpText(row), Ink::Text, textSize, Align::Right, true});
    list.items.emplace_back(
        DrawText{list.width, middle, efficiencyText(row), Ink::MutedText, textSize, Align::Right});
}

} // namespace

DisplayList drawScaling(const SweepTable& table, double width)
{
    DisplayList list;
    list.width = width;
    if (table.base < 0) {
        list.height = rowHeight;
        list.items.emplace_back(
            DrawText{0, rowHeight / 2, "No layout has been measured", Ink::MutedText, textSize});
        return list;
    }
    double most = 1, names = 0, speedUps = 0, efficiencies = 0;
    for (const SweepRow& row : table.rows) {
        names = std::max(names, textWidth(sizesText(row.layout), textSize));
        if (!std::isfinite(row.speedUp))
            continue;
        speedUps = std::max(speedUps, textWidth(speedUpText(row), textSize, true));
        efficiencies = std::max(efficiencies, textWidth(efficiencyText(row), textSize));
        most = std::max({most, row.speedUp, idealOf(table, row)});
    }
    Frame frame;
    frame.left = names + gap;
    frame.speedUp = width - efficiencies - gap;
    frame.right = std::max(frame.left + 40, frame.speedUp - speedUps - 2 * gap);
    frame.scale = (frame.right - frame.left) / most;
    frame.bottom = double(table.rows.size()) * rowHeight;
    addAxis(list, frame, most);
    double middle = rowHeight / 2;
    for (const SweepRow& row : table.rows) {
        addRow(list, table, row, frame, middle);
        middle += rowHeight;
    }
    list.height = frame.bottom + axisHeight;
    list.items.emplace_back(DrawText{frame.left, frame.bottom + 27,
                                     "speed-up in tokens/s over " +
                                         sizesText(table.rows[std::size_t(table.base)].layout) +
                                         ", and efficiency; the mark is as many times as ranks",
                                     Ink::MutedText, smallText});
    return list;
}

} // namespace triaxis

#include "engine/timeline/time_axis.h"

#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double longestStepView = 1.5; // steps; a longer view counts from the start of the run
constexpr double stepMarkPixels = 60;
constexpr double axisTextSize = 10;
constexpr double leastHeader = 60; // narrower ones have no room for the origin's name
constexpr std::size_t mostTicks = 1000;

struct Unit
{
    double seconds;
    const char* name;
};

Unit unitFor(double largest)
{
    if (largest < 0.9995e-3)
        return {1e-6, "µs"};
    if (largest < 0.9995)
        return {1e-3, "ms"};
    return {1, "s"};
}

double roundUp(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        if (factor * power >= least * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

/// The last step that begins at or before `time`.
auto stepBefore(const Lanes& lanes, double time)
{
    const auto& steps = lanes.stepRanges();
    const auto after =
        std::upper_bound(steps.begin(), steps.end(), time, [](double wanted, const auto& step) {
            return wanted < step.second.first;
        });
    return after == steps.begin() ? after : after - 1;
}

bool isValid(const TimelineView& view)
{
    return std::isfinite(view.from) && std::isfinite(view.to) && view.to > view.from;
}

std::vector<Tick> ticksOf(const Lanes& lanes, const TimelineView& view,
                          const TimelineGeometry& geometry, const AxisOrigin& origin)
{
    constexpr double minimumPixels = 80;
    return timeTicks(view.from, view.to, origin.time, geometry.pixelsPerSecond(), minimumPixels,
                     lanes.whole());
}

void drawStepMarks(DisplayList& list, const Lanes& lanes, const TimelineView& view,
                   const TimelineGeometry& geometry, double bottom)
{
    double lastX = -stepMarkPixels;
    for (auto at = stepBefore(lanes, view.from); at != lanes.stepRanges().end(); ++at) {
        const double begin = at->second.first;
        if (begin > view.to)
            break;
        const double x = geometry.xOf(begin);
        if (begin < view.from || x - lastX < stepMarkPixels)
            continue;
        lastX = x;
        list.items.emplace_back(
            StrokeLine{x, geometry.axisHeight(), x, bottom, Ink::MutedText, 1, true});
    }
}

} // namespace

std::vector<Tick> timeTicks(double from, double to, double origin, double pixelsPerSecond,
                            double minimumPixels, double whole)
{
    std::vector<Tick> ticks;
    if (!(to > from) || !(pixelsPerSecond > 0) || !std::isfinite(to - from))
        return ticks;
    const double largest = std::max(std::abs(from - origin), std::abs(to - origin));
    const Unit unit = whole > 0 ? Unit{whole / 100, "%"} : unitFor(largest);
    // Round in the unit that is written.
    const double scale = whole > 0 ? unit.seconds : 1;
    const double spacing = scale * roundUp(minimumPixels / pixelsPerSecond / scale);
    const double inUnit = spacing / unit.seconds;
    const int decimals = std::max(0, int(-std::floor(std::log10(inUnit) + 1e-9)));
    const double first = std::ceil((from - origin) / spacing - 1e-9);
    for (double n = first; ticks.size() < mostTicks; n += 1) {
        const double offset = n * spacing;
        if (origin + offset > to + spacing * 1e-9)
            break;
        const std::string number = fixedText(offset / unit.seconds, decimals);
        ticks.push_back({origin + offset, n == 0 ? "0" : number + "\u202f" + unit.name});
    }
    return ticks;
}

AxisOrigin axisOrigin(const Lanes& lanes, const TimelineView& view)
{
    const auto at = stepBefore(lanes, (view.from + view.to) / 2);
    if (at == lanes.stepRanges().end())
        return {};
    const auto [begin, end] = at->second;
    if (!(end > begin) || view.to - view.from > longestStepView * (end - begin))
        return {};
    return {begin, at->first};
}

void drawGrid(DisplayList& list, const Lanes& lanes, const TimelineView& view,
              const TimelineGeometry& geometry, double bottom)
{
    if (!isValid(view))
        return;
    const AxisOrigin origin = axisOrigin(lanes, view);
    for (const Tick& tick : ticksOf(lanes, view, geometry, origin)) {
        const double x = geometry.xOf(tick.time);
        list.items.emplace_back(StrokeLine{x, geometry.axisHeight(), x, bottom, Ink::Line, 1});
    }
    if (origin.step < 0)
        drawStepMarks(list, lanes, view, geometry, bottom);
}

void drawAxis(DisplayList& list, const Lanes& lanes, const TimelineView& view,
              const TimelineGeometry& geometry)
{
    if (!isValid(view))
        return;
    const double height = geometry.axisHeight();
    const AxisOrigin origin = axisOrigin(lanes, view);
    list.items.emplace_back(FillRect{0, 0, view.width, height, Ink::Background});
    list.items.emplace_back(
        StrokeLine{geometry.plotLeft(), height - 0.5, view.width, height - 0.5, Ink::Line, 1});
    if (view.headerWidth >= leastHeader) {
        const std::string from = lanes.whole() > 0 ? "of the step"
                                 : origin.step < 0 ? "since start"
                                                   : "step " + std::to_string(origin.step);
        list.items.emplace_back(DrawText{geometry.plotLeft() - 10, height / 2, from, Ink::MutedText,
                                         axisTextSize, Align::Right});
    }
    for (const Tick& tick : ticksOf(lanes, view, geometry, origin)) {
        const double x = geometry.xOf(tick.time);
        list.items.emplace_back(StrokeLine{x, height - 5, x, height, Ink::MutedText, 1});
        const bool first = x - geometry.plotLeft() < 12;
        const bool last = view.width - x < 30;
        list.items.emplace_back(DrawText{last ? std::min(x, view.width - 2) : x, height / 2 - 1,
                                         tick.label, Ink::MutedText, axisTextSize,
                                         first  ? Align::Left
                                         : last ? Align::Right
                                                : Align::Centre});
    }
}

} // namespace triaxis

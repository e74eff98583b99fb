#include "engine/formats/scoreboard_html.h"
#include "engine/timeline/charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace triaxis
{
namespace
{

constexpr double labelSize = 10;
constexpr double leftBand = 14;
constexpr double bottomBand = 32;
constexpr double topBand = 8;
constexpr double rightBand = 8;
constexpr double dot = 5;
constexpr double least = 1e-30;

struct Points
{
    std::vector<std::pair<double, double>> values; ///< measured, predicted
    double low = 0, high = 0;
};

Points pointsOf(const Validation& validation, Quantity quantity)
{
    Points points;
    for (const PricedCase& priced : validation.priced) {
        for (const PricedTarget& target : priced.targets) {
            if (!target.target.main || target.target.quantity != quantity ||
                !(target.target.measured > least) || !(target.predicted > least))
                continue;
            const double measured = target.target.measured, predicted = target.predicted;
            const auto [low, high] = std::minmax(measured, predicted);
            points.low = points.values.empty() ? low : std::min(points.low, low);
            points.high = points.values.empty() ? high : std::max(points.high, high);
            points.values.emplace_back(measured, predicted);
        }
    }
    return points;
}

/// The square of the plot; both axes have one scale.
struct LogPlot
{
    double left, top, right, bottom;
    double low, high; ///< logarithms
    double share(double value) const { return (std::log(value) - low) / (high - low); }
    double xOf(double value) const { return left + share(value) * (right - left); }
    double yOf(double value) const { return bottom - share(value) * (bottom - top); }
};

/// 1, 2 and 5 times the powers of ten within the axis, at most four of them.
std::vector<double> ticksOf(const LogPlot& plot)
{
    std::vector<double> ticks;
    const int first = int(std::floor(plot.low / std::log(10.0))) - 1;
    const int last = int(std::ceil(plot.high / std::log(10.0))) + 1;
    for (int power = first; power <= last && ticks.size() < 400; ++power) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * std::pow(10.0, power);
            if (std::log(value) >= plot.low && std::log(value) <= plot.high)
                ticks.push_back(value);
        }
    }
    while (ticks.size() > 4) {
        std::vector<double> fewer;
        for (std::size_t i = 0; i < ticks.size(); i += 2)
            fewer.push_back(ticks[i]);
        ticks = std::move(fewer);
    }
    return ticks;
}

void drawGuides(DisplayList& list, const LogPlot& plot)
{
    const double low = std::exp(plot.low), high = std::exp(plot.high);
    for (const double factor : {1 / 1.1, 1.0, 1.1}) {
        const double from = factor < 1 ? low / factor : low, to = factor > 1 ? high / factor : high;
        if (from < to)
            list.items.push_back(StrokeLine{
                plot.xOf(from), plot.yOf(from * factor), plot.xOf(to), plot.yOf(to * factor),
                factor == 1 ? Ink::MutedText : Ink::Line, 1, factor != 1});
    }
}

void drawAxes(DisplayList& list, const LogPlot& plot, Quantity quantity)
{
    for (const auto& [x1, y1, x2, y2] :
         {std::array{plot.left, plot.bottom, plot.right, plot.bottom},
          std::array{plot.left, plot.top, plot.left, plot.bottom}})
        list.items.push_back(StrokeLine{x1, y1, x2, y2, Ink::Line});
    double free = plot.left;
    for (const double tick : ticksOf(plot)) {
        const double x = plot.xOf(tick), y = plot.yOf(tick);
        list.items.push_back(StrokeLine{x, plot.bottom, x, plot.bottom + 3, Ink::Line});
        list.items.push_back(StrokeLine{plot.left - 3, y, plot.left, y, Ink::Line});
        const std::string text = measuredText(quantity, tick);
        const double half = textWidth(text, labelSize) / 2;
        const double middle =
            std::clamp(x, plot.left - leftBand + half,
                       std::max(plot.left - leftBand + half, plot.right + rightBand - half));
        if (middle - half < free)
            continue;
        list.items.push_back(
            DrawText{middle, plot.bottom + 11, text, Ink::MutedText, labelSize, Align::Centre});
        free = middle + half + 4;
    }
    list.items.push_back(DrawText{plot.right, plot.bottom + 24, "measured", Ink::MutedText,
                                  labelSize, Align::Right});
    list.items.push_back(
        DrawText{plot.left + 6, plot.top + 6, "predicted", Ink::MutedText, labelSize, Align::Left});
}

} // namespace

DisplayList drawScatter(const Validation& validation, Quantity quantity, double width,
                        double height)
{
    DisplayList list{width, height, {}};
    const Points points = pointsOf(validation, quantity);
    if (points.values.empty()) {
        list.items.push_back(
            DrawText{0, 12, "Nothing was priced.", Ink::MutedText, 12, Align::Left});
        list.height = 24;
        return list;
    }
    LogPlot plot{leftBand,
                 topBand,
                 width - rightBand,
                 height - bottomBand,
                 std::log(points.low),
                 std::log(points.high)};
    const double space = std::max(0.12, 0.06 * (plot.high - plot.low));
    plot.low -= space;
    plot.high += space;
    drawGuides(list, plot);
    drawAxes(list, plot, quantity);
    // Dots of one pixel are one dot.
    std::set<std::pair<int, int>> drawn;
    for (const auto& [measured, predicted] : points.values) {
        const double x = plot.xOf(measured), y = plot.yOf(predicted);
        if (!drawn.emplace(int(x), int(y)).second)
            continue;
        list.items.push_back(
            FillRect{x - dot / 2, y - dot / 2, dot, dot, Ink::Accent, dot / 2, false, 0.75});
    }
    return list;
}

} // namespace triaxis

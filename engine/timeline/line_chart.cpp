#include "engine/timeline/charts.h"

#include "engine/timeline/coinciding_curves.h"
#include "engine/timeline/legend.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double tickSize = 10;
constexpr double bottomBand = 34;
constexpr double topBand = 20;
constexpr double rightBand = 12;
constexpr std::size_t mostTicks = 50;

struct Range
{
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double value)
    {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool valid() const { return low <= high; }
};

bool isDrawable(const std::pair<double, double>& point)
{
    return std::isfinite(point.first) && std::isfinite(point.second);
}

/// A step of 1, 2 or 5 times a power of ten that divides `length` into at most `most` parts.
double niceStep(double length, double most)
{
    const double least = length / std::max(1.0, most);
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

int decimalsFor(double step)
{
    return std::clamp(int(-std::floor(std::log10(step) + 1e-9)), 0, 12);
}

std::vector<double> ticksOf(double low, double high, double step)
{
    std::vector<double> ticks;
    for (double n = std::ceil(low / step - 1e-9); ticks.size() < mostTicks; n += 1) {
        if (n * step > high + step * 1e-9)
            break;
        ticks.push_back(n * step);
    }
    return ticks;
}

/// From values to pixels.
struct Plot
{
    double left, top, right, bottom;
    Range x, y;
    double xOf(double value) const
    {
        return left + (value - x.low) / (x.high - x.low) * (right - left);
    }
    double yOf(double value) const
    {
        return bottom - (value - y.low) / (y.high - y.low) * (bottom - top);
    }
};

/// Points of one pixel column become its first, lowest, highest and last: the curve looks the same.
CurvePoints thinned(const CurvePoints& points)
{
    CurvePoints result;
    for (std::size_t i = 0; i < points.size();) {
        std::size_t end = i;
        std::size_t low = i;
        std::size_t high = i;
        for (; end < points.size() && std::floor(points[end].first) == std::floor(points[i].first);
             ++end) {
            low = points[end].second < points[low].second ? end : low;
            high = points[end].second > points[high].second ? end : high;
        }
        std::vector<std::size_t> kept{i, low, high, end - 1};
        std::sort(kept.begin(), kept.end());
        kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
        for (const std::size_t k : kept)
            result.push_back(points[k]);
        i = end;
    }
    return result;
}

void addStretch(DisplayList& list, CurvePoints& stretch, const CurveStyle& style,
                const CurveShare& share)
{
    if (stretch.size() == 1) {
        // Larger beneath, so that a rim is left of each.
        const double size = 4 + 3 * double(std::min<std::size_t>(share.parts - 1 - share.part, 3));
        list.items.emplace_back(FillRect{stretch[0].first - size / 2, stretch[0].second - size / 2,
                                         size, size, style.ink, size / 2});
    } else if (!stretch.empty()) {
        for (CurvePoints& piece : stripesOf(thinned(stretch), share))
            list.items.emplace_back(Polyline{std::move(piece), style.ink, 1.5, style.dashed});
    }
    stretch.clear();
}

void addCurve(DisplayList& list, const CurvePoints& pixels, const CurveStyle& style,
              const CurveShare& share)
{
    CurvePoints stretch;
    for (const auto& point : pixels) {
        if (isDrawable(point))
            stretch.push_back(point);
        else
            addStretch(list, stretch, style, share);
    }
    addStretch(list, stretch, style, share);
}

CurvePoints pixelsOf(const std::vector<std::pair<double, double>>& points, const Plot& plot)
{
    CurvePoints pixels;
    for (const auto& point : points)
        pixels.emplace_back(plot.xOf(point.first), plot.yOf(point.second));
    return pixels;
}

/// Curves that lie on each other share their line, in stripes: none of them is hidden.
void addCurves(DisplayList& list, const LineChart& chart, const Plot& plot)
{
    addCurve(list, pixelsOf(chart.points, plot), {}, {});
    std::vector<CurvePoints> curves;
    for (const Curve& curve : chart.curves)
        curves.push_back(pixelsOf(curve.points, plot));
    const std::vector<CurveShare> shares = coincidingCurves(curves);
    for (std::size_t leader = 0; leader < curves.size(); ++leader) {
        if (shares[leader].part != 0)
            continue;
        addCurve(list, curves[leader], curveStyle(leader), shares[leader]);
        for (std::size_t i = 0; shares[leader].parts > 1 && i < curves.size(); ++i)
            if (shares[i].part > 0 && shares[i].leader == leader)
                addCurve(list, curves[i], curveStyle(i), shares[i]);
    }
}

std::vector<LegendEntry> legendOf(const LineChart& chart)
{
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
        const CurveStyle style = curveStyle(i);
        entries.push_back({chart.curves[i].name, style.ink, 1, style.dashed});
    }
    return entries;
}

void addAxes(DisplayList& list, const LineChart& chart, const Plot& plot)
{
    const double yStep = niceStep(plot.y.high - plot.y.low, (plot.bottom - plot.top) / 36);
    for (const double value : ticksOf(plot.y.low, plot.y.high, yStep)) {
        const double y = plot.yOf(value);
        list.items.emplace_back(StrokeLine{plot.left, y, plot.right, y, Ink::Line, 1});
        list.items.emplace_back(DrawText{plot.left - 6, y, fixedText(value, decimalsFor(yStep)),
                                         Ink::MutedText, tickSize, Align::Right});
    }
    const double xStep =
        std::max(1.0, niceStep(plot.x.high - plot.x.low, (plot.right - plot.left) / 64));
    for (const double value : ticksOf(plot.x.low, plot.x.high, xStep)) {
        const double x = plot.xOf(value);
        list.items.emplace_back(StrokeLine{x, plot.bottom, x, plot.bottom + 4, Ink::MutedText, 1});
        list.items.emplace_back(DrawText{x, plot.bottom + 11, fixedText(value, 0), Ink::MutedText,
                                         tickSize, Align::Centre});
    }
    list.items.emplace_back(
        StrokeLine{plot.left, plot.bottom, plot.right, plot.bottom, Ink::MutedText, 1});
    list.items.emplace_back(DrawText{0, 6, chart.yName, Ink::MutedText, tickSize, Align::Left});
    list.items.emplace_back(DrawText{(plot.left + plot.right) / 2, plot.bottom + 26, chart.xName,
                                     Ink::MutedText, tickSize, Align::Centre});
}

void addReference(DisplayList& list, const LineChart& chart, const Plot& plot)
{
    if (!std::isfinite(chart.reference))
        return;
    const double y = plot.yOf(chart.reference);
    list.items.emplace_back(StrokeLine{plot.left, y, plot.right, y, Ink::Backward, 1.25, true});
    list.items.emplace_back(
        DrawText{plot.right, y + 9, chart.referenceName, Ink::MutedText, tickSize, Align::Right});
}

Range padded(Range range)
{
    const double span = range.high - range.low;
    const double size = std::max(std::abs(range.low), std::abs(range.high));
    // What differs by less than this is one value: ticks could not tell it apart either.
    const bool varies = span > 1e-6 * size;
    const double pad = varies ? span * 0.06 : size > 0 ? size * 0.1 : 0.1;
    return {range.low - pad, range.high + pad};
}

double tickWidth(const Range& y, double height)
{
    const int decimals = decimalsFor(niceStep(y.high - y.low, height / 36));
    return std::max(textWidth(fixedText(y.low, decimals), tickSize),
                    textWidth(fixedText(y.high, decimals), tickSize));
}

void addPoints(Range& x, Range& y, const std::vector<std::pair<double, double>>& points)
{
    for (const auto& point : points) {
        if (!isDrawable(point))
            continue;
        x.add(point.first);
        y.add(point.second);
    }
}

} // namespace

CurveStyle curveStyle(std::size_t index)
{
    static constexpr Ink inks[] = {Ink::Accent, Ink::Backward, Ink::Tensor,
                                   Ink::Data,   Ink::Pipeline, Ink::WeightGradient};
    constexpr std::size_t count = std::size(inks);
    return {inks[index % count], index / count % 2 == 1};
}

DisplayList drawLineChart(const LineChart& chart, double width, double height)
{
    DisplayList list;
    list.width = width;
    list.height = height;
    Range x;
    Range y;
    addPoints(x, y, chart.points);
    for (const Curve& curve : chart.curves)
        addPoints(x, y, curve.points);
    if (!x.valid()) {
        list.items.emplace_back(DrawText{width / 2, height / 2, "No values recorded",
                                         Ink::MutedText, 12, Align::Centre});
        return list;
    }
    if (std::isfinite(chart.reference))
        y.add(chart.reference);
    y = padded(y);
    if (std::isfinite(chart.reference)) // room for its name beneath the line
        y.low = std::min(y.low, chart.reference - 0.11 * (y.high - chart.reference));
    if (!(x.high > x.low))
        x = {x.low - 0.5, x.high + 0.5};
    const std::vector<LegendEntry> legend = legendOf(chart);
    DisplayList legendAlone;
    const double legendHeight = legend.empty() ? 0 : addLegend(legendAlone, legend, 0, 0, width);
    const double bottom = std::max(topBand + 1, height - bottomBand - legendHeight);
    const double left = tickWidth(y, bottom - topBand) + 12;
    const Plot plot{left, topBand, std::max(left + 1, width - rightBand), bottom, x, y};
    addAxes(list, chart, plot);
    addReference(list, chart, plot);
    addCurves(list, chart, plot);
    if (!legend.empty())
        addLegend(list, legend, 0, bottom + bottomBand, width);
    return list;
}

} // namespace triaxis

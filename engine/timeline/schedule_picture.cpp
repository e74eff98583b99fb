#include "engine/timeline/schedule_picture.h"

#include "engine/timeline/lanes.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

constexpr double headerWidth = 64;
constexpr double digitWidth = 7;
constexpr double laterChunk = 0.7;

void drawStep(DisplayList& list, const PlayedStep& played, bool pair, double top, double height,
              double unit)
{
    const bool upper = played.step.kind == Kind::Forward;
    const double y = pair && !upper ? top + height / 2 : top;
    const double tall = pair ? height / 2 : height;
    const double x = headerWidth + played.begin * unit;
    const double length = (played.end - played.begin) * unit;
    const Ink ink = inkOf(categoryOf(played.step.kind));
    const double opacity = played.step.chunk.value == 0 ? 1 : laterChunk;
    list.items.push_back(FillRect{x, y, std::max(1.0, length - 1), tall, ink, 2, false, opacity});
    const std::string label = std::to_string(played.step.microbatch.value);
    if (length < digitWidth * double(label.size()) + 2)
        return;
    DrawText text{x + (length - 1) / 2, y + tall / 2, label, ink, pair ? 9.0 : 11.0, Align::Centre};
    text.bold = true;
    text.contrast = true;
    text.opacity = opacity;
    list.items.push_back(text);
}

std::string cellOf(const ComputeStep& step)
{
    std::string text = std::string(shortName(step.kind)) + std::to_string(step.microbatch.value);
    if (step.chunk.value > 0)
        text[0] = char(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

/// Widest name of a step or pair.
std::size_t cellWidth(const Played& played)
{
    std::size_t width = 2;
    for (const auto& steps : played.stages)
        for (const PlayedStep& step : steps)
            width = std::max(width, cellOf(step.step).size());
    return width;
}

} // namespace

double shortestStep(const Played& played)
{
    double shortest = std::numeric_limits<double>::infinity();
    for (const auto& steps : played.stages)
        for (const PlayedStep& step : steps)
            if (step.end > step.begin)
                shortest = std::min(shortest, step.end - step.begin);
    return std::isfinite(shortest) ? shortest : 1;
}

DisplayList drawPlayed(const Played& played, double width, double rowHeight, double narrowest)
{
    DisplayList list;
    const double seconds = std::max(played.makespan, 1e-12);
    const double unit = std::max((width - headerWidth) / seconds, narrowest / shortestStep(played));
    list.width = headerWidth + unit * seconds;
    list.height = rowHeight * double(played.stages.size());
    std::size_t steps = 0;
    for (const auto& ofStage : played.stages)
        steps += ofStage.size() + 1;
    list.items.reserve(2 * steps);
    for (std::size_t stage = 0; stage < played.stages.size(); ++stage) {
        const double top = rowHeight * double(stage);
        const double tall = rowHeight * 0.85;
        list.items.push_back(DrawText{headerWidth - 10, top + tall / 2,
                                      "stage " + std::to_string(stage), Ink::MutedText, 11,
                                      Align::Right});
        list.items.push_back(FillRect{headerWidth, top, unit * seconds, tall, Ink::Idle, 2});
        const std::vector<PlayedStep>& steps = played.stages[stage];
        for (std::size_t i = 0; i < steps.size(); ++i)
            drawStep(list, steps[i],
                     steps[i].step.withNext || (i > 0 && steps[i - 1].step.withNext), top, tall,
                     unit);
    }
    return list;
}

std::string textGrid(const Played& played, double unit)
{
    const std::size_t cell = cellWidth(played) + 1;
    const auto columnOf = [&](double time) {
        return std::size_t(std::llround(time / unit)) * cell;
    };
    std::string text;
    for (std::size_t stage = 0; stage < played.stages.size(); ++stage) {
        std::string row;
        for (std::size_t column = 0; column < columnOf(played.makespan); column += cell)
            row += "." + std::string(cell - 1, ' ');
        const std::vector<PlayedStep>& steps = played.stages[stage];
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const std::size_t from = columnOf(steps[i].begin);
            const std::size_t to = std::min(row.size(), std::max(from, columnOf(steps[i].end)));
            std::string name = cellOf(steps[i].step);
            if (steps[i].step.withNext && i + 1 < steps.size()) {
                ++i;
                const bool forward = steps[i].step.kind == Kind::Forward;
                name = forward ? cellOf(steps[i].step) + "|" + name
                               : name + "|" + cellOf(steps[i].step);
            }
            name.resize(to - from, ' ');
            row.replace(from, to - from, name);
        }
        while (!row.empty() && row.back() == ' ')
            row.pop_back();
        const std::string label = std::to_string(stage);
        text += "stage " + std::string(label.size() < 2 ? 2 - label.size() : 0, ' ') + label +
                "  " + row + "\n";
    }
    return text;
}

} // namespace triaxis

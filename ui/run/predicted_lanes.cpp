#include "ui/run/predicted_lanes.h"

#include "engine/timeline/metrics.h"

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t mostSpans = 60'000;

} // namespace

std::vector<std::int32_t> stepsToLay(const Lanes& measured, const TimeWindow& window,
                                     std::size_t spansOfStep)
{
    std::vector<std::int32_t> steps;
    for (const auto& [step, range] : measured.stepRanges()) {
        if (range.second <= window.from || range.first >= window.to)
            continue;
        steps.push_back(step);
        if (steps.size() * spansOfStep > mostSpans)
            return {};
    }
    return steps;
}

std::shared_ptr<const Lanes> predictedLanes(const Lanes& measured,
                                            const std::vector<Span>& predicted,
                                            const std::vector<std::int32_t>& steps)
{
    auto lanes = std::make_shared<Lanes>(measured.layout());
    for (const std::int32_t step : steps) {
        const double begin = measured.stepRange(step).first;
        std::vector<Span> spans = predicted;
        for (Span& span : spans) {
            span.step = step;
            span.ready += begin;
            span.begin += begin;
            span.end += begin;
        }
        lanes->append(spans);
    }
    return lanes;
}

PredictedFigures predictedFigures(const RunPrediction& prediction, const Layout& layout)
{
    PredictedFigures figures;
    if (!prediction.prediction)
        return figures;
    figures.stepSeconds = prediction.prediction->stepSeconds;
    figures.bubble = bubble(stepShares(prediction.prediction->spans, layout), layout);
    for (const PredictedBytes& memory : prediction.prediction->memory)
        figures.peakBytes = std::max(figures.peakBytes, memory.peakTotal);
    return figures;
}

} // namespace triaxis::ui

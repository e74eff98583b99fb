#include "ui/run/predicted_lanes.h"

#include "engine/timeline/metrics.h"

#include <algorithm>
#include <limits>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t mostSpans = 60'000;
constexpr double roundingShare = 1e-9;

double lengthOf(const std::vector<Span>& predicted)
{
    double length = 0;
    for (const Span& span : predicted)
        length = std::max(length, span.end);
    return length;
}

/// When the next step that has spans begins; infinite after the last one.
double beginAfter(const Lanes& lanes, std::int32_t step)
{
    const auto& ranges = lanes.stepRanges();
    const auto next = std::upper_bound(
        ranges.begin(), ranges.end(), step,
        [](std::int32_t wanted, const auto& range) { return wanted < range.first; });
    return next == ranges.end() ? std::numeric_limits<double>::infinity() : next->second.first;
}

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

LaidPrediction layPrediction(const Lanes& measured, const std::vector<Span>& predicted,
                             const std::vector<std::int32_t>& steps, PredictionFit fit)
{
    LaidPrediction laid;
    auto lanes = std::make_shared<Lanes>(measured.layout());
    const double length = lengthOf(predicted);
    for (const std::int32_t step : steps) {
        const auto [begin, end] = measured.stepRange(step);
        const double next = beginAfter(measured, step);
        const double room = next - begin;
        const double scale = fit == PredictionFit::Step && length > 0
                                 ? std::max(0.0, std::min(end, next) - begin) / length
                                 : 1;
        laid.cut = laid.cut || length * scale > room * (1 + roundingShare);
        std::vector<Span> spans;
        spans.reserve(predicted.size());
        for (Span span : predicted) {
            if (span.begin * scale >= room)
                continue;
            span.step = step;
            span.ready = begin + span.ready * scale;
            span.begin = begin + span.begin * scale;
            span.end = std::min(begin + span.end * scale, next);
            span.tensorWait *= scale;
            span.tensorTransfer *= scale;
            spans.push_back(span);
        }
        lanes->append(spans);
    }
    laid.lanes = std::move(lanes);
    return laid;
}

std::shared_ptr<const Lanes> predictedStep(const RunPrediction& prediction, const Layout& layout)
{
    if (!prediction.prediction)
        return nullptr;
    auto lanes = std::make_shared<Lanes>(layout);
    lanes->append(prediction.prediction->spans);
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

#pragma once

#include "engine/simulate/run_prediction.h"
#include "ui/run/run_figures.h"
#include "ui/widgets/time_window.h"

#include <memory>
#include <vector>

namespace triaxis::ui
{

/// The steps of a window that a prediction is laid over, unless they are too many to be told apart.
std::vector<std::int32_t> stepsToLay(const Lanes& measured, const TimeWindow& window,
                                     std::size_t spansOfStep);

/// How a predicted step lies over a measured one: by the clock, or as long as that was, so that
/// shape and bubble can be compared.
enum class PredictionFit { Time, Step };

/// The predicted step over measured ones.
struct LaidPrediction
{
    std::shared_ptr<const Lanes> lanes; ///< once for each of them, from its begin on
    bool cut = false;                   ///< ends with its step somewhere, and would go on
};
/// Never reaches into the next step. `predicted`: one step, from 0 on.
LaidPrediction layPrediction(const Lanes& measured, const std::vector<Span>& predicted,
                             const std::vector<std::int32_t>& steps, PredictionFit fit);

/// The predicted step by itself, from 0 on; null without one.
std::shared_ptr<const Lanes> predictedStep(const RunPrediction& prediction, const Layout& layout);

/// What the figures of a run tell of its prediction.
PredictedFigures predictedFigures(const RunPrediction& prediction, const Layout& layout);

} // namespace triaxis::ui

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
/// The predicted step once for each of these measured ones, from its begin on.
std::shared_ptr<const Lanes> predictedLanes(const Lanes& measured,
                                            const std::vector<Span>& predicted,
                                            const std::vector<std::int32_t>& steps);

/// What the figures of a run tell of its prediction.
PredictedFigures predictedFigures(const RunPrediction& prediction, const Layout& layout);

} // namespace triaxis::ui

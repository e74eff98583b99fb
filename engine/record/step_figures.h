#pragma once

#include "engine/record/records.h"
#include "engine/record/run_plan.h"

#include <cstddef>
#include <vector>

namespace triaxis
{

/// How fast a run went, on rank 0. One definition for the window, the history, `triaxis show` and
/// the report.
struct StepFigures
{
    std::size_t steps = 0;  ///< that the figures are over
    double stepSeconds;     ///< median; NaN without steps
    double tokensPerSecond; ///< tokens of the steps over their time; NaN without steps
};

/// `steps`: in order, each once. The first one is left out where there are others: it also pays for
/// what is made once. `last` > 0: only so many of the last ones, for a run that goes on.
StepFigures stepFigures(const std::vector<StepResult>& steps, std::size_t last = 0);

/// "nats per byte" for text that is read as bytes, else "nats per token".
const char* unitOfLoss(const RunPlan& plan);

} // namespace triaxis

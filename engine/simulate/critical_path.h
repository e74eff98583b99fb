#pragma once

#include "engine/simulate/prediction.h"

#include <vector>

namespace triaxis
{

/// What determines the length of a step: the chain of spans that leads to its last end, each of
/// which could not begin before the one in front of it had ended. In order of time; receives stand
/// for transfers. Gaps lie where something began later than anything it waited for had ended.
std::vector<Span> criticalPath(const SimulatedPlan& plan, const Prediction& prediction);

/// Seconds of the path by what it does.
struct PathTimes
{
    double compute = 0;
    double transfers = 0;
    double reductions = 0; ///< gradients, norm, loss
    double update = 0;
};
PathTimes pathTimes(const std::vector<Span>& path);

} // namespace triaxis

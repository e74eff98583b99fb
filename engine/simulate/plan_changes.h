#pragma once

#include "engine/cost/training_job.h"

#include <string>
#include <vector>

namespace triaxis
{

/// A plan that differs from another in one number or choice.
struct PlanChange
{
    std::string what;    ///< "tensor-parallel size"
    std::string change;  ///< "8 → 16"
    std::string setting; ///< "layout.tp"
    ParallelPlan plan;
};

/// Every size doubled and halved, every choice changed to its neighbours. The number of devices
/// stays: the data-parallel size takes up what another gives or needs; changes for which it cannot
/// are left out. Whether a plan can run is for checkPlan to say.
std::vector<PlanChange> planChanges(const TrainingJob& job, const ParallelPlan& plan);

} // namespace triaxis

#pragma once

#include "engine/cost/core_pace.h"
#include "engine/cost/machine_calibration.h"
#include "engine/cost/rank_work.h"
#include "engine/record/run_plan.h"
#include "engine/timeline/span.h"

#include <vector>

namespace triaxis
{

/// What a run is predicted to be on a calibrated machine.
struct MachinePrediction
{
    double stepSeconds = 0; ///< of a steady step on rank 0, as a run reports it
    /// Half the distance of the 10th and 90th percentile of the steps over their median: what the
    /// cores' uneven pace makes of them. 0 where the calibration knows nothing of it.
    double spread = 0;
    double slowness = 1;                ///< of the cores, typically, over their quickest
    int threads = 1;                    ///< of each rank
    std::vector<PredictedBytes> memory; ///< [rank]
    std::vector<Span> spans; ///< of a steady step on all ranks, as step 1, paired; begins at 0
};

class MachineSpans;

/// Plays steps of the plan with every rank on the cores of the machine, over the paces that these
/// have been seen to go at; its step is the one in the middle, its spans those of a step of that
/// length at an even pace. Threads are those
/// that the launcher would give. Throws Error for a plan that cannot run, one that spans machines,
/// and one too large to be played.
MachinePrediction predictOnMachine(const RunPlan& plan, const MachineCalibration& calibration);

/// Seconds of the steps of rank 0, one after the other. `spans`, if given, gathers those of a step.
std::vector<double> playOnMachine(const RunPlan& plan, const Program& program,
                                  const std::vector<RankWork>& work, const MachineRates& rates,
                                  const CorePace& pace, int steps, MachineSpans* spans = nullptr);

} // namespace triaxis

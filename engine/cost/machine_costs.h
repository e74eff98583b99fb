#pragma once

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
    double stepSeconds = 0;         ///< of a steady step on rank 0, as a run reports it
    int threads = 1;                ///< of each rank
    std::vector<PredictedBytes> memory; ///< [rank]
    std::vector<Span> spans; ///< of a steady step on all ranks, as step 1, paired; begins at 0
};

class MachineSpans;

/// Plays a few steps of the plan with every rank on the cores of the machine. Threads are those
/// that the launcher would give. Throws Error for a plan that cannot run, one that spans machines,
/// and one too large to be played.
MachinePrediction predictOnMachine(const RunPlan& plan, const MachineCalibration& calibration);

/// Seconds of the steps of rank 0, one after the other. `spans`, if given, gathers those of a step.
std::vector<double> playOnMachine(const RunPlan& plan, const Program& program,
                                  const std::vector<RankWork>& work, const MachineRates& rates,
                                  int steps, MachineSpans* spans = nullptr);

} // namespace triaxis

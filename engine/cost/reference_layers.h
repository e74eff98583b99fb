#pragma once

#include "engine/cost/machine_calibration.h"
#include "engine/cost/machine_rates.h"
#include "engine/record/run_plan.h"
#include "engine/schedule/program.h"

#include <vector>

namespace triaxis
{

/// A few layers that a calibration trains for a moment. What their operations take one after the
/// other is more than what each takes when it is repeated: results of the one before lie in the
/// cache of another core, weights and what was saved for the backward have been pushed out of the
/// nearest caches, and threads that had nothing to do have gone to sleep.
struct ReferenceLayers
{
    int width = 0;
    int time = 0; ///< tokens of the one sequence
    int layers = 0;
};

/// From narrow to wide.
std::vector<ReferenceLayers> referenceLayers();
/// A plan whose only stage holds these layers.
RunPlan planOf(const ReferenceLayers& layers);
/// Without embedding and head.
ChunkContent contentOf(const ReferenceLayers& layers);

/// The rates of a calibration for ranks of `threads`, with what the calibration's layers took over
/// the sum of their operations (MachineRates::company). Throws Error as MachineRates does.
MachineRates ratesInCompany(const MachineCalibration& calibration, int threads);

} // namespace triaxis

#pragma once

#include "engine/cost/training_job.h"
#include "engine/record/run_plan.h"
#include "engine/timeline/span.h"

namespace triaxis
{

/// What the slots of a paced run stand for: a model trained on devices that are not there.
struct PacedTarget
{
    ModelShape model;
    ClusterSpec cluster;
    SoftwareProfile software;
    NumberFormat precision = NumberFormat::Bf16;
    int sequence = 1024; ///< tokens
};

/// The target's job in the layout and with the batch of a run: as many sequences, of its own
/// length, over as many devices as the run has ranks.
TrainingJob targetJob(const PacedTarget& target, const RunPlan& run);
ParallelPlan targetPlan(const RunPlan& run);

/// Slots and links with which a run of a small model goes as the target would: compute slots of
/// each virtual stage from the cost model without what tensor collectives take, and links on which
/// the small model's messages take as long as the target's would. `stretch`: seconds of the run
/// for one second of the target, so that the real work fits into the slots. Times depend on the
/// target only; of the run's model the sizes of its messages are used. Throws Error where the
/// target cannot be priced in the layout.
PacePlan pacedAs(const PacedTarget& target, const RunPlan& run, double stretch = 1);

/// Peak bytes of the target's fullest device.
double targetMemory(const PacedTarget& target, const RunPlan& run);

/// The stretch with which 95 of 100 slots are long enough for the real work, by a run's samples of
/// work and slot, with a fifth to spare; rounded up to 1, 2 or 5 times a power of ten, at least 1.
/// (A rank that is late now and then catches up.) `stretch`: with which the samples were taken.
double enoughStretch(const std::vector<SlotSample>& samples, double stretch);

} // namespace triaxis

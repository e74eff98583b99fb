#pragma once

#include "engine/cost/memory.h"
#include "engine/cost/unit_costs.h"
#include "engine/simulate/play.h"

#include <string>

namespace triaxis
{

/// The schedule runs a forward and a backward of two microbatches as one, each of which computes
/// while the other exchanges (DualPipe).
bool overlapsPasses(const ParallelPlan& plan);

/// Costs of the virtual stages for the player: forward, backward for input (recompute included) and
/// for weights, and the hop.
StageCosts stageCosts(const TrainingJob& job, const ParallelPlan& plan, const UnitCosts& unit);

/// What comes once a step, outside the pipeline, and cannot be hidden.
struct StepTail
{
    double gradients = 0; ///< seconds of the gradient reduction that backward does not hide
    /// seconds that forward and backward do not hide of what every microbatch exchanges: gradients
    /// from ZeRO 2 on, weights too with ZeRO 3
    double gathers = 0;
    double optimizer = 0; ///< seconds of the weight update
    double overhead = 0;  ///< seconds a step of the framework
    double embedding = 0; ///< seconds of the tied-embedding reduction between first and last stage
    double total() const { return gradients + gathers + optimizer + overhead + embedding; }
};

StepTail stepTail(const TrainingJob& job, const ParallelPlan& plan, const UnitCosts& unit);

/// What of the job and plan lies outside of what the software's constants were fitted on: empty
/// within; "on NVIDIA H800 SXM 80 GB", "mixtures of experts", …
std::vector<std::string> outsideOfProfile(const TrainingJob& job, const ParallelPlan& plan);
/// How many times the job doubles the devices of the largest one that the constants were fitted on;
/// 0 within.
double doublingsBeyondProfile(const TrainingJob& job);
/// Relative error to be expected of a prediction: that of the profile within its domain, once more
/// for each doubling of the devices beyond it, and at least errorOutsideDomain where anything else
/// lies outside.
double expectedErrorOf(const TrainingJob& job, const ParallelPlan& plan);

/// What a step is predicted to take, and of what.
struct StepEstimate
{
    double seconds = 0;
    double pipeline = 0; ///< seconds of the pipeline, first forward to last backward
    double compute = 0;  ///< of it: compute of the busiest stage
    double exposed =
        0; ///< of it: exposed tensor, context and expert communication of the busiest stage
    double bubble = 0; ///< of it: idle of the busiest stage, transfers included
    StepTail tail;
    double memory = 0;        ///< bytes, peak of the fullest rank
    double expectedError = 0; ///< relative, from the profile: larger outside of its domain
    double tokensPerSecond = 0;
    double modelFlopsPerDevice = 0;    ///< model FLOP/s of a device
    double hardwareFlopsPerDevice = 0; ///< with recompute
};

/// The schedule played exactly, uneven stages included. Throws Error if the plan breaks a rule.
StepEstimate estimateStep(const TrainingJob& job, const ParallelPlan& plan);
/// The same for a plan that breaks none, of what it costs and how its schedule was played.
StepEstimate estimateStep(const TrainingJob& job, const ParallelPlan& plan, const UnitCosts& unit,
                          const StepTail& tail, const Played& played);

} // namespace triaxis

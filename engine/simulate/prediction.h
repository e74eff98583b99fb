#pragma once

#include "engine/cost/step_estimate.h"
#include "engine/simulate/compiled_program.h"
#include "engine/simulate/job_program.h"
#include "engine/simulate/perturbations.h"
#include "engine/simulate/shared_links.h"
#include "engine/timeline/span.h"

#include <vector>

namespace triaxis
{

/// A plan made ready to be predicted: its program compiled, the durations of all instructions
/// known.
struct SimulatedPlan
{
    Layout layout;
    Program program;
    CompiledProgram compiled;
    StageCosts costs{}; ///< of the virtual stages
    StepTail tail{};
    std::vector<double> exposedShare{}; ///< [position] of its time: communication inside a chunk
    /// Data ranks of the layout that move together, neighbours: context ranks exchange keys and
    /// values, expert ranks tokens, within every layer.
    int lockstep = 1;
    /// [collective of `compiled`] seconds of the gradient reductions alone; empty: those that
    /// backward hides take none.
    std::vector<double> reductions{};
    SharedLinks links{}; ///< of the transfers; without levels: not known
    bool barrier =
        true; ///< all stages end a step together; false: the longest window sets the pace
};

/// Throws Error for a plan that breaks a rule.
SimulatedPlan simulatedPlan(const TrainingJob& job, const ParallelPlan& plan);

/// The networks that the groups of each axis see, where ranks are placed otherwise than in the
/// order that costs are made for.
struct AxisNetworks
{
    ClusterSpec tensor; ///< context and expert groups too
    ClusterSpec data;
    ClusterSpec pipeline;
};
/// Throws Error for a plan that breaks a rule.
SimulatedPlan simulatedPlan(const TrainingJob& job, const ParallelPlan& plan,
                            const AxisNetworks& networks);
/// The same for costs that are known already.
SimulatedPlan simulatedPlan(const Layout& layout, Program program, StageCosts costs,
                            const StepTail& tail, std::vector<double> exposedShare,
                            int lockstep = 1);

struct PredictionOptions
{
    Perturbations perturbations;
    TransferRule transfers = TransferRule::Free;
    bool everyPipeline = false; ///< also where nothing is perturbed and one stands for all
    bool spans = true;          ///< of the pipeline that ends last
    /// Transfers of different pipelines that share a link slow each other (shared_links.h): an
    /// event queue, slower to play. Transfers must be free.
    bool sharedLinks = false;
};

/// Where the time of one rank went, in seconds up to the end of the pipeline.
struct RankTime
{
    double compute = 0;    ///< its own, inner communication included
    double tensorWait = 0; ///< for slower ranks that it moves together with
    double idle = 0;       ///< pipeline's end − the two
};

/// One step, predicted.
struct Prediction
{
    Layout layout;
    double seconds = 0;      ///< of the step
    double pipeline = 0;     ///< seconds from the first forward to the last backward anywhere
    int pipelines = 1;       ///< played one by one; 1: one stands for all
    int column = 0;          ///< the pipeline that ends last …
    std::vector<Span> spans; ///< … and its spans, of the first of the ranks that move together
    std::vector<RankTime> ranks; ///< [rank] where pipelines were played one by one
};

/// Plays the plan. Where nothing tells the replicas apart one pipeline stands for all of them;
/// otherwise each is played for itself: ranks of a tensor group (and those of SimulatedPlan::
/// lockstep) move at the pace of the slowest of them, and the gradient reduction waits for the
/// slowest replica. Both give the same figures to the bit where nothing is perturbed. Links carry
/// what is sent over them as the cost rule has it, as if all devices of a stage sent at once:
/// unless PredictionOptions::sharedLinks is set, transfers of different pipelines do not slow each
/// other.
Prediction predict(const SimulatedPlan& plan, const PredictionOptions& options = {});

/// The spans of one pipeline renumbered as a layout of its own, rank = stage: for pictures of one
/// that stands for all.
std::vector<Span> asOnePipeline(const Prediction& prediction, Layout& layout);

} // namespace triaxis

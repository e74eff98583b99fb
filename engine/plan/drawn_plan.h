#pragma once

#include "engine/cost/training_job.h"
#include "engine/plan/drawn_cluster.h"
#include "engine/record/run_plan.h"

#include <string>
#include <vector>

namespace triaxis
{

/// All that is drawn: what a run of it would be, and what it is predicted on. A plain value.
struct DrawnPlan
{
    RunPlan run; ///< layout, order, layers a stage, schedule, batch, data, training
    DrawnCluster cluster;
    /// What is priced: the shape of run.model where that can be trained here, else of a model that
    /// can only be predicted (a mixture of experts, …), for which run.model is a dense stand-in.
    ModelShape shape;
    bool trainable = true;

    // On a cluster. Runs on this machine compute in fp32 and do none of the rest.
    NumberFormat precision = NumberFormat::Bf16;
    std::string software = "megatron-core-2024"; ///< profile
    ZeroStage zero = ZeroStage::None;
    Recompute recompute = Recompute::None;
    int recomputedLayers = -1; ///< layers a stage under full recompute; −1: all
    bool sequenceParallel = false;
    int cp = 1;
    int ep = 1;
    int expertTp = 1;
    int shardGroup = 0; ///< ranks over which ZeRO shards; 0: all of the data and context ranks
    bool offloadActivations = false;
    int vocabularyBarriers = 0; ///< of a vocabulary split over all stages: 1 or 2; 0: not split

    double scheduleMemory = 0; ///< schedule "auto": see ParallelPlan; also on this machine

    std::vector<int> deviceOfRank; ///< empty: rank r on device r
};

/// A run as it was drawn before there were clusters: on this machine, one node.
DrawnPlan drawnPlan(const RunPlan& run);

/// The layout whose ranks are drawn: context ranks are further data ranks, fastest among them.
Layout drawnLayout(const DrawnPlan& plan);
/// Where a rank is placed.
int deviceOf(const DrawnPlan& plan, Rank rank);

/// What is priced, on the devices that the layout uses. Throws Error for an unknown profile.
TrainingJob trainingJob(const DrawnPlan& plan);
ParallelPlan parallelPlan(const DrawnPlan& plan);

/// Takes the sizes, choices and split of a priced layout over into a drawn one, all of them; the
/// batch, the cluster and the model stay. A placement by hand does not outlive another size.
DrawnPlan withParallelPlan(DrawnPlan plan, const ParallelPlan& parallel);

/// A model that can be trained here, from random weights.
DrawnPlan withModel(DrawnPlan plan, const ModelSpec& model);
/// A model that can only be predicted.
DrawnPlan withShape(DrawnPlan plan, const ModelShape& shape);

/// The same floor and settings for another run: sizes, model and floor follow it.
DrawnPlan withRun(DrawnPlan plan, const RunPlan& run);
/// A cluster with as many nodes as the layout needs.
DrawnPlan withNetwork(DrawnPlan plan, const ClusterSpec& network);
/// Other sizes; the number of nodes, and on this machine their size, follow the ranks. A split by
/// hand does not outlive another number of stages, a placement none of these.
DrawnPlan withAxisSizes(DrawnPlan plan, int dp, int tp, int pp);
/// Two ranks change places.
DrawnPlan withRanksSwapped(DrawnPlan plan, Rank a, Rank b);

/// Everything that keeps the plan from running or fitting, and what is worth knowing: the rules of
/// layout and schedule, devices against ranks, tensor groups that leave their node, collectives
/// over slow links. `where` names the setting ("layout.tp", "layout.cp", "cluster.nodes") or the
/// cell ("rank 9"). Never throws.
std::vector<Diagnostic> checkDrawn(const DrawnPlan& plan);

/// Why the plan cannot be run on this machine though it may be sound; empty if it can.
std::string whyNotRunnable(const DrawnPlan& plan);

} // namespace triaxis

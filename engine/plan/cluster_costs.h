#pragma once

#include "engine/plan/drawn_plan.h"
#include "engine/simulate/job_program.h"
#include "engine/simulate/prediction.h"

namespace triaxis
{

/// A drawn plan made ready to be priced on its cluster: what every axis sees of the network where
/// its ranks are placed, and what tells ranks apart that the layout makes alike.
struct ClusterCosts
{
    TrainingJob job;
    ParallelPlan plan;
    AxisNetworks networks;
    Perturbations differences; ///< ranks on other devices, groups that are torn apart
};

/// Throws Error for an unknown profile.
ClusterCosts clusterCosts(const DrawnPlan& plan);

/// The job as the groups of an axis see its network.
TrainingJob jobOver(const ClusterCosts& costs, const ClusterSpec& network);

} // namespace triaxis

#include "engine/search/plan_costs.h"

#include "engine/schedule/chunk_contents.h"

#include <algorithm>
#include <numeric>

namespace triaxis
{
namespace
{

StageCosts slotCosts(const RunPlan& plan, int positions)
{
    const PacePlan& pace = plan.execution.pace;
    StageCosts costs;
    for (int position = 0; position < positions; ++position) {
        costs.forward.push_back(slotSeconds(pace, plan.layout, Kind::Forward, position));
        costs.input.push_back(slotSeconds(pace, plan.layout, Kind::BackwardInput, position));
        costs.weight.push_back(slotSeconds(pace, plan.layout, Kind::BackwardWeight, position));
    }
    const BatchShape& batch = plan.training.batch;
    costs.transfer = pace.pipeline.seconds(double(batch.microbatch) * batch.sequence *
                                           plan.model.hidden * sizeof(float));
    return costs;
}

StageCosts flopCosts(const RunPlan& plan, int positions)
{
    const ProgramInputs inputs = programInputs(plan);
    const std::vector<int> split = layerSplit(plan.layout, plan.model);
    StageCosts costs;
    int firstLayer = 0;
    for (int position = 0; position < positions; ++position) {
        ChunkContent content;
        content.virtualStage = position;
        content.firstLayer = firstLayer;
        content.layerCount = split[std::size_t(position)];
        content.embedding = position == 0;
        content.head = position == positions - 1;
        firstLayer += content.layerCount;
        costs.forward.push_back(double(computeFlops(Kind::Forward, content, inputs)));
        costs.input.push_back(double(computeFlops(Kind::BackwardInput, content, inputs)));
        costs.weight.push_back(double(computeFlops(Kind::BackwardWeight, content, inputs)));
    }
    const double mean =
        std::accumulate(costs.forward.begin(), costs.forward.end(), 0.0) / positions;
    for (std::vector<double>* all : {&costs.forward, &costs.input, &costs.weight})
        for (double& cost : *all)
            cost /= std::max(mean, 1.0);
    return costs;
}

} // namespace

StageCosts planCosts(const RunPlan& plan)
{
    const int positions = plan.layout.pp * plan.layout.virtualStages;
    return plan.execution.pace.active() ? slotCosts(plan, positions) : flopCosts(plan, positions);
}

} // namespace triaxis

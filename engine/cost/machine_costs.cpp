#include "engine/cost/machine_costs.h"

#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/cost/machine_spans.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Played steps, of which the first ones fill the pipeline of a paced run.
constexpr int playedSteps = 6;
constexpr int steadyFrom = 2;
constexpr int shownStep = 3;
constexpr int mostRanks = 512;
constexpr std::size_t mostInstructions = 2'000'000;

void refuse(const std::string& what, const std::string& remedy)
{
    throw Error("cannot predict the run on this machine", what, remedy);
}

} // namespace

MachinePrediction predictOnMachine(const RunPlan& plan, const MachineCalibration& calibration)
{
    if (!plan.execution.hostfile.empty())
        refuse("it spans the machines of " + plan.execution.hostfile,
               "predict a run without --hostfile");
    const int ranks = plan.layout.ranks();
    if (ranks > mostRanks)
        refuse("it has " + std::to_string(ranks) + " ranks",
               "predict at most " + std::to_string(mostRanks));
    const Program program = programOf(plan);
    std::size_t instructions = 0;
    for (const StageProgram& stage : program.perStage)
        instructions += stage.instructions.size();
    instructions *= std::size_t(plan.layout.dp) * std::size_t(plan.layout.tp);
    if (instructions > mostInstructions)
        refuse("it has " + std::to_string(instructions) + " instructions a step",
               "use fewer microbatches");

    MachinePrediction prediction;
    const int wanted = plan.execution.threadsPerRank;
    prediction.threads =
        threadsOfRank(wanted, calibration.cores, ranks, wanted > 0 ? std::nullopt : threadLimit());
    const MachineRates rates(calibration, prediction.threads);
    std::vector<RankWork> work;
    for (int rank = 0; rank < ranks; ++rank) {
        work.push_back(rankWork(plan, program, Rank(rank), rates));
        prediction.memory.push_back(work.back().memory);
    }
    MachineSpans spans(shownStep);
    std::vector<double> steps = playOnMachine(plan, program, work, rates, playedSteps, &spans);
    prediction.spans = spans.take(plan);
    steps.erase(steps.begin(), steps.begin() + steadyFrom);
    const auto middle = steps.begin() + std::ptrdiff_t(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    prediction.stepSeconds = *middle;
    return prediction;
}

} // namespace triaxis

#include "engine/cost/machine_costs.h"

#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/cost/machine_spans.h"
#include "engine/cost/reference_layers.h"
#include "engine/cost/run_samples.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

/// Steps played at an even pace, of which the first ones fill the pipeline of a paced run.
constexpr int playedSteps = 6;
constexpr int steadyFrom = 2;
/// Of a machine whose cores change their pace, as many as show what becomes of it.
constexpr int leastUneven = 12;
constexpr int mostUneven = 1000;
constexpr double instructionsOfPlay = 200'000;
constexpr int shownStep = 3;
constexpr int mostRanks = 512;
constexpr std::size_t mostInstructions = 2'000'000;

void refuse(const std::string& what, const std::string& remedy)
{
    throw Error("cannot predict the run on this machine", what, remedy);
}

double percentile(std::vector<double> values, double share)
{
    const auto place =
        values.begin() +
        std::ptrdiff_t(std::min(values.size() - 1, std::size_t(share * double(values.size()))));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

/// The steps of one plan at whatever pace.
class Player
{
public:
    Player(const RunPlan& plan, const Program& program, const std::vector<RankWork>& work,
           const MachineRates& rates)
        : m_plan(plan), m_program(program), m_work(work), m_rates(rates)
    {
    }

    std::vector<double> steady(const CorePace& pace, int steps, MachineSpans* spans = nullptr) const
    {
        std::vector<double> seconds =
            playOnMachine(m_plan, m_program, m_work, m_rates, pace, steps, spans);
        seconds.erase(seconds.begin(), seconds.begin() + steadyFrom);
        return seconds;
    }
    double evenStep(const CorePace& pace, MachineSpans* spans = nullptr) const
    {
        return percentile(steady(pace, playedSteps, spans), 0.5);
    }

private:
    const RunPlan& m_plan;
    const Program& m_program;
    const std::vector<RankWork>& m_work;
    const MachineRates& m_rates;
};

/// How often the moments of `pace` are gone through in steps of `seconds` of `instructions` each.
int unevenSteps(const CorePace& pace, double seconds, std::size_t instructions)
{
    const double whole = pace.length() / std::max(1e-6, seconds * pace.mean());
    const double affordable = instructionsOfPlay / double(std::max<std::size_t>(1, instructions));
    return steadyFrom +
           int(std::clamp(std::min(whole, affordable), double(leastUneven), double(mostUneven)));
}

/// The even pace at which a step takes `seconds`: nothing but the cores' part of it depends on
/// that.
double evenSlowness(const Player& player, const CorePace& pace, double quickest, double seconds)
{
    const double mean = pace.mean();
    const double there = player.evenStep(CorePace(mean));
    if (std::abs(there - quickest) < 1e-3 * quickest)
        return mean;
    const double slowness = 1 + (mean - 1) * (seconds - quickest) / (there - quickest);
    return std::clamp(slowness, std::min(1.0, mean) / 2, 2 * std::max(1.0, mean));
}

void play(const Player& player, const CorePace& pace, std::size_t instructions,
          MachinePrediction& prediction, MachineSpans& spans)
{
    if (pace.even()) {
        prediction.stepSeconds = player.evenStep(pace, &spans);
        return;
    }
    const double quickest = player.evenStep(CorePace());
    const std::vector<double> steps =
        player.steady(pace, unevenSteps(pace, quickest, instructions));
    prediction.stepSeconds = percentile(steps, 0.5);
    prediction.spread =
        (percentile(steps, 0.9) - percentile(steps, 0.1)) / 2 / prediction.stepSeconds;
    player.evenStep(CorePace(evenSlowness(player, pace, quickest, prediction.stepSeconds)), &spans);
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
    const MachineRates rates = ratesInCompany(calibration, prediction.threads);
    std::vector<RankWork> work;
    for (int rank = 0; rank < ranks; ++rank) {
        work.push_back(rankWork(plan, program, Rank(rank), rates));
        prediction.memory.push_back(work.back().memory);
    }
    MachineSpans spans(shownStep);
    const CorePace pace(calibration);
    prediction.slowness = pace.mean();
    play(Player(plan, program, work, rates), pace.times(runsOverSamples(calibration, ranks)),
         instructions, prediction, spans);
    prediction.spans = spans.take(plan);
    return prediction;
}

} // namespace triaxis

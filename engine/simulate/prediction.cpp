#include "engine/simulate/prediction.h"

#include "engine/core/error.h"
#include "engine/cost/data_exchange.h"
#include "engine/cost/stage_shares.h"
#include "engine/schedule/compute_program.h"
#include "engine/simulate/play_checks.h"
#include "engine/simulate/prediction_columns.h"
#include "engine/simulate/prediction_spans.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

/// Pipelines replayed side by side: as many as the processor's vectors like, few enough that all
/// their times stay in its cache.
constexpr int blockWidth = 16;

double shareOf(double part, double whole)
{
    return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0;
}

/// Share of a chunk's passes that is communication inside its layers and not hidden by pairs of
/// passes, by virtual stage.
std::vector<double> exposedShares(const TrainingJob& job, const ParallelPlan& plan,
                                  const UnitCosts& unit, const StageCosts& costs)
{
    std::vector<double> shares;
    for (const StageShare& share : stageShares(job, plan)) {
        double exposed = 0;
        double whole = 0;
        const auto add = [&](const PassSeconds& pass, double times) {
            exposed += times * pass.exposed;
            whole += times * pass.all();
        };
        add(unit.denseLayer, share.denseLayers);
        add(unit.expertLayer, share.expertLayers);
        add(unit.embedding, share.embedding ? 1 : 0);
        add(unit.head, share.head ? 1 : 0);
        if (overlapsPasses(plan)) {
            const std::size_t position = shares.size();
            const double hidden =
                costs.overlapGain *
                std::min(costs.forward[position], costs.input[position] + costs.weight[position]);
            exposed = std::max(0.0, exposed - hidden);
            whole -= hidden;
        }
        shares.push_back(shareOf(exposed, whole));
    }
    return shares;
}

/// Seconds of each gradient reduction by itself.
std::vector<double> reductionSeconds(const TrainingJob& job, const ParallelPlan& plan,
                                     const CompiledProgram& compiled)
{
    const Collective kind =
        plan.zero == ZeroStage::None ? Collective::AllReduce : Collective::ReduceScatter;
    const GroupPlacement group{plan.dp * plan.cp, plan.tp,
                               std::min(plan.tp, job.cluster.nodeSize())};
    std::vector<double> seconds;
    for (const CollectiveItem& item : compiled.collectives())
        seconds.push_back(item.kind == Kind::GradientReduce
                              ? collectiveSeconds(job.cluster, kind, double(item.bytes), group) /
                                    exchangeRate(job, group)
                              : 0);
    return seconds;
}

int lockstepOf(const TrainingJob& job, const ParallelPlan& plan)
{
    int together = plan.cp;
    if (job.model.expert.experts > 0)
        together = std::max(together, plan.ep * plan.expertTp / std::max(1, plan.tp));
    const int data = plan.dp * plan.cp;
    // Ranks that do not divide evenly: all of them together.
    return together >= 1 && data % together == 0 ? together : data;
}

/// What hopSeconds of the costs assumes: all devices of a stage that sit in a node send at once.
SharedLinks sharedLinksOf(const ClusterSpec& network, const TrainingJob& job,
                          const ParallelPlan& plan, UnitCosts unit)
{
    TrainingJob over = job;
    over.cluster = network;
    unit.hopBytes = 0;
    SharedLinks links;
    links.levels = network.levels;
    links.latency = stageCosts(over, plan, unit).transfer;
    links.concurrent = std::min(plan.tp * plan.cp * plan.dp, network.nodeSize());
    return links;
}

/// What the pipelines leave for the tail, and what is told of them.
struct PipelinesPlayed
{
    std::vector<double> thread, slotReady; ///< [stage or slot · columns + column]
    double end = 0;
    double window = 0; ///< longest from the first begin to the last end of a stage, latest column
    int latest = 0;    ///< column
};

/// Longest window and last end of a column's stages.
struct ColumnEnds
{
    double window = 0;
    double end = 0;
};

ColumnEnds endsOf(const CompiledProgram& compiled, const PipelineTimes& times, std::size_t column)
{
    const auto width = std::size_t(times.width);
    constexpr double never = std::numeric_limits<double>::infinity();
    std::vector<double> first(std::size_t(compiled.stages()), never);
    std::vector<double> last(first.size(), 0);
    ColumnEnds ends;
    for (std::size_t i = 0; i < compiled.computes().size(); ++i) {
        const ComputeItem& item = compiled.computes()[i];
        if (item.position < 0)
            continue;
        const auto stage = std::size_t(item.stage);
        first[stage] = std::min(first[stage], times.computeBegin[i * width + column]);
        last[stage] = std::max(last[stage], times.computeEnd[i * width + column]);
    }
    for (std::size_t stage = 0; stage < first.size(); ++stage)
        if (first[stage] < never) {
            ends.window = std::max(ends.window, last[stage] - first[stage]);
            ends.end = std::max(ends.end, last[stage]);
        }
    return ends;
}

void settle(PipelinesPlayed& played, const std::vector<ColumnEnds>& ends)
{
    const auto latest =
        std::max_element(ends.begin(), ends.end(),
                         [](const ColumnEnds& a, const ColumnEnds& b) { return a.end < b.end; });
    played.latest = int(latest - ends.begin());
    played.end = latest->end;
    played.window = latest->window;
}

PipelinesPlayed playPipelines(const SimulatedPlan& plan, const PredictionOptions& options,
                              const ColumnDurations& durations, int columns,
                              std::vector<RankTime>* ranks)
{
    const auto stages = std::size_t(plan.compiled.stages());
    const auto slots = std::size_t(plan.compiled.slotCount());
    const auto count = std::size_t(columns);
    PipelinesPlayed played;
    played.thread.resize(stages * count);
    played.slotReady.resize(slots * count);
    PipelineDurations block;
    PipelineTimes times;
    std::vector<ColumnEnds> ends(count);
    for (int first = 0; first < columns; first += blockWidth) {
        durations.fill(first, std::min(blockWidth, columns - first), block, ranks);
        plan.compiled.replayPipeline(block, options.transfers, times);
        const auto width = std::size_t(block.width);
        for (std::size_t w = 0; w < width; ++w) {
            const std::size_t column = std::size_t(first) + w;
            for (std::size_t s = 0; s < stages; ++s)
                played.thread[s * count + column] = times.thread[s * width + w];
            for (std::size_t s = 0; s < slots; ++s)
                played.slotReady[s * count + column] = times.slotReady[s * width + w];
            ends[column] = endsOf(plan.compiled, times, w);
        }
    }
    settle(played, ends);
    return played;
}

/// All columns together, since they slow each other.
PipelinesPlayed playSharing(const SimulatedPlan& plan, const ColumnDurations& durations,
                            int columns, std::vector<RankTime>* ranks, PipelineTimes& times)
{
    PipelineDurations all;
    durations.fill(0, columns, all, ranks);
    const StageDevices devices = [&](int column, int stage) {
        return durations.devicesOf(column, stage);
    };
    replaySharedLinks(plan.compiled, all, plan.links, devices, times);
    PipelinesPlayed played;
    played.thread = times.thread;
    played.slotReady = times.slotReady;
    std::vector<ColumnEnds> ends;
    for (int column = 0; column < columns; ++column)
        ends.push_back(endsOf(plan.compiled, times, std::size_t(column)));
    settle(played, ends);
    return played;
}

} // namespace

SimulatedPlan simulatedPlan(const Layout& layout, Program program, StageCosts costs,
                            const StepTail& tail, std::vector<double> exposedShare, int lockstep)
{
    CompiledProgram compiled(program);
    int positions = 0;
    for (const StageProgram& stage : program.perStage)
        for (const ChunkContent& chunk : stage.chunks)
            positions = std::max(positions, chunk.virtualStage + 1);
    checkCosts(costs, positions);
    exposedShare.resize(std::size_t(positions), 0);
    if (lockstep < 1 || layout.dp % lockstep != 0 || layout.pp != compiled.stages())
        throw Error("cannot predict the step",
                    "a layout of " + toText(layout) + " for a program of " +
                        std::to_string(compiled.stages()) + " stages",
                    "make both for the same layout");
    SimulatedPlan simulated{layout, std::move(program), std::move(compiled)};
    simulated.costs = std::move(costs);
    simulated.tail = tail;
    simulated.exposedShare = std::move(exposedShare);
    simulated.lockstep = lockstep;
    return simulated;
}

SimulatedPlan simulatedPlan(const TrainingJob& job, const ParallelPlan& plan)
{
    return simulatedPlan(job, plan, {job.cluster, job.cluster, job.cluster});
}

SimulatedPlan simulatedPlan(const TrainingJob& job, const ParallelPlan& plan,
                            const AxisNetworks& networks)
{
    for (const Diagnostic& finding : checkPlan(job, plan))
        if (finding.severity == Severity::Error)
            throw Error("cannot predict the step", finding.what + " (" + finding.where + ")",
                        finding.mend);
    TrainingJob over = job;
    over.cluster = networks.tensor;
    const UnitCosts unit = unitCosts(over, plan);
    over.cluster = networks.pipeline;
    StageCosts costs = stageCosts(over, plan, unit);
    Program program = programOf(job, plan, costs);
    over.cluster = networks.data;
    std::vector<double> shares = exposedShares(job, plan, unit, costs);
    SimulatedPlan simulated =
        simulatedPlan(layoutOf(job, plan), std::move(program), std::move(costs),
                      stepTail(over, plan, unit), std::move(shares), lockstepOf(job, plan));
    simulated.reductions = reductionSeconds(over, plan, simulated.compiled);
    simulated.barrier = job.software.stepBarrier;
    simulated.links = sharedLinksOf(networks.pipeline, job, plan, unit);
    return simulated;
}

Prediction predict(const SimulatedPlan& plan, const PredictionOptions& options)
{
    checkPerturbations(options.perturbations, plan.layout);
    if (options.sharedLinks && options.transfers != TransferRule::Free)
        throw Error("cannot predict the step", "shared links with transfers by rendezvous",
                    "ask for one of both");
    const bool each = options.everyPipeline || options.sharedLinks || !options.perturbations.none();
    const int columns = each ? plan.layout.dp / plan.lockstep : 1;
    const ColumnDurations durations(plan, options.perturbations, options.transfers);

    Prediction prediction;
    prediction.layout = plan.layout;
    prediction.pipelines = columns;
    if (each)
        prediction.ranks.resize(std::size_t(plan.layout.ranks()));
    std::vector<RankTime>* const ranks = each ? &prediction.ranks : nullptr;
    PipelineTimes together;
    PipelinesPlayed played = options.sharedLinks
                                 ? playSharing(plan, durations, columns, ranks, together)
                                 : playPipelines(plan, options, durations, columns, ranks);
    const TailTimes tail =
        plan.compiled.replayTail(durations.tail(columns), {columns, 1}, std::move(played.thread),
                                 std::move(played.slotReady));
    const double end = tail.end.empty() ? 0 : *std::max_element(tail.end.begin(), tail.end.end());
    // Without a common end the next step begins while stages drain.
    prediction.seconds = plan.tail.overhead + end - (plan.barrier ? 0 : played.end - played.window);
    prediction.pipeline = played.end;
    prediction.column = played.latest;
    for (RankTime& rank : prediction.ranks)
        rank.idle = std::max(0.0, played.end - rank.compute - rank.tensorWait);
    if (options.spans)
        prediction.spans =
            columnSpans(plan, options, durations, tail, columns, played.latest, together);
    return prediction;
}

std::vector<Span> asOnePipeline(const Prediction& prediction, Layout& layout)
{
    layout = prediction.layout;
    layout.dp = layout.tp = 1;
    std::vector<Span> spans = prediction.spans;
    for (Span& span : spans)
        span.rank = Rank(coordinatesOf(prediction.layout, span.rank).pipeline);
    return spans;
}

} // namespace triaxis

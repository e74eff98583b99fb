#include "engine/search/auto_schedule.h"

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/schedule/compute_program.h"
#include "engine/schedule/generators.h"
#include "engine/search/list_schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

constexpr double rounding = 1e-9;

/// A placement of the chunks with its costs: what orders are searched for.
struct Ground
{
    ComputeProgram placement;
    StageCosts costs;
};

struct Best
{
    ComputeProgram program;
    StageCosts costs;
    double makespan = std::numeric_limits<double>::infinity();

    bool offer(const ComputeProgram& candidate, const StageCosts& candidateCosts, double memory)
    {
        const Played played = play(candidate, candidateCosts);
        const double peak = *std::max_element(played.peakLive.begin(), played.peakLive.end());
        if (peak > memory + rounding || played.makespan >= makespan * (1 - rounding))
            return false;
        program = candidate;
        costs = candidateCosts;
        makespan = played.makespan;
        return true;
    }
};

void checkRequest(const AutoRequest& request)
{
    if (request.stages < 1 || request.microbatches < 1 || !request.costs)
        throw Error("cannot search a schedule",
                    std::to_string(request.stages) + " stages and " +
                        std::to_string(request.microbatches) + " microbatches",
                    "use at least one of each");
    if (!std::isfinite(request.memory) || request.memory < 0)
        throw Error("cannot search a schedule", "a memory limit below 0",
                    "give the activations that a stage may hold at once");
}

/// The best of the schedules by name, with as many chunks a stage as may be tried.
void tryNamed(const AutoRequest& request, double memory, AutoSchedule& result, Best& best)
{
    for (const ScheduleInfo& info : schedules()) {
        if (info.name == "auto" || info.name == "custom")
            continue;
        const int most = std::min(request.mostChunks, info.maximumVirtual);
        for (int chunks = std::max(1, info.minimumVirtual); chunks <= most; ++chunks) {
            try {
                const ComputeProgram program =
                    generate(info.name, request.stages, request.microbatches, chunks);
                if (!best.offer(program, request.costs(program), memory))
                    continue;
            } catch (const Error&) {
                continue; // it does not exist for so many stages or microbatches
            }
            result.bestNamed = info.name;
            result.bestNamedMakespan = best.makespan;
        }
    }
}

std::vector<Ground> groundsOf(const AutoRequest& request)
{
    std::vector<ComputeProgram> placements{
        straightPipeline("auto", request.stages, request.microbatches)};
    if (request.mostChunks > 1) {
        placements.push_back(vPipeline("auto", request.stages, request.microbatches));
        placements.push_back(loopedPipeline("auto", request.stages, request.microbatches, 2));
    }
    std::vector<Ground> grounds;
    for (ComputeProgram& placement : placements) {
        try {
            StageCosts costs = request.costs(placement);
            grounds.push_back({std::move(placement), std::move(costs)});
        } catch (const Error&) {
            continue; // it has none
        }
    }
    return grounds;
}

/// Shortest makespan of any order on a placement; see AutoSchedule::lowerBound.
double boundOf(const Ground& ground, int microbatches, double memory)
{
    const StageCosts& costs = ground.costs;
    const ComputeProgram& placement = ground.placement;
    const int last = int(costs.forward.size()) - 1;
    std::vector<double> arrival(costs.forward.size(), 0.0); // of the first microbatch
    std::vector<int> stageOf(costs.forward.size(), 0);
    for (int stage = 0; stage < placement.stages; ++stage)
        for (const int at : placement.virtualStage[std::size_t(stage)])
            stageOf[std::size_t(at)] = stage;
    const auto hop = [&](int at) { return stageOf[std::size_t(at)] == stageOf[std::size_t(at + 1)] ? 0 : costs.transfer; };
    for (int at = 1; at <= last; ++at)
        arrival[std::size_t(at)] = arrival[std::size_t(at - 1)] + costs.forward[std::size_t(at - 1)] + hop(at - 1);
    std::vector<double> gradient(costs.forward.size(), 0.0); // first moment a backward may begin
    gradient[std::size_t(last)] = arrival[std::size_t(last)] + costs.forward[std::size_t(last)];
    for (int at = last - 1; at >= 0; --at)
        gradient[std::size_t(at)] = gradient[std::size_t(at + 1)] + costs.input[std::size_t(at + 1)] + hop(at);
    std::vector<double> wayBack(costs.forward.size(), 0.0); // from the end of an input's backward to that of the first stage
    for (int at = 1; at <= last; ++at)
        wayBack[std::size_t(at)] = wayBack[std::size_t(at - 1)] + costs.input[std::size_t(at - 1)] + hop(at - 1);

    double bound = gradient[0] + costs.input[0] + costs.weight[0];
    for (const std::vector<int>& chunks : placement.virtualStage) {
        double work = 0, mustReturn = 0, begin = std::numeric_limits<double>::infinity(), firstGradient = begin,
               way = begin, longest = 0, forwards = 0;
        for (const int chunk : chunks) {
            const auto at = std::size_t(chunk);
            work += microbatches * (costs.forward[at] + costs.input[at] + costs.weight[at]);
            mustReturn += microbatches * (costs.forward[at] + costs.input[at]);
            forwards += microbatches * costs.forward[at];
            begin = std::min(begin, arrival[at]);
            firstGradient = std::min(firstGradient, gradient[at]);
            way = std::min(way, wayBack[at]);
            longest = std::max(longest, costs.forward[at]);
        }
        // Until the first gradient is back a stage only runs forwards, and only as many as it may hold.
        const double early = std::min(forwards, std::floor(memory * double(chunks.size()) + rounding) * longest);
        const double start = std::max(begin, firstGradient - early);
        bound = std::max({bound, start + work, start + mustReturn + way});
    }
    return bound;
}

/// Improves priorities step by step from several starting points. The number of trials follows from the size, so that the result does not
/// depend on the machine.
class Search
{
public:
    Search(const AutoRequest& request, double memory, Best& best)
        : m_request(request), m_memory(memory), m_best(best), m_random(1, "automatic schedule")
    {
    }

    void run(const Ground& ground)
    {
        const double steps = 3.0 * double(ground.costs.forward.size()) * m_request.microbatches;
        // Each step of a list schedule looks at every stage.
        constexpr double budget = 1.5e8;
        const double affordable = budget / (steps * m_request.stages);
        const int trials = int(std::clamp(3.0e5 / steps, 0.0, 400.0));
        std::vector<StagePriorities> now;
        double length = std::numeric_limits<double>::infinity();
        int left = int(std::min(affordable, 1e6));
        for (const auto& start : startsOf(m_request.stages)) {
            if (left-- <= 0)
                break;
            const double got = attempt(ground, start);
            if (now.empty() || got < length) {
                now = start;
                length = got;
            }
        }
        for (int trial = 0; trial < trials && left-- > 0 && !now.empty(); ++trial) {
            const std::vector<StagePriorities> changed = perturb(now);
            const double got = attempt(ground, changed);
            if (got <= length) {
                now = changed;
                length = got;
            }
        }
    }

private:
    double uniform() { return m_random.uniform(m_drawn++); }

    std::vector<std::vector<StagePriorities>> startsOf(int stages) const
    {
        std::vector<std::vector<StagePriorities>> starts;
        for (const double patience : {0.0, 0.5, 1.0})
            for (const bool forwardsFirst : {false, true})
                for (const bool deep : {true, false})
                    for (const double share : {0.5, 1.0}) {
                        std::vector<StagePriorities> all;
                        for (int stage = 0; stage < stages; ++stage)
                            all.push_back({windowOf(stage, share), patience, forwardsFirst, deep});
                        starts.push_back(std::move(all));
                    }
        return starts;
    }

    /// As many as 1F1B (share ½) or ZB-H2 (1) would hold, within the memory.
    double windowOf(int stage, double share) const
    {
        const double wish = 2 * share * (m_request.stages - stage) - (share > 0.5 ? 1 : 0);
        return std::clamp(wish, 1.0, std::max(1.0, m_memory));
    }

    std::vector<StagePriorities> perturb(std::vector<StagePriorities> all)
    {
        const int changes = 1 + int(3 * uniform());
        for (int change = 0; change < changes; ++change) {
            StagePriorities& one = all[std::size_t(uniform() * double(all.size()))];
            switch (int(4 * uniform())) {
            case 0:
                one.window = std::clamp(one.window + (uniform() < 0.5 ? -0.5 : 0.5) * (1 + int(2 * uniform())), 1.0,
                                        std::max(1.0, m_memory));
                break;
            case 1:
                one.patience = 1.2 * uniform();
                break;
            case 2:
                one.forwardsFirst = !one.forwardsFirst;
                break;
            default:
                one.deepFirst = !one.deepFirst;
                break;
            }
        }
        return all;
    }

    double attempt(const Ground& ground, const std::vector<StagePriorities>& priorities)
    {
        const auto program = listSchedule(ground.placement, ground.costs, priorities);
        if (!program)
            return std::numeric_limits<double>::infinity();
        m_best.offer(*program, ground.costs, m_memory);
        return play(*program, ground.costs).makespan;
    }

    const AutoRequest& m_request;
    double m_memory;
    Best& m_best;
    CounterRandom m_random;
    std::uint64_t m_drawn = 0;
};

/// Improves a finished order by moving single steps, as long as it plays.
class OrderSearch
{
public:
    OrderSearch(StageCosts costs, double memory, Best& best)
        : m_costs(std::move(costs)), m_memory(memory), m_best(best), m_random(2, "automatic schedule")
    {
    }

    void run()
    {
        ComputeProgram now = split(m_best.program);
        double length = m_best.makespan;
        double steps = 0;
        for (const auto& order : now.order)
            steps += double(order.size());
        const int trials = int(std::clamp(4.0e5 / steps, 0.0, 3000.0));
        for (int trial = 0; trial < trials; ++trial) {
            const ComputeProgram changed = move(now);
            try {
                const Played played = play(changed, m_costs);
                if (played.makespan > length * (1 + rounding) ||
                    *std::max_element(played.peakLive.begin(), played.peakLive.end()) > m_memory + rounding)
                    continue;
                length = played.makespan;
                now = changed;
            } catch (const Error&) {
                continue; // the stages wait for each other in a circle
            }
        }
        m_best.offer(now, m_costs, m_memory);
    }

private:
    double uniform() { return m_random.uniform(m_drawn++); }

    /// Full backwards in two, except those that overlap with a forward.
    static ComputeProgram split(ComputeProgram program)
    {
        for (std::vector<ComputeStep>& order : program.order) {
            std::vector<ComputeStep> parts;
            for (const ComputeStep& step : order) {
                const bool paired = step.withNext || (!parts.empty() && parts.back().withNext);
                if (step.kind != Kind::Backward || paired) {
                    parts.push_back(step);
                    continue;
                }
                parts.push_back({Kind::BackwardInput, step.chunk, step.microbatch});
                parts.push_back({Kind::BackwardWeight, step.chunk, step.microbatch});
            }
            order = std::move(parts);
        }
        return program;
    }

    ComputeProgram move(ComputeProgram program)
    {
        constexpr double longest = 6;
        std::vector<ComputeStep>& order = program.order[std::size_t(uniform() * double(program.order.size()))];
        const auto size = std::ptrdiff_t(order.size());
        const auto from = std::ptrdiff_t(uniform() * double(size));
        const auto way = std::ptrdiff_t(1 + longest * uniform());
        const auto to = std::clamp<std::ptrdiff_t>(from + (uniform() < 0.5 ? -way : way), 0, size - 1);
        const auto begin = order.begin();
        const bool paired = std::any_of(begin + std::max<std::ptrdiff_t>(0, std::min(from, to) - 1),
                                        begin + std::max(from, to) + 1,
                                        [](const ComputeStep& step) { return step.withNext; });
        if (paired)
            return program;
        if (to < from)
            std::rotate(begin + to, begin + from, begin + from + 1);
        else
            std::rotate(begin + from, begin + from + 1, begin + to + 1);
        return program;
    }

    StageCosts m_costs;
    double m_memory;
    Best& m_best;
    CounterRandom m_random;
    std::uint64_t m_drawn = 0;
};

} // namespace

StageCosts costsByStage(const StageCosts& ofStages, const ComputeProgram& placement)
{
    const auto stages = std::size_t(placement.stages);
    if (ofStages.forward.size() != stages || ofStages.input.size() != stages ||
        ofStages.weight.size() != stages)
        throw Error("cannot spread the costs of the stages",
                    std::to_string(ofStages.forward.size()) + " entries for " +
                        std::to_string(placement.stages) + " stages",
                    "give one entry a stage");
    const int chunks = placement.chunks / placement.replicas;
    StageCosts costs;
    costs.transfer = ofStages.transfer;
    costs.overlapGain = ofStages.overlapGain;
    costs.forward.assign(stages * std::size_t(chunks), -1);
    costs.input = costs.weight = costs.forward;
    for (std::size_t stage = 0; stage < stages; ++stage)
        for (const int position : placement.virtualStage[stage]) {
            const auto at = std::size_t(position);
            const double forward = ofStages.forward[stage] / chunks;
            const double input = ofStages.input[stage] / chunks;
            const double weight = ofStages.weight[stage] / chunks;
            const bool other = costs.forward[at] >= 0 && (costs.forward[at] != forward ||
                                                          costs.input[at] != input || costs.weight[at] != weight);
            if (other)
                throw Error("cannot spread the costs of the stages",
                            "twins on stages that differ", "use a schedule of one replica");
            costs.forward[at] = forward;
            costs.input[at] = input;
            costs.weight[at] = weight;
        }
    return costs;
}

AutoSchedule searchSchedule(const AutoRequest& request)
{
    checkRequest(request);
    const double memory = request.memory > 0 ? request.memory : double(request.stages);
    AutoSchedule result;
    Best best;
    tryNamed(request, memory, result, best);
    double bound = std::numeric_limits<double>::infinity();
    for (const Ground& ground : groundsOf(request)) {
        Search(request, memory, best).run(ground);
        bound = std::min(bound, boundOf(ground, request.microbatches, memory));
    }
    if (!best.program.order.empty() && best.makespan > bound * (1 + rounding)) {
        OrderSearch(StageCosts(best.costs), memory, best).run();
    }
    if (best.program.order.empty())
        throw Error("cannot search a schedule",
                    "no order keeps to " + std::to_string(memory) + " activations a stage",
                    "allow at least one activation a stage");
    result.program = std::move(best.program);
    result.program.schedule = "auto";
    result.costs = std::move(best.costs);
    result.makespan = best.makespan;
    // A bidirectional schedule has another placement, which the bound does not cover.
    result.lowerBound = std::min(bound, result.makespan);
    return result;
}

} // namespace triaxis

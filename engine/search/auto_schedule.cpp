#include "engine/search/auto_schedule.h"

#include "engine/core/error.h"
#include "engine/schedule/generators.h"
#include "engine/search/list_schedule.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace triaxis
{
namespace
{

constexpr double slack = 1e-9;

struct Candidate
{
    ComputeProgram program;
    StageCosts costs;
    double makespan = std::numeric_limits<double>::infinity();
};

void checkRequest(const AutoRequest& request)
{
    const auto size = std::size_t(std::max(0, request.stages));
    if (request.stages < 1 || request.microbatches < 1)
        throw Error("cannot search for a schedule",
                    std::to_string(request.stages) + " stages and " +
                        std::to_string(request.microbatches) + " microbatches",
                    "use at least one of each");
    if (request.costs.forward.size() != size || request.costs.input.size() != size ||
        request.costs.weight.size() != size)
        throw Error("cannot search for a schedule",
                    "times for another number of stages than " + std::to_string(request.stages),
                    "give F, I and W of every stage");
    if (!request.memory.empty() && request.memory.size() != size)
        throw Error("cannot search for a schedule", "memory limits for another number of stages",
                    "give one for every stage");
}

bool alike(const std::vector<double>& values)
{
    return std::all_of(values.begin(), values.end(),
                       [&](double value) { return value == values.front(); });
}

bool fits(const AutoRequest& request, const Played& played)
{
    for (std::size_t stage = 0; stage < request.memory.size(); ++stage)
        if (played.peakLive[stage] > request.memory[stage] + slack)
            return false;
    return true;
}

/// Times of the virtual stages of a placement.
StageCosts costsOf(const AutoRequest& request, const ComputeProgram& program)
{
    const int chunks = program.chunks / program.replicas;
    StageCosts costs = request.costs;
    costs.forward.assign(std::size_t(program.stages) * chunks, 0);
    costs.input = costs.weight = costs.forward;
    for (int stage = 0; stage < program.stages; ++stage)
        for (int chunk = 0; chunk < program.chunks; ++chunk) {
            const int position = program.virtualStage[stage][chunk];
            costs.forward[position] = request.costs.forward[stage] / chunks;
            costs.input[position] = request.costs.input[stage] / chunks;
            costs.weight[position] = request.costs.weight[stage] / chunks;
        }
    return costs;
}

class Search
{
public:
    explicit Search(const AutoRequest& request)
        : m_request(request), m_even(alike(request.costs.forward) && alike(request.costs.input) &&
                                     alike(request.costs.weight)),
          m_end(std::chrono::steady_clock::now() +
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(request.seconds)))
    {
    }

    AutoResult run()
    {
        for (const ScheduleInfo& info : schedules())
            tryNamed(info);
        AutoResult result;
        result.bestNamed = m_best ? m_best->program.schedule : "";
        result.namedMakespan = m_best ? m_best->makespan : 0;
        tryLists();
        if (!m_best)
            throw Error("cannot find a schedule", "no order fits the memory",
                        "allow at least the activations of one microbatch on every stage");
        result.lowerBound = lowerBound(m_request);
        improve(*m_best, result.lowerBound);
        result.program = m_best->program;
        result.program.schedule = "auto";
        result.costs = m_best->costs;
        result.makespan = m_best->makespan;
        result.gap = result.lowerBound > 0 ? result.makespan / result.lowerBound - 1 : 0;
        return result;
    }

private:
    bool late() const { return std::chrono::steady_clock::now() >= m_end; }

    void consider(Candidate candidate)
    {
        const Played played = play(candidate.program, candidate.costs);
        if (!fits(m_request, played))
            return;
        candidate.makespan = played.makespan;
        if (!m_best || candidate.makespan < m_best->makespan - slack)
            m_best = std::move(candidate);
    }

    void tryNamed(const ScheduleInfo& info)
    {
        if (info.name == "custom" || info.name == "auto" || (info.replicas > 1 && !m_even))
            return;
        for (int chunks = std::max(1, info.minimumVirtual);
             chunks <= std::min(2, info.maximumVirtual); ++chunks) {
            try {
                ComputeProgram program =
                    generate(info.name, m_request.stages, m_request.microbatches, chunks);
                StageCosts costs = costsOf(m_request, program);
                consider({std::move(program), std::move(costs)});
            } catch (const Error&) { // not for this shape
            }
        }
    }

    /// Limits in the manner of 1F1B, with more in flight, and as much as there is memory for.
    std::vector<int> limits(int chunks, double depth) const
    {
        std::vector<int> alive;
        const int stages = m_request.stages;
        for (int stage = 0; stage < stages; ++stage) {
            const double memory =
                m_request.memory.empty() ? m_request.microbatches : m_request.memory[stage];
            const double wanted = chunks == 2 ? depth * stages : depth * (stages - stage) + 1;
            const int most = int(std::floor(memory * chunks + slack));
            alive.push_back(depth > 0 ? std::min(most, int(std::ceil(wanted * chunks))) : most);
        }
        return alive;
    }

    void tryLists()
    {
        for (const bool shape : {true, false})
            for (const double depth : {1.0, 2.0, 1.5, 0.75, 0.5, 0.0})
                for (const bool forwardFirst : {false, true}) {
                    const ListPolicy policy{shape, forwardFirst, limits(shape ? 2 : 1, depth)};
                    const ComputeProgram placement =
                        listPlacement(m_request.stages, m_request.microbatches, policy);
                    const StageCosts costs = costsOf(m_request, placement);
                    if (auto program =
                            listSchedule(m_request.stages, m_request.microbatches, costs, policy))
                        consider({std::move(*program), costs});
                    if (late() && m_best)
                        return;
                }
    }

    /// Moves single steps within their stage and keeps what does not take longer.
    void improve(Candidate& best, double bound)
    {
        std::mt19937 random(1);
        const auto draw = [&](int most) { return int(random() % unsigned(most)); };
        const int tries = 400 + 40 * m_request.microbatches;
        for (int i = 0; i < tries && !late() && best.makespan > bound * (1 + slack); ++i) {
            Candidate changed = best;
            auto& order = changed.program.order[draw(m_request.stages)];
            if (order.size() < 2)
                continue;
            const int from = draw(int(order.size()));
            const int to = std::clamp(from + draw(17) - 8, 0, int(order.size()) - 1);
            const auto paired = [&](int at) {
                return order[at].withNext || (at > 0 && order[at - 1].withNext);
            };
            if (from == to || paired(from) || paired(to))
                continue;
            if (from < to)
                std::rotate(order.begin() + from, order.begin() + from + 1, order.begin() + to + 1);
            else
                std::rotate(order.begin() + to, order.begin() + from, order.begin() + from + 1);
            accept(best, std::move(changed));
        }
    }

    void accept(Candidate& best, Candidate changed) const
    {
        try {
            const Played played = play(changed.program, changed.costs);
            if (played.makespan > best.makespan || !fits(m_request, played))
                return;
            changed.makespan = played.makespan;
            best = std::move(changed);
        } catch (const Error&) { // an order that gets stuck
        }
    }

    const AutoRequest& m_request;
    bool m_even;
    std::chrono::steady_clock::time_point m_end;
    std::optional<Candidate> m_best;
};

} // namespace

double lowerBound(const AutoRequest& request)
{
    checkRequest(request);
    // With V chunks a stage the first of them can begin after 1/V of the stages before it; nothing
    // before one hop. What holds for every placement is the work of each stage alone, and the way
    // of one microbatch through all of them.
    double most = 0;
    double through = 0;
    for (int stage = 0; stage < request.stages; ++stage) {
        const double f = request.costs.forward[stage];
        const double i = request.costs.input[stage];
        const double w = request.costs.weight[stage];
        most = std::max(most, request.microbatches * (f + i + w));
        through += f + i;
    }
    return std::max(most, through);
}

AutoResult autoSchedule(const AutoRequest& request)
{
    checkRequest(request);
    return Search(request).run();
}

} // namespace triaxis

#include "engine/search/exact_prices.h"

#include "engine/cost/live_shares.h"
#include "engine/schedule/generators.h"

#include <algorithm>
#include <utility>

namespace triaxis
{
namespace
{

constexpr std::size_t mostSteps = 4'000'000; ///< of compiled schedules, before older ones go
constexpr std::size_t mostPipelines = 200'000;

/// All that the pipeline depends on: what shards the states is left out.
std::vector<int> pipelineKey(const ParallelPlan& plan, int schedule)
{
    std::vector<int> key{plan.dp,
                         plan.tp,
                         plan.cp,
                         plan.pp,
                         plan.virtualStages,
                         plan.ep,
                         plan.expertTp,
                         plan.microbatch,
                         schedule,
                         static_cast<int>(plan.recompute),
                         plan.recomputedLayers,
                         plan.sequenceParallel ? 1 : 0};
    key.insert(key.end(), plan.layersPerStage.begin(), plan.layersPerStage.end());
    return key;
}

int indexOf(const std::string& schedule)
{
    const std::vector<ScheduleInfo>& all = schedules();
    return static_cast<int>(
        std::find_if(all.begin(), all.end(),
                     [&](const ScheduleInfo& info) { return info.name == schedule; }) -
        all.begin());
}

} // namespace

const UnitCosts& ExactPrices::unitOf(const ParallelPlan& plan)
{
    const UnitKey key{plan.tp,
                      plan.cp,
                      plan.ep,
                      plan.expertTp,
                      plan.microbatch,
                      plan.sequenceParallel ? 1 : 0,
                      static_cast<int>(plan.recompute)};
    const auto found = m_units.find(key);
    return found != m_units.end() ? found->second
                                  : m_units.emplace(key, unitCosts(m_job, plan)).first->second;
}

const CompiledSchedule& ExactPrices::compiledOf(const Shape& shape)
{
    const auto found = m_compiled.find(shape);
    if (found != m_compiled.end()) {
        return *found->second;
    }
    std::unique_ptr<CompiledSchedule> compiled;
    if (const auto older = m_older.find(shape); older != m_older.end()) {
        compiled = std::move(older->second);
        m_older.erase(older);
    } else {
        ScheduleRequest request;
        request.name = shape.schedule;
        request.stages = shape.stages;
        request.microbatches = static_cast<int>(shape.microbatches);
        request.virtualStages = shape.virtualStages;
        compiled = std::make_unique<CompiledSchedule>(generate(request));
    }
    if (m_steps + compiled->steps() > mostSteps) {
        m_older = std::exchange(m_compiled, {});
        m_steps = 0;
    }
    m_steps += compiled->steps();
    return *m_compiled.emplace(shape, std::move(compiled)).first->second;
}

double ExactPrices::memory(const ParallelPlan& plan)
{
    const std::int64_t microbatches = plan.microbatches(m_job.globalBatch);
    const Shape shape{plan.schedule, plan.pp, plan.virtualStages, microbatches};
    auto found = m_live.find(shape);
    if (found == m_live.end()) {
        found = m_live.emplace(shape, liveShares(plan, microbatches)).first;
    }
    double most = 0;
    for (const MemoryParts& parts : memoryByStage(m_job, plan, found->second)) {
        most = std::max(most, parts.total());
    }
    return most;
}

double ExactPrices::pipeline(const ParallelPlan& plan, const StageCosts& costs)
{
    const std::int64_t microbatches = plan.microbatches(m_job.globalBatch);
    const bool oneForwardOneBackward =
        plan.schedule == "1f1b" || (plan.schedule == "interleaved" && plan.virtualStages == 1);
    const bool straight =
        plan.virtualStages == 1 && (oneForwardOneBackward || plan.schedule == "gpipe");
    ++m_played;
    if (straight && m_job.software.stepBarrier) {
        std::vector<double> backward(costs.input);
        for (std::size_t index = 0; index < backward.size(); ++index) {
            backward[index] += costs.weight[index];
        }
        const auto makespan = oneForwardOneBackward ? makespanOneForwardOneBackward : makespanGpipe;
        return makespan(plan.pp, static_cast<int>(microbatches), costs.forward.data(),
                        backward.data(), costs.transfer, m_scratch);
    }
    const std::string name = oneForwardOneBackward ? "1f1b" : plan.schedule;
    const CompiledSchedule& compiled =
        compiledOf({name, plan.pp, plan.virtualStages, microbatches});
    if (m_job.software.stepBarrier) {
        return compiled.makespan(costs, m_scratch);
    }
    const Played played = compiled.play(costs, m_scratch);
    double longest = 0;
    for (std::size_t stage = 0; stage < played.idle.size(); ++stage) {
        longest = std::max(longest, played.makespan - played.idle[stage] + played.idleOwn[stage]);
    }
    return longest;
}

double ExactPrices::seconds(const ParallelPlan& plan)
{
    const UnitCosts& unit = unitOf(plan);
    const std::vector<int> key = pipelineKey(plan, indexOf(plan.schedule));
    auto found = m_pipelines.find(key);
    if (found == m_pipelines.end()) {
        if (m_pipelines.size() > mostPipelines) {
            m_pipelines.clear();
        }
        found = m_pipelines.emplace(key, pipeline(plan, stageCosts(m_job, plan, unit))).first;
    }
    return found->second + stepTail(m_job, plan, unit).total();
}

} // namespace triaxis

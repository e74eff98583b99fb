#include "engine/formats/run_report_facts.h"

#include "engine/record/step_figures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace triaxis
{
namespace
{

/// One result a step, in order; the last one counts.
std::vector<StepResult> orderedSteps(const std::vector<StepResult>& results)
{
    std::map<std::int32_t, StepResult> byStep;
    for (const StepResult& result : results)
        byStep[result.step] = result;
    std::vector<StepResult> steps;
    for (const auto& [step, result] : byStep)
        steps.push_back(result);
    return steps;
}

void addSpeed(ReportFacts& facts, const RunPlan& plan)
{
    const StepFigures figures = stepFigures(facts.steps);
    facts.timedSteps = figures.steps;
    facts.stepSeconds = figures.stepSeconds;
    facts.tokensPerSecond = figures.tokensPerSecond;
    const std::int64_t tokens = figures.steps > 0 ? facts.steps.back().tokens : 0;
    if (tokens > 0 && plan.model.hidden > 0 && plan.training.batch.sequence > 0)
        facts.flopsPerSecond =
            double(trainingFlops(plan.model, tokens, plan.training.batch.sequence)) /
            double(tokens) * facts.tokensPerSecond;
}

double busySeconds(const LaneShare& share)
{
    return share.compute;
}

std::optional<SlowestRank> slowestRank(const StepShares& shares, const Layout& layout)
{
    const bool byStage = layout.dp * layout.tp > 1;
    std::map<int, std::pair<double, int>> groups; // stage, or 0: sum and number of busy ranks
    const auto groupOfRank = [&](std::size_t r) {
        return byStage ? coordinatesOf(layout, Rank(int(r))).pipeline : 0;
    };
    for (std::size_t r = 0; r < shares.perRank.size(); ++r) {
        const double busy = busySeconds(shares.perRank[r]);
        if (busy > 0) {
            auto& [sum, count] = groups[groupOfRank(r)];
            sum += busy;
            ++count;
        }
    }
    std::optional<SlowestRank> slowest;
    for (std::size_t r = 0; r < shares.perRank.size(); ++r) {
        const auto group = groups.find(groupOfRank(r));
        if (group == groups.end() || group->second.second < 2)
            continue;
        const double mean = group->second.first / group->second.second;
        const double excess = busySeconds(shares.perRank[r]) / mean - 1;
        if (!slowest || excess > slowest->excess)
            slowest = SlowestRank{Rank(int(r)), excess, byStage};
    }
    return slowest;
}

std::vector<RankMemory> memoryOf(const RunPlan& plan, const std::vector<MemorySample>& samples)
{
    std::map<int, RankMemory> byRank;
    for (const MemorySample& sample : samples) {
        if (sample.rank.value < 0 || sample.rank.value >= plan.layout.ranks())
            continue;
        RankMemory& memory = byRank[sample.rank.value];
        memory.rank = sample.rank;
        memory.at = coordinatesOf(plan.layout, sample.rank);
        memory.peakTotal = std::max(memory.peakTotal, sample.peakTotal);
        for (std::size_t c = 0; c < memory.peak.size(); ++c)
            memory.peak[c] = std::max(memory.peak[c], sample.peak[c]);
    }
    std::vector<RankMemory> ranks;
    for (const auto& [rank, memory] : byRank)
        ranks.push_back(memory);
    return ranks;
}

} // namespace

ReportFacts reportFacts(const RunPlan& plan, const RunRecords& records)
{
    ReportFacts facts;
    facts.steps = orderedSteps(records.all.steps);
    if (!facts.steps.empty())
        facts.finalLoss = facts.steps.back().loss;
    addSpeed(facts, plan);
    facts.bubble = runBubble(plan, records.all.spans);
    if (facts.bubble.step >= 0) {
        facts.bubbleRows =
            bubbleRows(facts.bubble.shares, plan.layout, closedBubble(facts.bubble.form));
        facts.slowest = slowestRank(facts.bubble.shares, plan.layout);
    }
    std::set<std::int32_t> recorded;
    for (const Span& span : records.all.spans)
        recorded.insert(span.step);
    facts.stepsWithSpans = std::int64_t(recorded.size());
    facts.memory = memoryOf(plan, records.all.memory);
    return facts;
}

} // namespace triaxis

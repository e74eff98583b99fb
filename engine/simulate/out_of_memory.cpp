#include "engine/simulate/out_of_memory.h"

#include "engine/core/error.h"
#include "engine/simulate/memory_over_time.h"

#include <algorithm>
#include <numeric>

namespace triaxis
{
namespace
{

constexpr std::size_t mostMends = 8;

bool mayHelp(const PlanChange& change)
{
    // What a person would change for memory: not another schedule, nor more of a microbatch.
    return change.setting != "training.schedule" && change.setting != "layout.virtualStages";
}

bool isSound(const TrainingJob& job, const ParallelPlan& plan)
{
    return !hasErrors(checkPlan(job, plan));
}

std::optional<MemoryMend> mendWith(const TrainingJob& job, std::vector<PlanChange> changes)
{
    const ParallelPlan& plan = changes.back().plan;
    if (!isSound(job, plan))
        return std::nullopt;
    try {
        MemoryMend mend;
        mend.memory = peakMemory(job, plan);
        if (mend.memory > double(job.cluster.device.memoryBytes))
            return std::nullopt;
        mend.seconds = estimateStep(job, plan).seconds;
        mend.changes = std::move(changes);
        return mend;
    } catch (const Error&) {
        return std::nullopt; // a shape that the schedule does not have
    }
}

void keepQuickest(std::vector<MemoryMend>& mends)
{
    std::stable_sort(mends.begin(), mends.end(), [](const MemoryMend& a, const MemoryMend& b) {
        return a.seconds < b.seconds;
    });
    if (mends.size() > mostMends)
        mends.resize(mostMends);
}

std::vector<MemoryMend> findMends(const TrainingJob& job, const ParallelPlan& plan)
{
    std::vector<MemoryMend> mends;
    std::vector<PlanChange> singles;
    for (PlanChange& change : planChanges(job, plan)) {
        if (!mayHelp(change))
            continue;
        if (std::optional<MemoryMend> mend = mendWith(job, {change}))
            mends.push_back(std::move(*mend));
        singles.push_back(std::move(change));
    }
    if (mends.empty())
        for (const PlanChange& first : singles) {
            if (!isSound(job, first.plan) || peakMemory(job, first.plan) >= peakMemory(job, plan))
                continue;
            for (PlanChange& second : planChanges(job, first.plan))
                if (mayHelp(second) && second.setting != first.setting)
                    if (std::optional<MemoryMend> mend = mendWith(job, {first, std::move(second)}))
                        mends.push_back(std::move(*mend));
        }
    keepQuickest(mends);
    return mends;
}

std::vector<std::pair<std::string, double>> largestOf(const MemoryParts& parts)
{
    std::vector<std::pair<std::string, double>> all = {
        {"weights", parts.weights},
        {"gradients", parts.gradients},
        {"optimizer state", parts.optimizer},
        {"activations", parts.activations},
        {"logits", parts.logits},
        {"gathered weights", parts.gathers},
        {"workspace", parts.workspace},
        {"reserved by the allocator", parts.allocator},
        {"context and libraries", parts.fixed}};
    std::erase_if(all, [](const auto& part) { return part.second <= 0; });
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return all;
}

/// The first forward of the stage at whose begin memory exceeds what there is.
void findInstant(OutOfMemory& out, const SimulatedPlan& simulated, const Prediction& prediction,
                 const std::vector<MemoryParts>& byStage)
{
    std::optional<double> when;
    for (const MemorySample& sample : memoryOverTime(simulated, prediction, byStage)) {
        const double total =
            double(std::accumulate(sample.live.begin(), sample.live.end(), std::int64_t(0)));
        if (coordinatesOf(prediction.layout, sample.rank).pipeline == out.stage &&
            total > out.available) {
            when = sample.time;
            break;
        }
    }
    if (!when || out.needed - out.parts.activations > out.available)
        return;
    for (const Span& span : prediction.spans) {
        if (coordinatesOf(prediction.layout, span.rank).pipeline != out.stage ||
            span.lane != Lane::Compute || span.begin > *when)
            continue;
        const Kind kind = span.id.kind();
        if (kind == Kind::Forward) {
            ++out.liveThen;
            if (span.begin == *when)
                out.instant = span;
        } else if ((kind == Kind::Backward || kind == Kind::BackwardWeight) && span.end < *when) {
            --out.liveThen;
        }
    }
}

} // namespace

std::string MemoryMend::text() const
{
    std::string all;
    for (const PlanChange& change : changes)
        all += (all.empty() ? "" : ", ") + change.what + " " + change.change;
    return all;
}

std::optional<OutOfMemory> explainOutOfMemory(const TrainingJob& job, const ParallelPlan& plan,
                                              const SimulatedPlan* simulated,
                                              const Prediction* prediction)
{
    const std::vector<MemoryParts> byStage = memoryByStage(job, plan);
    const auto fullest = std::max_element(
        byStage.begin(), byStage.end(),
        [](const MemoryParts& a, const MemoryParts& b) { return a.total() < b.total(); });
    const auto available = double(job.cluster.device.memoryBytes);
    if (fullest == byStage.end() || fullest->total() <= available)
        return std::nullopt;
    OutOfMemory out;
    out.stage = int(fullest - byStage.begin());
    out.needed = fullest->total();
    out.available = available;
    out.parts = *fullest;
    out.largest = largestOf(*fullest);
    if (simulated && prediction)
        findInstant(out, *simulated, *prediction, byStage);
    out.mends = findMends(job, plan);
    return out;
}

} // namespace triaxis

#pragma once

#include "engine/cost/step_estimate.h"
#include "engine/search/plan_space.h"
#include "engine/simulate/replay.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace triaxis
{

/// Exact prices of many layouts of one job: what estimateStep and peakMemory give, with everything
/// that layouts share worked out once. Of one thread at a time.
class ExactPrices
{
public:
    /// Keeps a reference.
    explicit ExactPrices(const TrainingJob& job) : m_job(job) {}

    /// Bytes of the fullest rank. The plan must keep the rules; throws Error where its schedule
    /// does not exist for its sizes.
    double memory(const ParallelPlan& plan);
    /// Seconds of a step; likewise.
    double seconds(const ParallelPlan& plan);

    std::int64_t played() const { return m_played; } ///< schedules replayed so far

private:
    struct Shape
    {
        std::string schedule;
        int stages = 1;
        int virtualStages = 1;
        std::int64_t microbatches = 1;
        auto operator<=>(const Shape&) const = default;
    };
    using UnitKey = std::vector<int>;

    const UnitCosts& unitOf(const ParallelPlan& plan);
    const CompiledSchedule& compiledOf(const Shape& shape);
    double pipeline(const ParallelPlan& plan, const StageCosts& costs);

    const TrainingJob& m_job;
    std::map<UnitKey, UnitCosts> m_units;
    std::map<Shape, std::vector<double>> m_live;
    /// What was used lately, and what was used before that and is dropped next.
    std::map<Shape, std::unique_ptr<CompiledSchedule>> m_compiled, m_older;
    std::size_t m_steps = 0; ///< of those used lately
    std::map<std::vector<int>, double> m_pipelines;
    ReplayScratch m_scratch;
    std::int64_t m_played = 0;
};

} // namespace triaxis

#pragma once

// Small jobs, and all their layouts by plain loops: what the search is held against.

#include "engine/core/error.h"
#include "engine/cost/memory.h"
#include "engine/cost/step_estimate.h"
#include "engine/formats/model_shape.h"
#include "engine/schedule/generators.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace triaxis
{

inline TrainingJob smallJob(int devices, std::int64_t batch, const char* profile = "megatron-2021")
{
    TrainingJob job;
    job.model = findModelShape("gpt2");
    job.model.layers = 6;
    job.cluster = clusterPreset("dgx-a100");
    job.cluster.device.memoryBytes = std::int64_t(6) << 30;
    job.software = softwareProfile(profile);
    job.devices = devices;
    job.globalBatch = batch;
    job.sequence = 1024;
    return job;
}

inline TrainingJob expertJob(int devices, std::int64_t batch,
                             const char* profile = "megatron-core-2024")
{
    TrainingJob job = smallJob(devices, batch, profile);
    job.model.expert = {4, 2, 1, 1024, 2};
    return job;
}

struct BruteForce
{
    double best = std::numeric_limits<double>::infinity();
    std::int64_t fitting = 0;
    ParallelPlan plan;                             ///< the best
    std::vector<std::pair<double, double>> prices; ///< seconds, memory
};

/// Every layout by plain loops.
template <class Visit>
void forEachPlan(const TrainingJob& job, Visit visit)
{
    const int most = job.devices;
    ParallelPlan plan;
    const auto withinShape = [&] {
        for (plan.microbatch = 1; plan.microbatch <= job.globalBatch; ++plan.microbatch)
            for (int v = 1; v <= job.model.layers + 2; ++v)
                for (const ScheduleInfo& schedule : schedules())
                    for (int choice = 0; choice < 24; ++choice) {
                        if (schedule.name == "custom" || schedule.name == "auto")
                            continue;
                        plan.virtualStages = v;
                        plan.schedule = schedule.name;
                        plan.sequenceParallel = choice % 2 != 0;
                        plan.zero = static_cast<ZeroStage>(choice / 2 % 4);
                        plan.recompute = static_cast<Recompute>(choice / 8);
                        visit(plan);
                    }
    };
    for (plan.tp = 1; plan.tp <= most; ++plan.tp)
        for (plan.cp = 1; plan.cp <= most; ++plan.cp)
            for (plan.pp = 1; plan.pp <= most; ++plan.pp)
                for (plan.dp = 1; plan.dp <= most; ++plan.dp) {
                    if (plan.devices() != job.devices)
                        continue;
                    for (plan.ep = 1; plan.ep <= std::max(1, job.model.expert.experts); ++plan.ep)
                        for (plan.expertTp = 1; plan.expertTp <= plan.tp; ++plan.expertTp)
                            if (plan.expertTp == 1 || plan.expertTp == plan.tp)
                                withinShape();
                }
}

/// visit(plan, seconds, bytes) for each layout that `wanted` lets through and that fits, priced by
/// estimateStep.
template <class Wanted, class Visit>
void forEachPrice(const TrainingJob& job, Wanted wanted, Visit visit)
{
    forEachPlan(job, [&](const ParallelPlan& plan) {
        if (!wanted(plan) || !checkPlan(job, plan).empty())
            return;
        try {
            if (peakMemory(job, plan) > double(job.cluster.device.memoryBytes))
                return;
            const StepEstimate estimate = estimateStep(job, plan);
            visit(plan, estimate.seconds, estimate.memory);
        } catch (const Error&) {
            // The schedule does not exist for these sizes.
        }
    });
}

inline BruteForce bruteForce(const TrainingJob& job)
{
    BruteForce all;
    const auto everything = [](const ParallelPlan&) { return true; };
    forEachPrice(job, everything, [&](const ParallelPlan& plan, double seconds, double memory) {
        ++all.fitting;
        if (seconds < all.best)
            all.plan = plan;
        all.best = std::min(all.best, seconds);
        all.prices.emplace_back(seconds, memory);
    });
    return all;
}

} // namespace triaxis

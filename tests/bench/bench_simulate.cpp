#include "bench_timer.h"

#include "engine/cost/step_estimate.h"
#include "engine/formats/model_shape.h"
#include "engine/schedule/generators.h"
#include "engine/simulate/prediction.h"
#include "engine/simulate/replay.h"

#include <cstdio>
#include <string>
#include <vector>

using namespace triaxis;
using namespace triaxis::bench;

namespace
{

constexpr double budget = 1; // seconds each

/// Costs that differ from stage to stage, so that nothing can be foreseen.
StageCosts unevenCosts(int stages, int virtualStages)
{
    StageCosts costs = evenCosts(stages, virtualStages, 1, 1.1, 0.9);
    for (std::size_t i = 0; i < costs.forward.size(); ++i)
        costs.forward[i] *= 1 + 0.01 * double(i % 7);
    costs.transfer = 0.02;
    return costs;
}

void report(const std::string& name, double seconds, double steps)
{
    std::printf("%-44s %12.0f schedules/s %10.2f us %8.2f ns a step\n", name.c_str(), 1 / seconds,
                seconds * 1e6, seconds / steps * 1e9);
}

void measureStraight(int stages, int microbatches)
{
    const StageCosts costs = unevenCosts(stages, 1);
    std::vector<double> backward;
    for (std::size_t i = 0; i < costs.input.size(); ++i)
        backward.push_back(costs.input[i] + costs.weight[i]);
    ReplayScratch scratch;
    volatile double sink = 0;
    constexpr int repeats = 200;
    const double seconds = fastest(budget, [&] {
        for (int i = 0; i < repeats; ++i)
            sink = makespanOneForwardOneBackward(stages, microbatches, costs.forward.data(),
                                                 backward.data(), costs.transfer, scratch);
    });
    report("1f1b, recurrence, P " + std::to_string(stages) + ", M " + std::to_string(microbatches),
           seconds / repeats, 2.0 * stages * microbatches);
}

void measureCompiled(const std::string& name, int stages, int microbatches, int virtualStages)
{
    const CompiledSchedule compiled(generate(name, stages, microbatches, virtualStages));
    const StageCosts costs =
        unevenCosts(stages, compiled.positions() / stages > 0 ? compiled.positions() / stages : 1);
    ReplayScratch scratch;
    volatile double sink = 0;
    constexpr int repeats = 20;
    const double seconds = fastest(budget, [&] {
        for (int i = 0; i < repeats; ++i)
            sink = compiled.makespan(costs, scratch);
    });
    report(name + ", compiled, P " + std::to_string(stages) + ", M " +
               std::to_string(microbatches) + ", V " + std::to_string(virtualStages),
           seconds / repeats, double(compiled.steps()));
}

/// Llama 3 405B on 16,384 H100: with the program made and compiled each time, with it kept, and
/// with every rank for itself.
void measureLlama()
{
    TrainingJob job;
    job.model = findModelShape("llama3-405b");
    job.cluster = clusterPreset("dgx-h100");
    job.software = softwareProfile("megatron-core-2024");
    job.devices = 16'384;
    job.sequence = 8'192;
    job.globalBatch = 2'048;
    ParallelPlan plan;
    plan.dp = 128;
    plan.tp = 8;
    plan.pp = 16;
    plan.virtualStages = 8;
    plan.schedule = "interleaved";
    plan.sequenceParallel = true;
    std::printf("llama3-405b on 16384 devices\n");
    std::size_t spans = 0;
    const auto one = [&] { spans = predict(simulatedPlan(job, plan)).spans.size(); };
    std::printf("  one pipeline with spans, from scratch %10.2f ms", fastest(budget, one) * 1e3);
    std::printf(" (%zu spans)\n", spans);
    const SimulatedPlan simulated = simulatedPlan(job, plan);
    std::printf("  one pipeline with spans, compiled     %10.2f ms\n",
                fastest(budget, [&] { predict(simulated); }) * 1e3);
    PredictionOptions options;
    options.everyPipeline = true;
    std::printf("  every rank, none disturbed            %10.1f ms\n",
                fastest(budget, [&] { predict(simulated, options); }) * 1e3);
    options.sharedLinks = true;
    std::printf("  every rank, links shared by a queue   %10.1f ms\n",
                fastest(budget, [&] { predict(simulated, options); }) * 1e3);
    options.sharedLinks = false;
    options.perturbations.jitter = 0.02;
    options.perturbations.slowRanks = {{Rank(100), 1.2}};
    options.perturbations.slowLinks = {{Rank(5), Rank(-1), 2}};
    std::printf("  every rank disturbed                  %10.1f ms\n",
                fastest(budget, [&] { predict(simulated, options); }) * 1e3);
    std::printf("  estimate of the step                  %10.2f ms\n",
                fastest(budget, [&] { estimateStep(job, plan); }) * 1e3);
}

/// Whether the cost of playing every pipeline grows with ranks × microbatches × chunks.
void measureGrowth()
{
    std::printf("every rank disturbed, by size\n");
    for (const int dp : {32, 64, 128})
        for (const int microbatches : {16, 32, 64}) {
            TrainingJob job;
            job.model = findModelShape("llama3-405b");
            job.cluster = clusterPreset("dgx-h100");
            job.software = softwareProfile("megatron-core-2024");
            job.devices = dp * 16;
            job.sequence = 8'192;
            job.globalBatch = std::int64_t(dp) * microbatches;
            ParallelPlan plan;
            plan.dp = dp;
            plan.pp = 16;
            plan.virtualStages = 4;
            plan.schedule = "interleaved";
            const SimulatedPlan simulated = simulatedPlan(job, plan);
            PredictionOptions options;
            options.perturbations.jitter = 0.02;
            const double seconds = fastest(budget / 4, [&] { predict(simulated, options); });
            const double work = double(job.devices) * microbatches * plan.virtualStages;
            std::printf("  %5d ranks, %3d microbatches, 4 chunks %8.1f ms %8.1f ns each\n",
                        job.devices, microbatches, seconds * 1e3, seconds / work * 1e9);
        }
}

} // namespace

int main()
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::printf("wanted: one pipeline with spans < 10 ms, every rank disturbed < 3 s, "
                ">= 200,000 exact 1F1B schedules/s at P 8, M 64\n");
    measureLlama();
    measureGrowth();
    measureStraight(8, 64);
    measureStraight(16, 128);
    measureStraight(64, 512);
    measureCompiled("1f1b", 8, 64, 1);
    measureCompiled("1f1b", 16, 128, 1);
    measureCompiled("1f1b", 64, 512, 1);
    measureCompiled("interleaved", 8, 64, 2);
    measureCompiled("interleaved", 16, 128, 8);
    measureCompiled("zb-h1", 8, 64, 1);
    measureCompiled("dualpipe", 8, 64, 1);
    return 0;
}

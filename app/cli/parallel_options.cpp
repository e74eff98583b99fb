#include "app/cli/parallel_options.h"

#include "engine/core/error.h"
#include "engine/schedule/generators.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>

namespace triaxis::cli
{
namespace
{

constexpr int largestSize = 1 << 20;

std::vector<int> layersFrom(const std::string& text)
{
    std::vector<int> layers;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) {
        int value = 0;
        const auto [rest, code] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (code != std::errc() || rest != part.data() + part.size() || value < 0)
            throw Error("cannot read --layers-per-stage", "'" + text + "'",
                        "give one number for each virtual stage, such as 3,3,2");
        layers.push_back(value);
    }
    return layers;
}

ZeroStage zeroFrom(const std::string& text)
{
    for (const ZeroStage zero :
         {ZeroStage::None, ZeroStage::Optimizer, ZeroStage::Gradients, ZeroStage::Parameters})
        if (text == toText(zero))
            return zero;
    return ZeroStage::None; // "0"
}

Recompute recomputeFrom(const std::string& text)
{
    for (const Recompute recompute : {Recompute::None, Recompute::Selective, Recompute::Full})
        if (text == toText(recompute))
            return recompute;
    return Recompute::None;
}

void setSchedule(const ParallelOptions& options, ParallelPlan& plan)
{
    plan.schedule = options.schedule;
    plan.virtualStages = options.virtualStages;
    if (plan.schedule.empty())
        plan.schedule = plan.virtualStages > 1 ? "interleaved" : "1f1b";
    const ScheduleInfo& info = scheduleInfo(plan.schedule);
    if (info.name == "custom")
        throw Error("cannot predict the step",
                    "\"custom\" stands for an order that somebody has written down",
                    "give another schedule by its name; see triaxis schedule");
    if (info.name == "auto")
        plan.virtualStages = std::max(1, plan.virtualStages);
    if (plan.virtualStages == 0)
        plan.virtualStages = std::clamp(info.maximumVirtual > 1 && plan.pp > 1 ? 2 : 1,
                                        info.minimumVirtual, info.maximumVirtual);
    if (plan.virtualStages < info.minimumVirtual || plan.virtualStages > info.maximumVirtual)
        throw Error("cannot predict the step",
                    info.title + " with " + std::to_string(plan.virtualStages) + " chunks a stage",
                    "give --virtual-stages from " + std::to_string(info.minimumVirtual) + " to " +
                        std::to_string(info.maximumVirtual));
}

} // namespace

void addParallelOptions(CLI::App& command, ParallelOptions& o)
{
    const char* group = "How it is spread";
    const auto size = [&](const char* name, int& value, const char* help) {
        return command.add_option(name, value, help)
            ->check(CLI::Range(1, largestSize))
            ->group(group);
    };
    size("--dp", o.dp, "Data-parallel size (default: what the devices leave)");
    size("--tp", o.tp, "Tensor-parallel size")->capture_default_str();
    size("--pp", o.pp, "Pipeline stages")->capture_default_str();
    size("--cp", o.cp, "Context-parallel size")->capture_default_str();
    size("--ep", o.ep, "Expert-parallel size")->capture_default_str();
    size("--expert-tp", o.expertTp, "Tensor-parallel size inside experts")->capture_default_str();
    size("--virtual-stages", o.virtualStages, "Chunks a stage (default: what the schedule needs)");
    size("--microbatch", o.microbatch, "Sequences a microbatch")->capture_default_str();
    command
        .add_option("--schedule", o.schedule,
                    "Order of the pipeline: 1f1b, interleaved, gpipe, zb-h1, zb-v, dualpipe, auto, "
                    "… (default: 1f1b, with chunks interleaved)")
        ->group(group);
    command
        .add_option("--layers-per-stage", o.layersPerStage,
                    "Layers of each virtual stage, such as 3,3,2 (default: even)")
        ->group(group);
    command.add_option("--recompute", o.recompute, "Activations made again in backward")
        ->check(CLI::IsMember({"none", "selective", "full"}))
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--recomputed-layers", o.recomputedLayers,
                    "Layers a stage under full recompute (default: all)")
        ->check(CLI::Range(0, largestSize))
        ->group(group);
    command
        .add_option("--zero", o.zero,
                    "Sharded over replicas: 1 the optimizer, 2 gradients too, 3 weights too")
        ->check(CLI::IsMember({"none", "0", "1", "2", "3"}))
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--shard-group", o.shardGroup, "Ranks over which ZeRO shards (default: all)")
        ->check(CLI::Range(1, largestSize))
        ->group(group);
    command
        .add_flag("--sequence-parallel", o.sequenceParallel,
                  "Split norms and dropout over the tensor ranks too")
        ->group(group);
}

ParallelPlan parallelPlanFrom(const ParallelOptions& options, TrainingJob& job, bool devicesGiven)
{
    ParallelPlan plan;
    plan.tp = options.tp;
    plan.pp = options.pp;
    plan.cp = options.cp;
    plan.ep = options.ep;
    plan.expertTp = options.expertTp;
    plan.microbatch = options.microbatch;
    plan.sequenceParallel = options.sequenceParallel;
    plan.zero = zeroFrom(options.zero);
    plan.shardGroup = options.shardGroup;
    plan.recompute = recomputeFrom(options.recompute);
    plan.recomputedLayers = options.recomputedLayers;
    plan.layersPerStage = layersFrom(options.layersPerStage);
    setSchedule(options, plan);

    const std::int64_t others = std::int64_t(plan.tp) * plan.pp * plan.cp;
    const std::string product = std::to_string(plan.tp) + " × " + std::to_string(plan.cp) + " × " +
                                std::to_string(plan.pp) + " (tensor × context × pipeline)";
    if (options.dp > 0 || !devicesGiven) {
        plan.dp = std::max(1, options.dp);
        const std::int64_t needed = others * plan.dp;
        if (needed > largestSize || (devicesGiven && needed != job.devices))
            throw Error("cannot predict the step",
                        std::to_string(plan.dp) + " replicas of " + product + " on " +
                            (devicesGiven ? std::to_string(job.devices) + " devices"
                                          : "more devices than anybody has"),
                        "give sizes whose product is the number of devices, or leave out --dp");
        job.devices = int(needed);
        return plan;
    }
    if (others > job.devices || job.devices % others != 0)
        throw Error("cannot predict the step",
                    std::to_string(job.devices) + " devices for " + product,
                    "give sizes whose product divides the number of devices");
    plan.dp = int(job.devices / others);
    return plan;
}

} // namespace triaxis::cli

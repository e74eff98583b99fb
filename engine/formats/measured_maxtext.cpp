#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

#include <algorithm>
#include <tuple>

namespace triaxis
{
namespace
{

/// What MaxText's public script of a model sets (configs/tpu/v4, configs/tpu/v5p, configs/gpu/a3 of
/// AI-Hypercomputer/maxtext): the table gives model and hardware only.
struct ScriptSettings
{
    const char* model;
    int batchPerDevice; ///< sequences
    int tp;
    Recompute recompute; ///< remat_policy: minimal keeps all products, full none
    int sequence;
};

constexpr ScriptSettings scripts[] = {
    {"22B", 13, 1, Recompute::Full, 2048},          {"32B", 7, 4, Recompute::Selective, 2048},
    {"52B", 7, 1, Recompute::Full, 2048},           {"64B", 3, 4, Recompute::Selective, 2048},
    {"128B", 1, 8, Recompute::Selective, 2048},     {"256B", 1, 8, Recompute::Selective, 2048},
    {"512B", 2, 8, Recompute::Full, 2048},          {"1024B", 2, 8, Recompute::Full, 2048},
    {"Llama2-7B", 4, 1, Recompute::Selective, 4096}};

const ScriptSettings& scriptOf(const std::string& model)
{
    for (const ScriptSettings& settings : scripts) {
        if (lowerCase(model) == lowerCase(settings.model))
            return settings;
    }
    throw RowProblem("batch and sharding are not stated, and no public script of \"" +
                     model.substr(0, 40) + "\" is known");
}

/// "2x v5p-1024" (names count TensorCores, two a chip), "4x A3 (8xH100)".
struct Hardware
{
    int groups = 1; ///< slices or nodes, joined by the data centre's network
    int chips = 8;  ///< of one
    ClusterSpec cluster;
};

Hardware hardwareOf(const std::string& text)
{
    Hardware hardware;
    const std::string name = lowerCase(text);
    const std::size_t times = name.find('x');
    hardware.groups =
        times == std::string::npos ? 0 : namedNumber("n=" + name.substr(0, times), "n").value_or(0);
    if (hardware.groups < 1 || hardware.groups > (1 << 16))
        throw RowProblem("hardware is \"" + text.substr(0, 40) + "\", without a number of slices");
    if (name.find("a3") != std::string::npos) {
        hardware.cluster = clusterPreset("a3-h100");
        return hardware;
    }
    for (const auto& [prefix, preset, cores] :
         {std::tuple("v5p-", "tpu-v5p-pod", 2), std::tuple("v4-", "tpu-v4-pod", 2),
          std::tuple("v5e-", "tpu-v5e-pod", 1)}) {
        const std::optional<int> size = namedNumber(name, prefix);
        if (!size)
            continue;
        if (*size < cores || *size > (1 << 20))
            break;
        hardware.chips = *size / cores;
        hardware.cluster = clusterPreset(preset);
        return hardware;
    }
    throw RowProblem("the hardware \"" + text.substr(0, 40) + "\" is not known");
}

std::vector<MeasuredCase> readMaxText(const MeasuredRow& row)
{
    const std::string model = row.text("model");
    MeasuredCase run = caseOf(row, model + ", " + row.text("hardware"));
    const ScriptSettings& script = scriptOf(model);
    const Hardware hardware = hardwareOf(row.text("hardware"));
    run.job.devices = hardware.groups * hardware.chips;
    run.job.cluster = hardware.cluster;
    run.job.sequence = script.sequence;
    run.job.globalBatch = std::int64_t(script.batchPerDevice) * run.job.devices;
    ParallelPlan& plan = run.plan;
    plan.tp = script.tp;
    plan.sequenceParallel = plan.tp > 1;
    fillDataParallel(run);
    plan.microbatch = script.batchPerDevice * script.tp;
    plan.recompute = script.recompute;
    plan.zero = ZeroStage::Parameters;
    if (hardware.groups > 1)
        plan.shardGroup = std::max(1, hardware.chips / script.tp);
    run.job.model =
        measuredModel(lowerCase(model).find("llama") == 0 ? model : "MaxText " + model, run);
    const bool gpus = row.contains("hardware", "a3");
    run.job.software = row.profile(gpus ? "maxtext-gpu" : "maxtext");
    assume(run, "batch, sharding and rematerialisation of the model's public script; weights "
                "sharded within a slice or node, replicated between them; bf16");
    addFlops(run, row, "tflops_per_chip", FlopConvention::ModelFullAttention);
    addMfu(run, row, "mfu_pct", FlopConvention::ModelFullAttention, false);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> maxTextFormats()
{
    return {{"maxtext",
             {"model", "hardware", "tflops_per_chip"},
             readMaxText,
             {"settings are those of the scripts beside the table, not printed in it"}}};
}

} // namespace triaxis

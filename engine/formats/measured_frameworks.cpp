#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

#include <charconv>
#include <cmath>

namespace triaxis
{
namespace
{

void batchOf(MeasuredCase& run, double sequences)
{
    if (!(sequences >= 1 && sequences <= 1e12))
        throw RowProblem("no batch size can be worked out");
    run.job.globalBatch = std::llround(sequences);
}

/// MosaicML's LLM Foundry: FSDP alone.
std::vector<MeasuredCase> readMosaic(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, "MPT " + row.text("model") + ", " + row.text("gpus") + " × " +
                                       row.text("gpu") + ", sequence " + row.text("seq_len"));
    run.job.devices = row.count("gpus");
    run.job.sequence = row.count("seq_len");
    run.plan.dp = run.job.devices;
    run.plan.microbatch = row.count("mbs");
    batchOf(run, double(run.plan.microbatch) * row.count("grad_acc") * run.job.devices);
    run.plan.zero =
        row.contains("sharding_strategy", "GRAD") ? ZeroStage::Gradients : ZeroStage::Parameters;
    run.plan.recompute = row.yes("activation_checkpointing") ? Recompute::Full : Recompute::None;
    run.job.model = measuredModel("mpt-" + row.text("model"), run);
    run.job.model.positions = run.job.sequence;
    run.job.precision = row.contains("precision", "fp8") ? NumberFormat::Fp8 : NumberFormat::Bf16;
    const bool small = row.contains("gpu", "40gb");
    run.job.cluster = clusterPreset(row.contains("gpu", "h100") ? "dgx-h100"
                                    : small                     ? "a100-40gb-800g"
                                                                : "a100-800g");
    run.job.software = row.profile("mosaic-fsdp");
    assume(run,
           "MPT shapes of the public configurations; learned positions of the sequence length");
    addTarget(run, Quantity::TokensPerDeviceSecond, row, "tokens_per_s_per_gpu");
    return {run};
}

/// nanotron: the best layout of each problem.
std::vector<MeasuredCase> readNanotron(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("params_b") + "B, " + row.text("gpus") + " GPUs");
    ParallelPlan& plan = run.plan;
    run.job.devices = row.count("gpus");
    run.job.globalBatch = row.count("gbs_samples");
    run.job.sequence = 4096;
    plan.dp = row.count("dp");
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    plan.microbatch = row.count("mbs");
    plan.sequenceParallel = plan.tp > 1;
    plan.zero = row.textOr("zero_stage", "0") == "1" ? ZeroStage::Optimizer : ZeroStage::None;
    run.job.model = measuredModelOfSize("nanotron", row.number("params_b"), run);
    run.job.cluster = clusterPreset("dgx-h100");
    run.job.software = row.profile("nanotron");
    assume(run,
           "sequence 4,096, reduce-scatter tensor parallelism, as the benchmark's script has it");
    addMfu(run, row, "mfu_pct", FlopConvention::ModelFullAttention);
    addTarget(run, Quantity::Memory, row, "memory_gb", 0x1p30, false);
    return {run};
}

NumberFormat formatOf(const std::string& printed)
{
    const std::string name = lowerCase(printed);
    if (name.find("fp4") != std::string::npos)
        return NumberFormat::Fp4;
    if (name.find("fp8") != std::string::npos || name.find("float8") != std::string::npos)
        return NumberFormat::Fp8;
    return NumberFormat::Bf16;
}

/// NVIDIA's systems by the names of its tables.
ClusterSpec nvidiaCluster(const std::string& system)
{
    const std::string name = lowerCase(system);
    for (const auto& [part, preset] :
         {std::pair("gb300", "gb300-nvl72"), std::pair("gb200", "gb200-nvl72"),
          std::pair("b300", "dgx-b300"), std::pair("b200", "dgx-b200"),
          std::pair("h100", "dgx-h100")}) {
        if (name.find(part) != std::string::npos)
            return clusterPreset(preset);
    }
    throw RowProblem("the system \"" + system.substr(0, 40) + "\" is not known");
}

void nvidiaPlan(MeasuredCase& run, const MeasuredRow& row)
{
    ParallelPlan& plan = run.plan;
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    plan.cp = row.countOr("cp", 1);
    plan.virtualStages = plan.pp > 1 ? row.countOr(row.has("vp") ? "vp" : "vpp", 1) : 1;
    plan.schedule = plan.virtualStages > 1 ? "interleaved" : "1f1b";
    plan.ep = row.countOr("ep", 1);
    plan.expertTp = row.countOr("etp", 1);
    plan.microbatch = row.count("mbs");
    plan.sequenceParallel = plan.tp > 1;
    plan.zero = row.has("fsdp") && row.textOr("fsdp", "0") != "0" ? ZeroStage::Parameters
                                                                  : ZeroStage::Optimizer;
    fillDataParallel(run);
    assume(run, "sequence parallel where tp > 1, distributed optimizer or FSDP as stated, no "
                "recompute");
}

/// NeMo, DGX Cloud and Megatron Bridge share their columns.
std::vector<MeasuredCase> readNvidia(const MeasuredRow& row)
{
    const std::string task = row.textOr("task", "pretrain");
    const std::string system = row.has("system") ? row.text("system") : row.text("gpu");
    const std::string precision = row.textOr("precision", "FP8 (not stated)");
    MeasuredCase run = caseOf(row, row.text("model") + ", " + row.text("gpus") + " × " + system +
                                       ", " + precision + ", " + task);
    readProblem(run, row);
    std::string model = row.text("model");
    for (const char* suffix : {" (tokendrop)", " (dropless)"}) {
        if (const std::size_t at = model.find(suffix); at != std::string::npos)
            model.erase(at);
    }
    run.job.model = measuredModel(model, run);
    run.job.precision = formatOf(precision);
    if (!row.has("precision"))
        assume(run, "number format not stated: FP8");
    if (task.find("LoRA") != std::string::npos) {
        run.job.trainedShare = 1e-3;
        assume(run, "LoRA: a thousandth of the weights is trained");
    }
    nvidiaPlan(run, row);
    run.job.cluster = nvidiaCluster(system);
    run.job.software = row.profile(row.contains("container", "24.0") ? "megatron-core-2024"
                                                                     : "megatron-core-2025");
    if (row.has("step_time_s"))
        addTarget(run, Quantity::StepSeconds, row, "step_time_s");
    else
        addTarget(run, Quantity::TokensPerDeviceSecond, row, "tokens_per_s_per_gpu");
    return {run};
}

} // namespace

std::vector<MeasuredFormat> frameworkFormats()
{
    return {
        {"mosaic-fsdp",
         {"model", "seq_len", "gpus", "gpu", "mbs", "grad_acc", "tokens_per_s_per_gpu",
          "sharding_strategy", "activation_checkpointing"},
         readMosaic,
         {}},
        {"nanotron-best",
         {"gpus", "params_b", "mfu_pct", "dp", "tp", "pp", "mbs", "zero_stage", "gbs_samples"},
         readNanotron,
         {"each row is the best layout of an exhaustive measurement"}},
        {"nvidia-nemo",
         {"model", "gpus", "gbs", "mbs", "seq_len", "tp", "pp", "cp", "vp", "tokens_per_s_per_gpu"},
         readNvidia,
         {}},
        {"nvidia-dgx-cloud",
         {"model", "precision", "gpu", "gpus", "seq_len", "tp", "pp", "cp", "vp", "mbs", "gbs",
          "step_time_s"},
         readNvidia,
         {"Grok-1 at 512 GPUs: tokens/s of the source contradict its step time; the step time is "
          "used"}}};
}

} // namespace triaxis

#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

#include <utility>

namespace triaxis
{
namespace
{

int sequenceOf(const MeasuredRow& row)
{
    if (row.has("seq_len"))
        return row.count("seq_len");
    const int thousands = row.count("seq_len_k");
    if (thousands > (1 << 16))
        throw RowProblem("a sequence of " + std::to_string(thousands) +
                         " thousand is beyond reason");
    return thousands * 1024;
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

/// Releases of the container tell which generation of Megatron Core ran.
const char* generationOf(const MeasuredRow& row)
{
    if (row.contains("container", "24.0"))
        return "megatron-core-2024";
    return row.textOr("release", "").rfind("26.", 0) == 0 ? "megatron-core-2026"
                                                          : "megatron-core-2025";
}

/// NeMo, DGX Cloud and Megatron Bridge share their columns.
std::vector<MeasuredCase> readNvidia(const MeasuredRow& row)
{
    const std::string task = row.textOr("task", "pretrain");
    const std::string system = row.has("system") ? row.text("system") : row.text("gpu");
    const std::string precision = row.textOr("precision", "FP8 (not stated)");
    MeasuredCase run = caseOf(row, row.text("model") + ", " + row.text("gpus") + " × " + system +
                                       ", " + precision + ", " + task);
    run.job.devices = row.count("gpus");
    run.job.globalBatch = row.count("gbs");
    run.job.sequence = sequenceOf(row);
    std::string model = row.text("model");
    for (const char* suffix : {" (tokendrop)", " (dropless)"}) {
        if (const std::size_t at = model.find(suffix); at != std::string::npos)
            model.erase(at);
    }
    run.job.model = measuredModel(model, run);
    run.job.precision = printedFormat(precision);
    if (!row.has("precision"))
        assume(run, "number format not stated: FP8");
    if (task.find("LoRA") != std::string::npos) {
        run.job.trainedShare = 1e-3;
        assume(run, "LoRA: a thousandth of the weights is trained");
    }
    nvidiaPlan(run, row);
    run.job.cluster = nvidiaCluster(system);
    run.job.software = row.profile(generationOf(row));
    if (row.has("step_time_s"))
        addTarget(run, Quantity::StepSeconds, row, "step_time_s");
    else
        addTarget(run, Quantity::TokensPerDeviceSecond, row, "tokens_per_s_per_gpu");
    return {run};
}

/// Long sequences with and without context parallelism: "LLAMA2-7B (FP8) - H100".
std::vector<MeasuredCase> readContextParallel(const MeasuredRow& row)
{
    const std::string title = row.text("title");
    const std::size_t format = title.find(" ("), system = title.rfind(" - ");
    if (format == std::string::npos || system == std::string::npos || system < format)
        throw RowProblem("title is \"" + title.substr(0, 40) + "\", not model, format and system");
    MeasuredCase run = caseOf(row, title + ", sequence " + row.text("seq_len_k") + " Ki");
    run.job.devices = row.count("gpus");
    run.job.globalBatch = row.count("batch");
    run.job.sequence = sequenceOf(row);
    run.job.model = measuredModel(title.substr(0, format), run);
    run.job.precision = printedFormat(title.substr(format, system - format));
    run.job.cluster = nvidiaCluster(title.substr(system + 3));
    ParallelPlan& plan = run.plan;
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    plan.cp = row.count("cp");
    plan.sequenceParallel = plan.tp > 1;
    plan.zero = ZeroStage::Optimizer;
    fillDataParallel(run);
    if (plan.dp != row.countOr("dp", plan.dp))
        assume(run, "the data-parallel size does not match the GPU count: the count is taken");
    run.job.software = row.profile("megatron-core-2024");
    assume(run, "microbatch 1, no recompute, distributed optimizer; the layout without context "
                "parallelism is not stated, its figures are left out");
    addFlops(run, row, "tflops_per_gpu_with_cp", FlopConvention::ModelFullAttention);
    return {run};
}

/// NeMo Megatron Launcher, section 7.1.2 of its README; settings of conf/training/gpt3.
std::vector<MeasuredCase> readLauncher(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("model") + ", " + row.text("gpus") + " GPUs");
    run.job.devices = row.count("gpus");
    run.job.sequence = 2048;
    run.job.globalBatch = 2048;
    run.job.model = measuredModel(row.text("model"), run);
    ParallelPlan& plan = run.plan;
    const bool large = run.job.model.hidden >= 12288;
    plan.tp = large ? 4 : 1;
    plan.pp = large ? 8 : 1;
    plan.virtualStages = large ? run.job.model.layers / plan.pp : 1;
    plan.schedule = large ? "interleaved" : "1f1b";
    plan.microbatch = large ? 1 : 4;
    plan.sequenceParallel = large;
    plan.zero = ZeroStage::Optimizer;
    fillDataParallel(run);
    run.job.cluster = clusterPreset("selene");
    run.job.software = row.profile("megatron-2022");
    assume(run, "layout and batch not stated: those of the launcher's public settings (GPT 5B: "
                "microbatch 4; GPT 175B: tp 4, pp 8, one layer a chunk, microbatch 1; batch 2,048, "
                "sequence 2,048, distributed optimizer, no recompute)");
    addTarget(run, Quantity::TokensPerSecond, row, "tokens_per_s");
    return {run};
}

} // namespace

NumberFormat printedFormat(const std::string& printed)
{
    const std::string name = lowerCase(printed);
    if (name.find("fp4") != std::string::npos)
        return NumberFormat::Fp4;
    if (name.find("fp8") != std::string::npos || name.find("float8") != std::string::npos)
        return NumberFormat::Fp8;
    return NumberFormat::Bf16;
}

std::vector<MeasuredFormat> nvidiaFormats()
{
    const char* cloud = "Grok-1 at 512 GPUs: tokens/s of the source contradict its step time; the "
                        "step time is used";
    return {
        {"nvidia-nemo",
         {"model", "gpus", "gbs", "mbs", "seq_len", "tp", "pp", "cp", "vp", "tokens_per_s_per_gpu"},
         readNvidia,
         {}},
        {"nvidia-nemo-long",
         {"model", "gpus", "gbs", "mbs", "seq_len_k", "tp", "pp", "cp", "vp",
          "tokens_per_s_per_gpu"},
         readNvidia,
         {}},
        {"nvidia-context-parallel",
         {"title", "seq_len_k", "gpus", "batch", "tp", "pp", "cp", "tflops_per_gpu_with_cp"},
         readContextParallel,
         {"in the rows of B200 the data-parallel size contradicts the GPU count"}},
        {"nvidia-launcher", {"model", "gpus", "tokens_per_s", "gpu"}, readLauncher, {}},
        {"nvidia-dgx-cloud",
         {"model", "precision", "gpu", "gpus", "seq_len", "tp", "pp", "cp", "vp", "mbs", "gbs",
          "step_time_s"},
         readNvidia,
         {cloud}}};
}

} // namespace triaxis

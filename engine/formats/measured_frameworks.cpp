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

} // namespace

std::vector<MeasuredFormat> frameworkFormats()
{
    return {{"mosaic-fsdp",
             {"model", "seq_len", "gpus", "gpu", "mbs", "grad_acc", "tokens_per_s_per_gpu",
              "sharding_strategy", "activation_checkpointing"},
             readMosaic,
             {}},
            {"nanotron-best",
             {"gpus", "params_b", "mfu_pct", "dp", "tp", "pp", "mbs", "zero_stage", "gbs_samples"},
             readNanotron,
             {"each row is the best layout of an exhaustive measurement"}}};
}

} // namespace triaxis

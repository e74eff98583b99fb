#include "engine/formats/measured_readers.h"

#include <algorithm>

namespace triaxis
{
namespace
{

std::string sizeLabel(const MeasuredRow& row, const MeasuredCase& run)
{
    return row.text("params_b") + "B, " + std::to_string(run.job.devices) + " GPUs, tp " +
           std::to_string(run.plan.tp) + " pp " + std::to_string(run.plan.pp);
}

ModelShape shapeOfRow(const MeasuredRow& row, const MeasuredCase& run, int vocabulary)
{
    return gptShape("GPT", row.count("layers"), row.count("hidden"), row.count("heads"), vocabulary,
                    run.job.sequence);
}

/// Narayanan et al. 2021, Table 1.
std::vector<MeasuredCase> readSc21(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, "");
    readProblem(run, row);
    ParallelPlan& plan = run.plan;
    readSizes(plan, row);
    plan.virtualStages = row.count("virtual_stages");
    plan.schedule = plan.virtualStages > 1 ? "interleaved" : "1f1b";
    plan.recompute = row.contains("recompute", "full") ? Recompute::Full : Recompute::None;
    run.job.model = shapeOfRow(row, run, paddedVocabulary(run, row.count("vocab"), plan.tp));
    run.job.precision = NumberFormat::Fp16;
    run.job.cluster = clusterPreset("selene");
    run.job.software = row.profile("megatron-2021");
    run.label = sizeLabel(row, run);
    assume(run, "fp16; FLOPs by equation 3 of the paper, which counts full recompute");
    addFlops(run, row, "tflops_per_gpu", FlopConvention::MegatronSc21);
    return {run};
}

/// Splits a model-parallel size as the paper does: tensor within a node of 8, pipeline between.
void splitModelParallel(MeasuredCase& run, int size)
{
    run.plan.tp = std::min(8, size);
    if (size % run.plan.tp != 0)
        throw RowProblem("a model-parallel size of " + std::to_string(size) +
                         " is no multiple of a node's 8 GPUs");
    run.plan.pp = size / run.plan.tp;
    fillDataParallel(run);
    assume(run, "model-parallel size: tensor up to 8, pipeline the rest");
}

/// The README of January 2021: the same models, without layouts.
std::vector<MeasuredCase> readJanuary2021(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, "");
    readProblem(run, row, 2048);
    splitModelParallel(run, row.count("model_parallel_size"));
    run.plan.recompute = Recompute::Full;
    run.openMicrobatch = true;
    assume(run, "sequence not stated: 2,048, as in the paper of the same year");
    assume(run, "recompute not stated: full; FLOPs by the formula of the paper");
    run.job.model = shapeOfRow(row, run, unstatedVocabulary(run, run.plan.tp));
    run.job.precision = NumberFormat::Fp16;
    run.job.cluster = clusterPreset("selene");
    run.job.software = row.profile("megatron-2021");
    run.label = sizeLabel(row, run);
    addFlops(run, row, "tflops_per_gpu", FlopConvention::MegatronSc21);
    return {run};
}

/// Weak scaling of 2020, tensor and data parallelism only.
std::vector<MeasuredCase> read2020(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("system") + ", " + row.text("case"));
    readProblem(run, row, 1024);
    run.plan.tp = row.count("tp");
    run.plan.dp = row.count("dp");
    run.plan.recompute = Recompute::Full;
    run.openMicrobatch = true;
    assume(run, "sequence not stated: 1,024; recompute not stated: full");
    run.job.model = shapeOfRow(row, run, unstatedVocabulary(run, run.plan.tp));
    run.job.precision = NumberFormat::Fp16;
    run.job.cluster = clusterPreset(row.contains("system", "V100") ? "dgx-2" : "dgx-a100-40gb");
    run.job.software = row.profile("megatron-2020");
    addTarget(run, Quantity::StepSeconds, row, "iter_time_ms", 1e-3);
    addFlops(run, row, "tflops_per_gpu", FlopConvention::MegatronSc21, false);
    return {run};
}

/// The deepest interleaving, one layer a chunk, as NVIDIA's own settings of GPT-3 175B have it (pp
/// 8, 12 chunks).
void interleaveByLayer(MeasuredCase& run)
{
    ParallelPlan& plan = run.plan;
    const int layers = run.job.model.layers;
    if (plan.pp == 1 || layers % plan.pp != 0 || layers == plan.pp ||
        plan.microbatches(run.job.globalBatch) % plan.pp != 0)
        return;
    plan.virtualStages = layers / plan.pp;
    plan.schedule = "interleaved";
    assume(run, "chunks not stated: the deepest interleaving, one layer a chunk");
}

/// Megatron Core on H100, weak scaling (README of r0.8).
std::vector<MeasuredCase> readCoreWeak(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, "");
    readProblem(run, row);
    ParallelPlan& plan = run.plan;
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    plan.dp = row.count("dp");
    plan.microbatch = 1;
    plan.sequenceParallel = plan.tp > 1;
    plan.zero = ZeroStage::Optimizer;
    run.openMicrobatch = true;
    run.job.model = shapeOfRow(row, run, paddedVocabulary(run, row.count("vocab"), plan.tp));
    run.job.cluster = clusterPreset("dgx-h100");
    run.job.software = row.profile("megatron-core-2024");
    run.label = sizeLabel(row, run);
    assume(run, "bf16, sequence parallel where tp > 1, distributed optimizer, fused attention "
                "without recompute");
    interleaveByLayer(run);
    addFlops(run, row, "tflops_per_gpu", FlopConvention::ModelFullAttention);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> megatronFormats()
{
    return {
        {"megatron-sc21-table1",
         {"params_b", "heads", "hidden", "layers", "seq_len", "vocab", "tp", "pp", "dp", "mbs",
          "virtual_stages", "gpus", "gbs", "recompute", "tflops_per_gpu"},
         readSc21,
         {"derived_iter_time_s is computed from the paper's FLOP formula, not printed there: it "
          "is not used"}},
        {"megatron-january-2021",
         {"params_b", "heads", "hidden", "layers", "model_parallel_size", "gpus", "gbs",
          "tflops_per_gpu"},
         readJanuary2021,
         {}},
        {"megatron-2020",
         {"system", "case", "hidden", "heads", "layers", "tp", "dp", "gpus", "gbs", "iter_time_ms"},
         read2020,
         {}},
        {"megatron-core-weak-scaling",
         {"params_b", "heads", "hidden", "layers", "tp", "pp", "dp", "gpus", "gbs",
          "tflops_per_gpu", "mfu_pct", "seq_len", "vocab"},
         readCoreWeak,
         {}}};
}

} // namespace triaxis

#include "engine/formats/measured_readers.h"

#include "engine/formats/measured_models.h"

namespace triaxis
{
namespace
{

/// Table 4 of the Llama 3 paper.
std::vector<MeasuredCase> readTable4(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, "");
    ParallelPlan& plan = run.plan;
    run.job.devices = row.count("gpus");
    run.job.sequence = row.count("seq_len");
    plan.tp = row.count("tp");
    plan.cp = row.count("cp");
    plan.pp = row.count("pp");
    plan.dp = row.count("dp");
    const double batch = double(row.count("batch_per_dp")) * plan.dp;
    if (batch > 1e9)
        throw RowProblem("a batch of more than a billion sequences");
    run.job.globalBatch = std::int64_t(batch);
    run.job.model = measuredModel("Llama 3 405B", run);
    ModelShape& model = run.job.model;
    model.layers = row.count("layers");
    model.hidden = row.count("hidden");
    model.heads = row.count("heads");
    model.kvHeads = row.count("kv_heads");
    model.headSize = model.hidden / model.heads;
    plan.sequenceParallel = true;
    plan.zero = ZeroStage::Gradients;
    // The paper removes one layer from the first and the last stage of an interleaved schedule.
    const int chunks = (model.layers + 2) / plan.pp;
    if ((model.layers + 2) % plan.pp == 0 && chunks > 1) {
        plan.virtualStages = chunks;
        plan.schedule = "interleaved";
    }
    run.job.cluster = clusterPreset("h100-roce");
    run.job.software = row.profile("llama3-meta");
    run.label = std::to_string(run.job.devices) + " GPUs, tp " + std::to_string(plan.tp) + " cp " +
                std::to_string(plan.cp) + " pp " + std::to_string(plan.pp) + " dp " +
                std::to_string(plan.dp);
    assume(run, "microbatch 1, one layer a virtual stage, embedding and head in the place of one "
                "layer each, ZeRO-2, sequence parallel, no recompute");
    addFlops(run, row, "tflops_per_gpu", FlopConvention::Model);
    addMfu(run, row, "bf16_mfu_pct", FlopConvention::Model, false);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> llamaFormats()
{
    return {{"llama3-table4",
             {"gpus", "tp", "cp", "pp", "dp", "seq_len", "batch_per_dp", "tflops_per_gpu", "layers",
              "hidden", "heads", "kv_heads"},
             readTable4,
             {"a transcription of the paper's table"}}};
}

} // namespace triaxis

#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// "FSDP32 TP8 PP8 CP2": each axis by its name, 1 where it is not named.
void readAxes(MeasuredCase& run, const std::string& text)
{
    ParallelPlan& plan = run.plan;
    const auto axis = [&](const char* name) { return namedNumber(text, name).value_or(1); };
    const int sharded = axis("FSDP"), hybrid = axis("HSDP");
    const int replicas = axis("DDP");
    for (const int size : {sharded, hybrid, replicas, axis("TP"), axis("PP"), axis("CP")}) {
        if (size < 1 || size > (1 << 20))
            throw RowProblem("parallelism is \"" + text.substr(0, 40) + "\", with a size of " +
                             std::to_string(size));
    }
    plan.tp = axis("TP");
    plan.pp = axis("PP");
    plan.cp = axis("CP");
    plan.sequenceParallel = plan.tp > 1;
    plan.zero = ZeroStage::Parameters;
    fillDataParallel(run);
    if (const int shards = std::max(sharded, hybrid); shards > 1 && shards != plan.dp) {
        if (plan.dp % shards != 0)
            throw RowProblem("parallelism is \"" + text.substr(0, 40) + "\", which does not make " +
                             std::to_string(run.job.devices) + " devices");
        plan.shardGroup = shards * plan.cp;
    }
}

/// Full: every layer. Per operation ("selective"): every second product is run again, priced as
/// full recompute of every second layer.
void readRecompute(MeasuredCase& run, const MeasuredRow& row)
{
    ParallelPlan& plan = run.plan;
    if (row.contains("activation_checkpointing", "full")) {
        plan.recompute = Recompute::Full;
    } else if (row.contains("activation_checkpointing", "sac") ||
               row.contains("activation_checkpointing", "selective")) {
        plan.recompute = Recompute::Full;
        plan.recomputedLayers = run.job.model.layers / plan.pp / 2;
        assume(run, "selective checkpointing by operation runs every second product again: priced "
                    "as full recompute of half the layers");
    }
}

void readBatch(MeasuredCase& run, const MeasuredRow& row)
{
    const int local = row.count("local_batch");
    run.job.globalBatch = std::int64_t(local) * run.plan.dp;
    if (row.has("global_batch") && row.count("global_batch") != run.job.globalBatch)
        throw RowProblem("global_batch is not local_batch times the data-parallel size");
    run.plan.microbatch = run.plan.pp > 1 ? 1 : local;
    if (run.plan.pp > 1)
        assume(run, "microbatch not stated: 1 under a pipeline");
}

ClusterSpec clusterOf(const MeasuredRow& row)
{
    if (row.contains("gpu", "h200"))
        return clusterPreset("dgx-h200");
    if (row.contains("gpu", "96gb"))
        return clusterPreset("h100-96gb-roce");
    if (row.contains("gpu", "h100"))
        return clusterPreset("h100-roce");
    throw RowProblem("the GPU \"" + row.text("gpu").substr(0, 40) + "\" is not known");
}

std::vector<MeasuredCase> readTorchtitan(const MeasuredRow& row)
{
    const std::string techniques = row.textOr("techniques", "");
    MeasuredCase run =
        caseOf(row, row.text("model") + ", " + row.text("gpus") + " GPUs, " +
                        row.text("parallelism") + (techniques.empty() ? "" : ", ") + techniques);
    run.job.devices = row.count("gpus");
    run.job.sequence = row.countOr("seq_len", 8192);
    if (!row.has("seq_len"))
        assume(run, "sequence not stated: 8,192, the tool's default");
    run.job.model = measuredModel(row.text("model"), run);
    readAxes(run, row.text("parallelism"));
    readBatch(run, row);
    readRecompute(run, row);
    run.job.precision =
        row.contains("techniques", "float8") ? NumberFormat::Fp8 : NumberFormat::Bf16;
    run.job.cluster = clusterOf(row);
    run.job.software = row.profile("torchtitan");
    if (!row.contains("techniques", "async"))
        run.job.software.tensorOverlap = 0;
    assume(run, "tensor communication is hidden with asynchronous tensor parallelism only");
    if (row.contains("techniques", "rowwise"))
        assume(run, "scales by row are priced as scales by tensor");
    addTarget(run, Quantity::TokensPerDeviceSecond, row, "tokens_per_s_per_gpu");
    addTarget(run, Quantity::Memory, row, "memory_gib", 0x1p30, false);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> torchtitanFormats()
{
    return {{"torchtitan",
             {"model", "gpus", "gpu", "parallelism", "seq_len", "local_batch",
              "activation_checkpointing", "techniques", "tokens_per_s_per_gpu"},
             readTorchtitan,
             {"a sequence of 8,192 is the tool's default where the source does not state it"}}};
}

} // namespace triaxis

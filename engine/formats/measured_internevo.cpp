#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

namespace triaxis
{
namespace
{

/// "tp=2 pp=1 zero1=4 fsdp=True": zero1 is the number of ranks that share optimizer state, −1 all.
void readConfig(MeasuredCase& run, const std::string& config)
{
    ParallelPlan& plan = run.plan;
    plan.tp = namedNumber(config, "tp").value_or(1);
    plan.pp = namedNumber(config, "pp").value_or(1);
    for (const int size : {plan.tp, plan.pp}) {
        if (size < 1 || size > (1 << 20))
            throw RowProblem("config is \"" + config.substr(0, 40) + "\", with a size of " +
                             std::to_string(size));
    }
    fillDataParallel(run);
    const bool sharded = lowerCase(config).find("fsdp=true") != std::string::npos;
    const std::optional<int> group = namedNumber(config, "zero1");
    plan.zero = sharded ? ZeroStage::Parameters : group ? ZeroStage::Optimizer : ZeroStage::None;
    if (group.value_or(-1) > 0 && *group < plan.dp)
        plan.shardGroup = *group;
}

std::vector<MeasuredCase> readInternEvo(const MeasuredRow& row)
{
    MeasuredCase run =
        caseOf(row, row.text("model") + ", " + row.text("gpus") + " GPUs, " + row.text("config"));
    run.job.devices = row.count("gpus");
    run.job.sequence = row.countOr("seq_len", 2048);
    if (!row.has("seq_len"))
        assume(run, "sequence not stated: 2,048, as in the throughput table");
    run.job.model = measuredModel("InternLM " + row.text("model"), run);
    readConfig(run, row.text("config"));
    ParallelPlan& plan = run.plan;
    plan.microbatch = row.count("micro_bsz");
    const double batch = double(plan.microbatch) * row.count("micro_num") * plan.dp;
    if (batch > 1e9)
        throw RowProblem("a batch of more than a billion sequences");
    run.job.globalBatch = std::int64_t(batch);
    plan.recompute = row.yes("activation_ckpt") ? Recompute::Full : Recompute::None;
    run.job.cluster = clusterPreset(row.contains("gpu", "a800") ? "a800-roce" : "a100-roce");
    run.job.software = row.profile("internevo");
    assume(run, "bf16, 1F1B, no sequence parallelism; memory in GiB");
    addTarget(run, Quantity::TokensPerDeviceSecond, row, "tgs");
    addTarget(run, Quantity::Memory, row, "gpu_memory_gb", 0x1p30, false);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> internEvoFormats()
{
    return {{"internevo",
             {"model", "gpus", "config", "seq_len", "micro_bsz", "micro_num", "activation_ckpt",
              "tgs", "gpu"},
             readInternEvo,
             {"rows of memory use state no sequence length"}}};
}

} // namespace triaxis

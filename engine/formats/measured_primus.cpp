#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

namespace triaxis
{
namespace
{

ClusterSpec clusterOf(const MeasuredRow& row)
{
    for (const auto& [part, preset] :
         {std::pair("mi300x", "mi300x-node"), std::pair("mi325x", "mi325x-node"),
          std::pair("mi355x", "mi355x-node")}) {
        if (row.contains("gpu", part))
            return clusterPreset(preset);
    }
    throw RowProblem("the GPU \"" + row.text("gpu").substr(0, 40) + "\" is not known");
}

/// AMD Primus: measured beside projected throughput. The batch is not printed: without a pipeline
/// it is taken as one microbatch a step, with one the bubble stays unknown.
std::vector<MeasuredCase> readPrimus(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, row.text("model") + ", " + row.text("gpus") + " × " +
                                       row.text("gpu") + ", " + row.text("precision"));
    ParallelPlan& plan = run.plan;
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    plan.cp = row.countOr("cp", 1);
    plan.ep = row.countOr("ep", 1);
    plan.microbatch = row.count("mbs");
    run.job.devices = row.count("gpus");
    run.job.sequence = row.count("seq_len");
    if (plan.pp > 1 && !row.has("gbs"))
        throw RowProblem("the row states no batch: microbatches a step, and with them the "
                         "pipeline's idle share, are unknown");
    plan.zero = row.yes("fsdp") ? ZeroStage::Parameters : ZeroStage::Optimizer;
    plan.sequenceParallel = plan.tp > 1;
    if (plan.pp > 1 && row.countOr("vpp", 1) > 1) {
        plan.virtualStages = row.count("vpp");
        plan.schedule = "interleaved";
    }
    fillDataParallel(run);
    run.job.globalBatch =
        row.has("gbs") ? row.count("gbs") : std::int64_t(plan.microbatch) * plan.dp;
    if (!row.has("gbs"))
        assume(run, "batch not stated: one microbatch a step");
    run.job.model = measuredModel(row.text("model"), run);
    run.job.precision = printedFormat(row.text("precision"));
    run.job.cluster = clusterOf(row);
    run.job.software = row.profile("primus");
    assume(run, "no recompute; fully sharded or distributed optimizer as stated");
    addTarget(run, Quantity::TokensPerDeviceSecond, row, "measured_tok_s_gpu");
    return {run};
}

} // namespace

std::vector<MeasuredFormat> primusFormats()
{
    return {{"primus",
             {"gpu", "model", "precision", "mbs", "seq_len", "tp", "pp", "ep", "gpus",
              "measured_tok_s_gpu"},
             readPrimus,
             {"columns of another simulator's projections are not used"}}};
}

} // namespace triaxis

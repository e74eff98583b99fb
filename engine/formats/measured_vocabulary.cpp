#include "engine/formats/measured_readers.h"

namespace triaxis
{
namespace
{

/// Yeung et al. 2024, Table 5: the vocabulary layer on the last stage, and spread.
std::vector<MeasuredCase> readVocabularyParallel(const MeasuredRow& row)
{
    const std::string method = row.text("method"), schedule = row.text("schedule");
    MeasuredCase run =
        caseOf(row, schedule + " " + method + ", " + row.textOr("model", "GPT") + ", vocabulary " +
                        row.text("vocab") + ", sequence " + row.text("seq_len"));
    if (method != "Baseline")
        throw RowProblem("\"" + method.substr(0, 40) +
                         "\": moved or shared vocabulary layers are not modelled");
    ParallelPlan& plan = run.plan;
    plan.pp = row.count("pp_gpus");
    plan.tp = row.countOr("tp", 1);
    plan.dp = row.countOr("dp", 1);
    plan.microbatch = row.count("mbs");
    if (schedule == "1F1B") {
        plan.schedule = "1f1b";
    } else if (schedule == "V-Half") {
        plan.schedule = "v-half";
        plan.virtualStages = 2;
    } else {
        throw RowProblem("the schedule \"" + schedule.substr(0, 40) + "\" is not known");
    }
    run.job.devices = plan.devices();
    run.job.sequence = row.count("seq_len");
    run.job.globalBatch = std::int64_t(row.count("microbatches")) * plan.microbatch * plan.dp;
    run.job.model = gptShape("GPT", row.count("layers"), row.count("hidden"), row.count("heads"),
                             row.count("vocab"), run.job.sequence);
    run.job.model.tiedHead = false;
    run.job.cluster = clusterPreset("a100-roce");
    run.job.software = row.profile("megatron-core-2024");
    assume(run, "GPU type not stated: A100 80 GB with RoCE; head untied; memory in GiB");
    addMfu(run, row, "mfu_pct", FlopConvention::ModelFullAttention);
    addTarget(run, Quantity::Memory, row, "peak_memory_gb_max_rank", 0x1p30, false);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> vocabularyFormats()
{
    return {{"vocabulary-parallel",
             {"schedule", "method", "pp_gpus", "seq_len", "vocab", "mbs", "microbatches", "layers",
              "heads", "hidden", "mfu_pct"},
             readVocabularyParallel,
             {"a transcription of the paper's table; the GPU type is not in it"}}};
}

} // namespace triaxis

#include "engine/formats/measured_readers.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// DeepSpeed gives every stage but the last the same number of layers, rounded up.
std::vector<int> roundedUpSplit(int layers, int stages)
{
    if (layers % stages == 0)
        return {};
    const int each = (layers + stages - 1) / stages;
    std::vector<int> split;
    for (int left = layers; int(split.size()) < stages; left -= split.back())
        split.push_back(std::min(each, std::max(0, left)));
    return split;
}

std::vector<MeasuredCase> readVtrain(const MeasuredRow& row)
{
    MeasuredCase run = caseOf(row, "");
    readProblem(run, row);
    ParallelPlan& plan = run.plan;
    readSizes(plan, row);
    plan.recompute = row.yes("activation_checkpointing") ? Recompute::Full : Recompute::None;
    const int layers = row.count("layers"), hidden = row.count("hidden");
    run.job.model = gptShape("GPT", layers, hidden, row.count("heads"),
                             unstatedVocabulary(run, plan.tp), run.job.sequence);
    plan.layersPerStage = roundedUpSplit(layers, plan.pp);
    run.job.precision = NumberFormat::Fp16;
    run.job.cluster = clusterPreset("a100-800g");
    run.job.software = row.profile("megatron-deepspeed");
    run.label = std::to_string(layers) + " × " + std::to_string(hidden) + ", batch " +
                std::to_string(run.job.globalBatch) + ", dp " + std::to_string(plan.dp) + " tp " +
                std::to_string(plan.tp) + " pp " + std::to_string(plan.pp) + " mbs " +
                std::to_string(plan.microbatch);
    assume(run, "fp16, no ZeRO, layers uneven where they do not divide: as many as fit in all "
                "stages but the last");
    addTarget(run, Quantity::StepSeconds, row, "iter_time_ms", 1e-3);
    return {run};
}

} // namespace

std::vector<MeasuredFormat> vtrainFormats()
{
    return {
        {"vtrain",
         {"gpus", "gbs", "mbs", "hidden", "heads", "layers", "seq_len", "tp", "dp", "pp",
          "iter_time_ms", "activation_checkpointing", "framework"},
         readVtrain,
         {"The runs of the many-node table are single ones, and some stand alone against their "
          "neighbours: 40 × 6144 at dp 32, tp 8 takes 9 % longer with microbatches of 16 than "
          "of 8, where 30 × 3072 gains with every doubling up to 32; 48 × 8192 at dp 32, tp 2, "
          "pp 8 takes 15 % longer with 2 than with 3. No column tells what else differed. The "
          "first of these decides the figure of the pick, which is a mean over four problems."}}};
}

} // namespace triaxis

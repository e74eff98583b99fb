#include "engine/formats/measured_readers.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

/// The split that balances the stages when the head takes as long as `headLayers` layers: the last
/// stage gets fewer, the others share the rest evenly.
std::vector<int> balancedSplit(int layers, int stages, double headLayers)
{
    if (stages < 2)
        return {};
    int best = 0;
    double least = 0;
    for (int last = 0; last <= layers / stages; ++last) {
        const double others = std::ceil(double(layers - last) / (stages - 1));
        const double slowest = std::max(others, last + headLayers);
        if (last == 0 || slowest < least) {
            best = last;
            least = slowest;
        }
    }
    std::vector<int> split;
    int left = layers - best;
    for (int stage = 0; stage + 1 < stages; ++stage) {
        split.push_back((left + stages - 2 - stage) / (stages - 1 - stage));
        left -= split.back();
    }
    split.push_back(best);
    return split;
}

/// FLOPs of the head over those of a layer, a token: 2hV against 24h² + 4hs, attention not halved.
double headInLayers(const ModelShape& model, int sequence)
{
    return 2.0 * model.vocabulary / (24.0 * model.hidden + 4.0 * sequence);
}

void readMethod(MeasuredCase& run, const std::string& method)
{
    ParallelPlan& plan = run.plan;
    if (method == "Vocab-1" || method == "Vocab-2") {
        plan.vocabularyBarriers = method == "Vocab-1" ? 2 : 1;
    } else if (method == "Interlaced") {
        plan.vocabularyBarriers = 2;
        assume(run,
               "interlaced: priced as a split vocabulary layer whose exchanges are hidden; its "
               "memory is not compared");
    } else if (method == "Redis") {
        plan.layersPerStage = balancedSplit(run.job.model.layers, plan.pp,
                                            headInLayers(run.job.model, run.job.sequence));
        assume(run, "redistributed: layers spread so that FLOPs of the stages balance");
    } else if (method != "Baseline") {
        throw RowProblem("the method \"" + method.substr(0, 40) + "\" is not known");
    }
    if (plan.vocabularyBarriers > 0 && plan.pp == 1)
        throw RowProblem("a vocabulary layer split over one stage");
}

/// Yeung et al. 2024, Table 5: the vocabulary layer on the last stage, and spread.
std::vector<MeasuredCase> readVocabularyParallel(const MeasuredRow& row)
{
    const std::string method = row.text("method"), schedule = row.text("schedule");
    MeasuredCase run =
        caseOf(row, schedule + " " + method + ", " + row.textOr("model", "GPT") + ", vocabulary " +
                        row.text("vocab") + ", sequence " + row.text("seq_len"));
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
    readMethod(run, method);
    run.job.cluster = clusterPreset("a100-roce");
    run.job.software = row.profile("zero-bubble-2024");
    assume(run, "GPU type not stated: A100 80 GB with RoCE; head untied; memory in GiB");
    addMfu(run, row, "mfu_pct", FlopConvention::ModelFullAttention);
    if (method != "Interlaced")
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

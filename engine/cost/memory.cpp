#include "engine/cost/memory.h"

#include "engine/cost/data_exchange.h"
#include "engine/cost/live_shares.h"
#include "engine/cost/operations.h"
#include "engine/cost/stage_shares.h"

#include <algorithm>

namespace triaxis
{
namespace
{

bool wide(const TrainingJob& job)
{
    return job.precision == NumberFormat::Fp32 || job.precision == NumberFormat::Tf32;
}

/// Bytes a layer keeps whole, recompute apart.
struct LayerKept
{
    double scores = 0; ///< [s, s] matrices and their dropout mask
    double rest = 0;
    double selective = 0; ///< of rest: what selective recompute of latent attention does not keep
    double input = 0;     ///< of the layer alone: what full recompute keeps
};

LayerKept layerKept(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer)
{
    const LayerSizes sizes = layerSizes(job, plan);
    const ModelShape& model = job.model;
    const double element = wide(job) ? 4 : 2;
    const double mask = job.software.dropout ? 1 : 0;
    const double hidden = model.hidden;

    LayerKept kept;
    kept.input = element * sizes.splitTokens * hidden;
    // Korthikanti et al. 2022, section 4.1: inputs of the two norms and of what follows them, and
    // the dropout masks …
    kept.rest = sizes.splitTokens * hidden * (4 * element + 2 * mask);
    // … queries, keys and values, and the input of the output projection …
    kept.rest += element * sizes.tokens * (2 * sizes.queryColumns + sizes.keyValueColumns);
    // … and the inputs of the activation function and of the second MLP product.
    double columns = static_cast<double>(model.feedForward) / plan.tp;
    if (expertLayer) {
        columns = static_cast<double>(model.expert.expertFeedForward) *
                  (model.expert.activeExperts + model.expert.sharedExperts) / plan.tp;
        // Dispatched tokens are kept as the experts' input.
        kept.rest += element * sizes.tokens / plan.tp * model.expert.activeExperts * hidden;
    }
    kept.rest += element * sizes.tokens * columns * (model.gatedMlp ? 3 : 2);
    if (model.latent.keyValueRank > 0) {
        // Outputs of the norms and of the activation function; queries, keys and values but for the
        // latent vectors that they come from. In FP8, inputs of experts and of the activation
        // function are kept in FP8 (DeepSeek-V3 report, sections 3.2.3 and 3.3.3).
        const double latent =
            model.latent.queryRank + model.latent.keyValueRank + model.latent.ropeHead;
        const double fine = job.precision == NumberFormat::Fp8 ? 1 : element;
        kept.selective = sizes.splitTokens * hidden * 2 * element +
                         element * sizes.tokens *
                             (sizes.queryColumns + sizes.keyValueColumns - latent + columns) +
                         (element - fine) * sizes.tokens * columns * (model.gatedMlp ? 2 : 1);
        if (expertLayer) {
            kept.selective +=
                (element - fine) * sizes.tokens / plan.tp * model.expert.activeExperts * hidden;
        }
        kept.selective = std::clamp(kept.selective, 0.0, kept.rest);
    }
    if (job.software.fusedAttention) {
        kept.rest += 4 * sizes.tokens * sizes.heads; // log-sum-exp of each row
    } else {
        kept.scores = sizes.tokens * sizes.sequence * sizes.heads * (2 * element + mask);
    }
    return kept;
}

double recomputedShare(const ParallelPlan& plan, int layers)
{
    if (plan.recompute != Recompute::Full || layers == 0) {
        return 0;
    }
    return plan.recomputedLayers < 0
               ? 1
               : std::min(1.0, static_cast<double>(plan.recomputedLayers) / layers);
}

double keptBytes(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer,
                 double recomputed)
{
    const LayerKept kept = layerKept(job, plan, expertLayer);
    const double whole = plan.recompute == Recompute::Selective ? kept.rest - kept.selective
                                                                : kept.rest + kept.scores;
    return recomputed * kept.input + (1 - recomputed) * whole;
}

/// What recomputing one layer needs on top while its backward runs.
double recomputeWorkspace(const TrainingJob& job, const ParallelPlan& plan)
{
    const bool expertLayer = job.model.expert.experts > 0;
    const LayerKept kept = layerKept(job, plan, expertLayer);
    switch (plan.recompute) {
    case Recompute::None:
        return 0;
    case Recompute::Selective:
        return kept.scores + kept.selective;
    case Recompute::Full:
        return kept.rest + kept.scores;
    }
    return 0;
}

double logitBytes(const TrainingJob& job, const ParallelPlan& plan)
{
    // Logits in 16 bits, their float32 form, and its gradient in place.
    const double logits = layerSizes(job, plan).tokens * job.model.vocabulary / plan.tp;
    return logits * ((wide(job) ? 4 : 2) + 4);
}

void addStates(MemoryParts& parts, const TrainingJob& job, const ParallelPlan& plan,
               double parameters, double ranks)
{
    const double weightBytes = wide(job) ? 4 : 2;
    const auto sharded = [&](ZeroStage from) { return plan.zero >= from ? ranks : 1.0; };
    parts.weights += parameters * weightBytes / sharded(ZeroStage::Parameters);
    const double buffer = job.precision == NumberFormat::Bf16 ? job.software.bf16BufferBytes : 0;
    parts.gradients += parameters * job.trainedShare * (job.software.gradientBytes + buffer) /
                       (scattersEachMicrobatch(plan) ? ranks : 1.0);
    parts.optimizer +=
        parameters * job.trainedShare * job.software.optimizerBytes / sharded(ZeroStage::Optimizer);
}

double gatheredBytes(const TrainingJob& job, const ParallelPlan& plan)
{
    if (!scattersEachMicrobatch(plan)) {
        return 0;
    }
    // Whole layers: weights of the one that computes and of the one fetched ahead; or, where only
    // gradients are sharded, gradients of the one that computes and of the one being scattered.
    const double bytes = plan.zero == ZeroStage::Parameters
                             ? (wide(job) ? 4 : 2)
                             : job.software.gradientBytes * job.trainedShare;
    const bool expertLayer = job.model.expert.experts > 0;
    return 2 * rankLayerParameters(job.model, plan, expertLayer) * bytes;
}

} // namespace

double layerActivationBytes(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer)
{
    return keptBytes(job, plan, expertLayer, recomputedShare(plan, 1));
}

std::vector<MemoryParts> memoryByStage(const TrainingJob& job, const ParallelPlan& plan)
{
    return memoryByStage(job, plan, liveShares(plan, plan.microbatches(job.globalBatch)));
}

std::vector<MemoryParts> memoryByStage(const TrainingJob& job, const ParallelPlan& plan,
                                       const std::vector<double>& live)
{
    const std::vector<StageShare> shares = stageShares(job, plan);
    const std::vector<StageParameters> parameters = stageParameters(job, plan);
    std::vector<MemoryParts> stages(plan.pp);
    std::vector<double> kept(plan.pp);
    const std::vector<std::vector<int>> held = virtualStagesByStage(plan);
    // Copies of the weights share the microbatches: a whole share is the mean of their chunks.
    const double copies = replicasOf(plan);
    for (int stage = 0; stage < plan.pp; ++stage) {
        for (const int virtualStage : held[stage]) {
            const StageShare& share = shares[virtualStage];
            const double recomputed = recomputedShare(plan, share.layers());
            kept[stage] += share.denseLayers > 0 ? share.denseLayers / copies *
                                                       keptBytes(job, plan, false, recomputed)
                                                 : 0;
            kept[stage] += share.expertLayers > 0 ? share.expertLayers / copies *
                                                        keptBytes(job, plan, true, recomputed)
                                                  : 0;
            stages[stage].logits += share.head ? logitBytes(job, plan) : 0;
        }
        if (plan.vocabularyBarriers > 0)
            stages[stage].logits = logitBytes(job, plan) / plan.pp;
    }
    // A whole microbatch of a stage is one share of each of its chunks.
    const double barriers = plan.vocabularyBarriers;
    for (int stage = 0; stage < plan.pp; ++stage) {
        MemoryParts& parts = stages[stage];
        addStates(parts, job, plan, parameters[stage].shared, shardRanks(plan));
        addStates(parts, job, plan, parameters[stage].experts, expertShardRanks(plan));
        parts.activations =
            plan.offloadActivations ? kept[stage] : kept[stage] * (live[stage] + barriers);
        parts.workspace = recomputeWorkspace(job, plan);
        parts.gathers = gatheredBytes(job, plan);
        parts.fixed = job.software.fixedBytes;
    }
    for (MemoryParts& parts : stages) {
        parts.allocator = (parts.total() - parts.fixed) * (job.software.allocatorFactor - 1);
    }
    return stages;
}

double peakMemory(const TrainingJob& job, const ParallelPlan& plan)
{
    double most = 0;
    for (const MemoryParts& parts : memoryByStage(job, plan)) {
        most = std::max(most, parts.total());
    }
    return most;
}

double liveMicrobatches(const ParallelPlan& plan, std::int64_t microbatches, int stage)
{
    return liveShares(plan, microbatches).at(stage);
}

} // namespace triaxis

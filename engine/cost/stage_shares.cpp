#include "engine/cost/stage_shares.h"

#include "engine/core/error.h"
#include "engine/cost/operations.h"
#include "engine/layout/layout.h"
#include "engine/schedule/generators.h"

#include <algorithm>

namespace triaxis
{
namespace
{

std::vector<int> splitOf(const TrainingJob& job, const ParallelPlan& plan)
{
    const int virtualStages = plan.pp * plan.virtualStages;
    if (!plan.layersPerStage.empty()) {
        if (static_cast<int>(plan.layersPerStage.size()) != virtualStages) {
            throw Error("cannot spread the layers",
                        "the split has " + std::to_string(plan.layersPerStage.size()) +
                            " entries for " + std::to_string(virtualStages) + " virtual stages",
                        "give one entry for each, or none");
        }
        return plan.layersPerStage;
    }
    if (job.model.layers >= virtualStages) {
        return defaultLayerSplit(job.model.layers, virtualStages);
    }
    if (virtualStages < 3 || job.model.layers + 2 < virtualStages) {
        throw Error("cannot spread the layers",
                    std::to_string(job.model.layers) + " layers over " +
                        std::to_string(virtualStages) + " virtual stages",
                    "use fewer pipeline or virtual stages");
    }
    std::vector<int> split{0};
    const std::vector<int> inner = defaultLayerSplit(job.model.layers, virtualStages - 2);
    split.insert(split.end(), inner.begin(), inner.end());
    split.push_back(0);
    return split;
}

} // namespace

std::vector<StageShare> stageShares(const TrainingJob& job, const ParallelPlan& plan)
{
    const std::vector<int> split = splitOf(job, plan);
    const int dense =
        job.model.expert.experts > 0 ? job.model.expert.denseLayers : job.model.layers;
    std::vector<StageShare> shares(split.size());
    int first = 0;
    for (std::size_t stage = 0; stage < split.size(); ++stage) {
        const int here = std::clamp(dense - first, 0, split[stage]);
        shares[stage].denseLayers = here;
        shares[stage].expertLayers = split[stage] - here;
        first += split[stage];
    }
    shares.front().embedding = true;
    shares.back().head = true;
    // Layers of multi-token prediction sit beside the head.
    const int predicting = job.model.predictedTokens - 1;
    (job.model.expert.experts > 0 ? shares.back().expertLayers : shares.back().denseLayers) +=
        predicting;
    return shares;
}

int replicasOf(const ParallelPlan& plan)
{
    return plan.pp == 1 ? 1 : scheduleInfo(plan.schedule).replicas;
}

std::vector<std::vector<int>> virtualStagesByStage(const ParallelPlan& plan)
{
    const int stages = plan.pp;
    std::vector<std::vector<int>> held(stages);
    const bool both = replicasOf(plan) > 1;
    const bool vee = plan.schedule == "zb-v" || plan.schedule == "v-half" ||
                     plan.schedule == "v-min" || plan.schedule == "dualpipe-v";
    for (int stage = 0; stage < stages; ++stage) {
        if (both || vee) {
            held[stage] = {stage, (vee ? 2 : 1) * stages - 1 - stage};
            continue;
        }
        for (int chunk = 0; chunk < plan.virtualStages; ++chunk) {
            held[stage].push_back(chunk * stages + stage);
        }
    }
    return held;
}

std::vector<StageParameters> stageParameters(const TrainingJob& job, const ParallelPlan& plan)
{
    const ModelShape& model = job.model;
    const double dense = rankLayerParameters(model, plan, false);
    const bool mixed = model.expert.experts > 0;
    const double routed = mixed ? rankExpertParameters(model, plan) : 0;
    const double around = mixed ? rankLayerParameters(model, plan, true) - routed : 0;
    std::vector<StageParameters> stages(plan.pp);
    const std::vector<StageShare> shares = stageShares(job, plan);
    const std::vector<std::vector<int>> held = virtualStagesByStage(plan);
    const bool spread = plan.vocabularyBarriers > 0;
    const double vocabularyShare =
        (embeddingParameters(model) + (model.tiedHead ? 0 : headParameters(model))) /
        (static_cast<double>(plan.tp) * plan.pp);
    for (int index = 0; index < plan.pp; ++index) {
        StageParameters& stage = stages[index];
        bool embeds = false;
        bool predicts = false;
        for (const int virtualStage : held[index]) {
            const StageShare& share = shares[virtualStage];
            stage.shared += share.denseLayers * dense + share.expertLayers * around;
            stage.experts += share.expertLayers * routed;
            stage.shared += share.embedding && !spread ? embeddingParameters(model) / plan.tp : 0;
            embeds = embeds || share.embedding;
            predicts = predicts || share.head;
        }
        // A tied head is a second copy where the last virtual stage lies on another stage than the
        // first.
        const bool own = predicts && !(model.tiedHead && embeds);
        stage.shared += spread ? vocabularyShare : own ? headParameters(model) / plan.tp : 0;
    }
    return stages;
}

double shardRanks(const ParallelPlan& plan)
{
    const int all = plan.dp * plan.cp;
    return std::max(1, plan.shardGroup > 0 ? std::min(plan.shardGroup, all) : all);
}

double expertShardRanks(const ParallelPlan& plan)
{
    const double all = static_cast<double>(plan.dp) * plan.cp * plan.tp /
                       (static_cast<double>(plan.ep) * plan.expertTp);
    return std::max(1.0, all);
}

} // namespace triaxis

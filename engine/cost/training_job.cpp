#include "engine/cost/training_job.h"

#include "engine/core/error.h"
#include "engine/layout/layout.h"

#include <cmath>

namespace triaxis
{

ModelShape shapeOf(const ModelSpec& model)
{
    ModelShape shape;
    const bool gpt2 = model.architecture == Architecture::Gpt2;
    shape.name = model.name;
    shape.layers = model.layers;
    shape.hidden = model.hidden;
    shape.heads = model.heads;
    shape.kvHeads = model.kvHeads;
    shape.headSize = model.headSize;
    shape.feedForward = model.feedForward;
    shape.gatedMlp = !gpt2;
    shape.vocabulary = model.vocabulary;
    shape.positions = gpt2 ? model.positions : 0;
    shape.tiedHead = model.tiedHead;
    shape.biases = gpt2;
    return shape;
}

namespace
{

void demand(bool holds, const ModelShape& shape, const char* field, const char* rule)
{
    if (!holds) {
        throw Error("cannot price the model",
                    (shape.name.empty() ? "the model" : shape.name) + ": " + field + " " + rule,
                    "correct the model's sizes");
    }
}

double attentionParameters(const ModelShape& shape)
{
    const double hidden = shape.hidden;
    const double heads = shape.heads;
    if (shape.latent.keyValueRank > 0) {
        const double keyHead = shape.headSize + shape.latent.ropeHead;
        const double query =
            shape.latent.queryRank > 0
                ? hidden * shape.latent.queryRank + shape.latent.queryRank * heads * keyHead
                : hidden * heads * keyHead;
        const double keyValue =
            hidden * (shape.latent.keyValueRank + shape.latent.ropeHead) +
            shape.latent.keyValueRank * heads * (shape.headSize + shape.latent.valueHead);
        return query + keyValue + heads * shape.latent.valueHead * hidden;
    }
    const double query = heads * shape.headSize;
    const double keyValue = 2.0 * shape.kvHeads * shape.headSize;
    const double biases = shape.biases ? query + keyValue + hidden : 0;
    return hidden * (query + keyValue) + query * hidden + biases;
}

/// From the latent vectors to queries, keys and values.
double upProjectionParameters(const ModelShape& shape)
{
    const LatentAttention& latent = shape.latent;
    const double query = latent.queryRank > 0 ? static_cast<double>(latent.queryRank) *
                                                    shape.heads * (shape.headSize + latent.ropeHead)
                                              : 0;
    return query + static_cast<double>(latent.keyValueRank) * shape.heads *
                       (shape.headSize + latent.valueHead);
}

double mlpParameters(const ModelShape& shape, double width)
{
    const double matrices = shape.gatedMlp ? 3 : 2;
    const double biases = shape.biases ? width * (matrices - 1) + shape.hidden : 0;
    return matrices * shape.hidden * width + biases;
}

/// Matrix FLOPs of one token in one layer's forward, attention scores apart.
double layerFlopsPerToken(const ModelShape& shape, bool expertLayer)
{
    ModelShape bare = shape;
    bare.biases = false;
    double active = attentionParameters(bare);
    if (expertLayer) {
        const double width = static_cast<double>(shape.expert.expertFeedForward) *
                             (shape.expert.activeExperts + shape.expert.sharedExperts);
        active +=
            mlpParameters(bare, width) + static_cast<double>(shape.hidden) * shape.expert.experts;
    } else {
        active += mlpParameters(bare, shape.feedForward);
    }
    return 2 * active;
}

/// FLOPs of scores and weighted sum of one token at the mean of s keys, forward; causal halves
/// them.
double attentionFlopsPerToken(const ModelShape& shape, double sequence, bool causal)
{
    const double keyHead = shape.headSize + shape.latent.ropeHead;
    const double valueHead =
        shape.latent.keyValueRank > 0 ? shape.latent.valueHead : shape.headSize;
    return 2.0 * shape.heads * (keyHead + valueHead) * sequence * (causal ? 0.5 : 1.0);
}

double expertLayers(const ModelShape& shape)
{
    return shape.expert.experts > 0 ? shape.layers - shape.expert.denseLayers : 0;
}

double forwardFlopsPerToken(const ModelShape& shape, double sequence, bool causal)
{
    const double experts = expertLayers(shape);
    const double extra = shape.predictedTokens - 1;
    const double last =
        experts > 0 ? layerFlopsPerToken(shape, true) : layerFlopsPerToken(shape, false);
    return (shape.layers - experts) * layerFlopsPerToken(shape, false) +
           (experts > 0 ? experts * layerFlopsPerToken(shape, true) : 0) +
           (shape.layers + extra) * attentionFlopsPerToken(shape, sequence, causal) + extra * last +
           shape.predictedTokens * 2.0 * shape.hidden * shape.vocabulary;
}

} // namespace

void checkShape(const ModelShape& shape)
{
    const auto inRange = [](double value, double least) { return value >= least && value <= 1e8; };
    demand(inRange(shape.layers, 1), shape, "layers", "must be 1 … 10^8");
    demand(inRange(shape.hidden, 1), shape, "hidden", "must be 1 … 10^8");
    demand(inRange(shape.heads, 1), shape, "heads", "must be 1 … 10^8");
    demand(inRange(shape.kvHeads, 1) && shape.heads % shape.kvHeads == 0, shape, "kvHeads",
           "must divide heads");
    demand(inRange(shape.headSize, 1), shape, "headSize", "must be 1 … 10^8");
    demand(inRange(shape.feedForward, 1), shape, "feedForward", "must be 1 … 10^8");
    demand(inRange(shape.vocabulary, 1), shape, "vocabulary", "must be 1 … 10^8");
    demand(inRange(shape.positions, 0), shape, "positions", "must be 0 … 10^8");
    demand(inRange(shape.predictedTokens, 1), shape, "predictedTokens", "must be 1 … 10^8");
    const ExpertShape& expert = shape.expert;
    demand(inRange(expert.experts, 0), shape, "experts", "must be 0 … 10^8");
    if (expert.experts > 0) {
        demand(expert.activeExperts >= 1 && expert.activeExperts <= expert.experts, shape,
               "activeExperts", "must be 1 … experts");
        demand(inRange(expert.expertFeedForward, 1), shape, "expertFeedForward",
               "must be 1 … 10^8");
        demand(inRange(expert.sharedExperts, 0), shape, "sharedExperts", "must be 0 … 10^8");
        demand(inRange(expert.groups, 0) && expert.activeGroups >= 0 &&
                   expert.activeGroups <= expert.groups,
               shape, "activeGroups", "must be 0 … groups");
        demand(expert.denseLayers >= 0 && expert.denseLayers < shape.layers, shape, "denseLayers",
               "must be 0 … layers − 1");
    }
    const LatentAttention& latent = shape.latent;
    demand(inRange(latent.queryRank, 0) && inRange(latent.keyValueRank, 0) &&
               inRange(latent.ropeHead, 0) && inRange(latent.valueHead, 0),
           shape, "latent attention", "must not be negative");
    demand(latent.keyValueRank == 0 || latent.valueHead > 0, shape, "valueHead",
           "must be given with latent attention");
}

double layerParameters(const ModelShape& shape, bool expertLayer)
{
    const double norms = 2.0 * shape.hidden * (shape.biases ? 2 : 1);
    double mlp = 0;
    if (expertLayer) {
        mlp = (shape.expert.experts + shape.expert.sharedExperts) *
                  mlpParameters(shape, shape.expert.expertFeedForward) +
              static_cast<double>(shape.hidden) * shape.expert.experts;
    } else {
        mlp = mlpParameters(shape, shape.feedForward);
    }
    return attentionParameters(shape) + mlp + norms;
}

double embeddingParameters(const ModelShape& shape)
{
    return static_cast<double>(shape.hidden) *
           (static_cast<double>(shape.vocabulary) + shape.positions);
}

double headParameters(const ModelShape& shape)
{
    return static_cast<double>(shape.hidden) * shape.vocabulary;
}

double parameterCount(const ModelShape& shape)
{
    const double experts = expertLayers(shape);
    const double norm = shape.hidden * (shape.biases ? 2.0 : 1.0);
    return (shape.layers - experts) * layerParameters(shape, false) +
           (experts > 0 ? experts * layerParameters(shape, true) : 0) + embeddingParameters(shape) +
           (shape.tiedHead ? 0 : headParameters(shape)) + norm;
}

const char* toText(ZeroStage zero)
{
    switch (zero) {
    case ZeroStage::None:
        return "none";
    case ZeroStage::Optimizer:
        return "1";
    case ZeroStage::Gradients:
        return "2";
    case ZeroStage::Parameters:
        return "3";
    }
    return "?";
}

const char* toText(Recompute recompute)
{
    switch (recompute) {
    case Recompute::None:
        return "none";
    case Recompute::Selective:
        return "selective";
    case Recompute::Full:
        return "full";
    }
    return "?";
}

std::int64_t ParallelPlan::microbatches(std::int64_t globalBatch) const
{
    const std::int64_t share = static_cast<std::int64_t>(dp) * microbatch;
    return share > 0 && globalBatch % share == 0 ? globalBatch / share : 0;
}

double stepFlops(const TrainingJob& job, const ParallelPlan& plan, FlopConvention convention)
{
    const double tokens = static_cast<double>(job.globalBatch) * job.sequence;
    if (convention == FlopConvention::MegatronSc21) {
        // Narayanan et al. 2021, equation 3, in general sizes: four passes of everything but the
        // head's three.
        ModelShape headless = job.model;
        headless.vocabulary = 0;
        return tokens * (4 * forwardFlopsPerToken(headless, job.sequence, false) +
                         6.0 * job.model.hidden * job.model.vocabulary);
    }
    const bool causal = convention != FlopConvention::ModelFullAttention;
    const double forward = forwardFlopsPerToken(job.model, job.sequence, causal);
    double passes = 3 * forward;
    if (convention == FlopConvention::Hardware) {
        ModelShape headless = job.model;
        headless.vocabulary = 0;
        if (plan.recompute == Recompute::Full) {
            passes += forwardFlopsPerToken(headless, job.sequence, true);
        } else if (plan.recompute == Recompute::Selective) {
            passes +=
                job.model.layers * (job.model.latent.keyValueRank > 0
                                        ? 2 * upProjectionParameters(job.model)
                                        : attentionFlopsPerToken(job.model, job.sequence, true));
        }
    }
    return tokens * passes;
}

} // namespace triaxis

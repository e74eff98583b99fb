#pragma once

#include "engine/cost/training_job.h"

namespace triaxis
{

/// Seconds of one part of a layer on one rank for one microbatch, communication and launch floors
/// apart.
struct WorkSeconds
{
    double forward = 0;
    double input = 0;  ///< backward for the input
    double weight = 0; ///< backward for the weights
    WorkSeconds& operator+=(const WorkSeconds& other);
};

/// Sizes of a layer as one rank sees them.
struct LayerSizes
{
    double tokens = 0; ///< of the microbatch on this rank: b·s/cp
    double splitTokens =
        0;               ///< where sequence parallelism splits them further: tokens/tp, else tokens
    double sequence = 0; ///< keys that attention sees: s
    double heads = 0;    ///< query heads of this rank
    double queryColumns = 0;    ///< of queries
    double keyValueColumns = 0; ///< of keys and values together; at least one head
};

LayerSizes layerSizes(const TrainingJob& job, const ParallelPlan& plan);

/// One matrix product [m, k] × [k, n] with its two backward products, in the job's precision.
WorkSeconds linearSeconds(const TrainingJob& job, double m, double n, double k);
/// Scores, softmax, dropout and weighted sum, without the projections.
WorkSeconds attentionSeconds(const TrainingJob& job, const ParallelPlan& plan);
/// The projections around attention.
WorkSeconds projectionSeconds(const TrainingJob& job, const ParallelPlan& plan);
/// Of them those from latent vectors to queries, keys and values; 0 without latent attention.
WorkSeconds upProjectionSeconds(const TrainingJob& job, const ParallelPlan& plan);
/// Dense MLP or mixture of experts, the router and shared experts included.
WorkSeconds mlpSeconds(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer);
/// Norms, activation functions, dropout, residual sums, and adding gradients to their buffer.
WorkSeconds elementwiseSeconds(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer);
/// Seconds of running norms and activation function again.
double recomputedElementwise(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer);
/// Final norm, vocabulary products and the loss.
WorkSeconds headSeconds(const TrainingJob& job, const ParallelPlan& plan);
/// Lookup of token and position embeddings and its gradient.
WorkSeconds embeddingSeconds(const TrainingJob& job, const ParallelPlan& plan);

/// Parameters of one rank: of a layer, of the embedding, of the head.
double rankLayerParameters(const ModelShape& model, const ParallelPlan& plan, bool expertLayer);
/// Of them those of routed experts, whose gradients are reduced over dp·cp·tp / (ep·expertTp) ranks
/// only.
double rankExpertParameters(const ModelShape& model, const ParallelPlan& plan);

} // namespace triaxis

#pragma once

#include "engine/model/model.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace triaxis
{

/// Which part of the model a parameter belongs to; decides the pipeline stage that holds it.
enum class ParameterOwner {
    Embedding, ///< first virtual stage
    Layer,     ///< the stage that holds `layer`
    FinalNorm, ///< last virtual stage
    Head ///< last virtual stage; with a tied head the parameter is the embedding's second copy
};

/// How a parameter is split over the tensor-parallel group.
enum class TensorSplit {
    Replicated,    ///< every rank holds all of it (norms, biases of row-parallel layers, positions)
    Vocabulary,    ///< rows (dimension 0) by vocabulary entry, ceil(V / TP) rows a rank, the last
                   ///< ranks fewer
    Rows,          ///< dimension 0 in TP equal parts
    Columns,       ///< dimension 1 in TP equal parts
    QueryHeads,    ///< along `splitDimension` by query head
    KeyValueHeads, ///< along `splitDimension` by key/value head; replicated in groups when TP >
                   ///< kvHeads
    FusedQkv       ///< GPT-2 c_attn: three parts side by side along `splitDimension`, each by head
};

/// One parameter tensor of the model with its canonical Hugging Face name (no "transformer."
/// prefix). Layout in memory is Hugging Face's own: GPT-2 linear weights are [in, out] (Conv1D),
/// Llama's [out, in].
struct ParameterSpec
{
    std::string name; ///< "h.0.attn.c_attn.weight", "model.layers.0.self_attn.q_proj.weight"
    std::vector<std::int64_t> shape;
    ParameterOwner owner = ParameterOwner::Layer;
    int layer = -1; ///< for ParameterOwner::Layer
    TensorSplit split = TensorSplit::Replicated;
    int splitDimension = 0;
    bool decays = false;          ///< weight decay: tensors of two or more dimensions only
    double initialScale = 0.0;    ///< standard deviation of random weights
    double initialConstant = 0.0; ///< used when initialScale is 0: 1 for norm weights, 0 for biases
};

/// Every parameter once, in the order of the forward pass. A tied head adds no entry.
std::vector<ParameterSpec> parametersOf(const ModelSpec& model);

/// Exact number of parameters (a tied head counted once).
std::int64_t parameterCount(const ModelSpec& model);
std::int64_t layerParameterCount(const ModelSpec& model);

/// A contiguous block copy between a global tensor and one tensor rank's shard, both row-major.
/// `rows` runs of `run` elements; starts in elements.
struct ShardCopy
{
    std::int64_t globalStart = 0, globalStride = 0;
    std::int64_t shardStart = 0, shardStride = 0;
    std::int64_t rows = 0, run = 0;
};

/// What one tensor rank holds of a parameter.
struct Shard
{
    std::vector<std::int64_t> shape; ///< of the shard
    std::vector<ShardCopy> copies;   ///< together they fill the shard exactly once
    bool partial = false;            ///< true if the shard is less than the whole tensor
    /// Shards with the same number hold the same elements (KV heads replicated because TP exceeds
    /// them, or a replicated tensor): the gradient of replicated KV heads is summed over them, and
    /// a norm counts them once, on the rank for which `counted` is true.
    int replica = 0;
    bool counted = true;
    int replicas = 1; ///< how many tensor ranks hold these elements
};

/// Shard of `parameter` on tensor rank `tensorRank` of `tensorSize`. Throws Error if the split is
/// impossible (the layout rules report it first).
Shard shardOf(const ModelSpec& model, const ParameterSpec& parameter, int tensorRank,
              int tensorSize);

/// Global element index of element `index` of the shard (for counter-based initialisation).
std::int64_t globalIndex(const Shard& shard, std::int64_t index);

} // namespace triaxis

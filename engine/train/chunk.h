#pragma once

#include "engine/train/attention.h"
#include "engine/train/embedding.h"
#include "engine/train/head.h"
#include "engine/train/mlp.h"
#include "engine/train/parameter_store.h"

#include <optional>
#include <vector>

namespace triaxis::train
{

struct Block
{
    AttentionLayer attention;
    MlpLayer mlp;
};

/// The layers of one model chunk as this tensor rank holds them.
struct ChunkLayers
{
    ChunkContent content;
    std::int64_t width = 0; ///< C
    std::optional<EmbeddingLayer> embedding;
    std::vector<Block> blocks;
    std::optional<HeadLayer> head;
};

/// Binds the layers of a chunk to their parameters in the store.
ChunkLayers bindChunk(const ModelSpec& model, const ChunkContent& content, ParameterStore& store,
                      int tensorSize);

struct BlockSaved
{
    AttentionSaved attention;
    MlpSaved mlp;
};

/// What one microbatch keeps from its forward to its last backward.
struct ChunkSaved
{
    kernels::Buffer tokens;  ///< [rows], with the embedding
    kernels::Buffer targets; ///< [rows], with the head
    std::vector<BlockSaved> blocks;
    HeadSaved head;
};

/// The activation [rows, C] for the next chunk; none with the head, whose cross-entropy is added to
/// `lossSum` (see headForward). `input` [rows, C] is empty where the chunk holds the embedding;
/// saved.tokens and saved.targets are filled beforehand.
kernels::Buffer chunkForward(Compute& compute, const ChunkLayers& chunk,
                             const MicrobatchShape& shape, kernels::Buffer input, ChunkSaved& saved,
                             double* lossSum);

/// Gradient of the chunk's input (empty where it holds the embedding) from that of its output; with
/// the head from `lossFactor` × the sum of the cross-entropy. Frees what is not needed any more.
kernels::Buffer chunkBackward(Compute& compute, const ChunkLayers& chunk,
                              const MicrobatchShape& shape, kernels::Buffer outputGradient,
                              float lossFactor, ChunkSaved& saved, WeightGradients weights);
/// The weights' part, after chunkBackward with WeightGradients::Later.
void chunkBackwardWeight(Compute& compute, const ChunkLayers& chunk, const MicrobatchShape& shape,
                         ChunkSaved& saved);

} // namespace triaxis::train

#include "engine/train/chunk.h"

#include <utility>

namespace triaxis::train
{

kernels::Buffer chunkForward(Compute& compute, const ChunkLayers& chunk,
                             const MicrobatchShape& shape, kernels::Buffer input, ChunkSaved& saved,
                             double* lossSum)
{
    kernels::Buffer x =
        chunk.embedding ? embeddingForward(compute, *chunk.embedding, shape, saved.tokens.ints())
                        : std::move(input);
    saved.blocks.clear();
    saved.blocks.resize(chunk.blocks.size());
    for (std::size_t i = 0; i < chunk.blocks.size(); ++i) {
        const Block& block = chunk.blocks[i];
        x = attentionForward(compute, block.attention, shape, std::move(x),
                             saved.blocks[i].attention);
        x = mlpForward(compute, block.mlp, shape, std::move(x), saved.blocks[i].mlp);
    }
    if (!chunk.head)
        return x;
    headForward(compute, *chunk.head, shape, std::move(x), saved.targets.ints(), saved.head,
                lossSum);
    return {};
}

kernels::Buffer chunkBackward(Compute& compute, const ChunkLayers& chunk,
                              const MicrobatchShape& shape, kernels::Buffer outputGradient,
                              float lossFactor, ChunkSaved& saved, WeightGradients weights)
{
    kernels::Buffer dX = chunk.head
                             ? headBackward(compute, *chunk.head, shape, saved.targets.ints(),
                                            lossFactor, saved.head, weights)
                             : std::move(outputGradient);
    for (std::size_t i = chunk.blocks.size(); i-- > 0;) {
        const Block& block = chunk.blocks[i];
        mlpBackward(compute, block.mlp, shape, dX.floats(), saved.blocks[i].mlp, weights);
        attentionBackward(compute, block.attention, shape, dX.floats(), saved.blocks[i].attention,
                          weights);
    }
    if (chunk.embedding) {
        embeddingBackward(compute, *chunk.embedding, shape, dX.floats(), saved.tokens.ints());
        dX.reset();
    }
    if (weights == WeightGradients::Now)
        saved = {};
    return dX;
}

void chunkBackwardWeight(Compute& compute, const ChunkLayers& chunk, const MicrobatchShape& shape,
                         ChunkSaved& saved)
{
    if (chunk.head)
        headBackwardWeight(compute, *chunk.head, shape, saved.head);
    for (std::size_t i = chunk.blocks.size(); i-- > 0;) {
        mlpBackwardWeight(compute, chunk.blocks[i].mlp, shape, saved.blocks[i].mlp);
        attentionBackwardWeight(compute, chunk.blocks[i].attention, shape,
                                saved.blocks[i].attention);
    }
    saved = {};
}

} // namespace triaxis::train

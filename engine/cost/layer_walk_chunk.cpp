#include "engine/cost/layer_walk.h"

// Whole chunks: embedding and head around the layers.

namespace triaxis
{
namespace
{

using Op = MachineOperation;

} // namespace

void LayerWalk::headForward(Held x, ChunkHeld& saved)
{
    saved.head.normed = save(m_rows * m_width);
    normForward(saved.head);
    saved.head.x = x;
    saved.logits = save(m_rows * m_logitStride);
    forwardProduct(m_width, m_entries, true);
    Held maximum = scratch(m_rows);
    operation(Op::RowMaximum, m_rows * m_entries);
    reduce(m_rows);
    saved.sums = keep(2 * m_rows);
    operation(Op::ExponentialSums, m_rows * m_entries);
    reduce(2 * m_rows);
    drop(maximum);
    operation(Op::CrossEntropySum, m_rows);
}

Held LayerWalk::headBackward(ChunkHeld& saved, bool weights)
{
    operation(Op::CrossEntropyGradient, m_rows * m_logitStride);
    Held normedGradient = scratch(m_rows * m_width);
    inputProduct(m_width, m_entries, true);
    startReduce();
    if (weights)
        headWeights(saved);
    endReduce(m_rows * m_width);
    const Held gradient = keep(m_rows * m_width);
    operation(Op::Fill, m_rows * m_width);
    normBackward(saved.head);
    drop(saved.sums);
    drop(normedGradient);
    return gradient;
}

void LayerWalk::headWeights(ChunkHeld& saved)
{
    weightProduct(m_width, m_entries, true);
    restore(saved.head.normed);
    restore(saved.logits);
}

Held LayerWalk::embeddingForward()
{
    const Held x = keep(m_rows * m_width);
    operation(Op::EmbeddingForward, m_rows * m_width);
    reduce(m_rows * m_width);
    return x;
}

void LayerWalk::loadTokens(const ChunkContent& content, ChunkHeld& saved)
{
    if (!content.embedding && !content.head)
        return;
    switch (m_plan.data.kind) {
    case DataKind::Synthetic:
        operation(Op::SyntheticTokens, m_rows);
        break;
    case DataKind::Text:
    case DataKind::Batches:
        operation(Op::TextTokens, m_rows);
        break;
    }
    if (content.embedding)
        saved.tokens = keep(m_rows);
    if (content.head)
        saved.targets = keep(m_rows);
}

/// The step's first contribution to gradients that can only be added to clears them.
void LayerWalk::clearGradients(const ChunkContent& content, int chunk)
{
    if (!m_cleared.insert(chunk).second)
        return;
    const std::int64_t vectors =
        m_gpt2 ? 4 * m_width + m_width + m_projected + m_feedForward + m_width : 2 * m_width;
    operation(Op::Fill, content.layerCount * vectors);
    if (content.embedding)
        operation(Op::Fill, m_entries * m_width +
                                (m_gpt2 ? std::int64_t(m_plan.model.positions) * m_width : 0));
}

Held LayerWalk::chunkForward(const ChunkContent& content, Held input, ChunkHeld& saved)
{
    saved = {};
    loadTokens(content, saved);
    Held x = content.embedding ? embeddingForward() : input;
    for (int layer = 0; layer < content.layerCount; ++layer) {
        x = attentionForward(x, saved.attention.emplace_back());
        x = mlpForward(x, saved.mlp.emplace_back());
    }
    if (!content.head)
        return x;
    headForward(x, saved);
    return {};
}

Held LayerWalk::chunkBackward(const ChunkContent& content, int chunk, Held gradient,
                              ChunkHeld& saved, bool weights)
{
    clearGradients(content, chunk);
    if (content.head)
        gradient = headBackward(saved, weights);
    for (std::size_t layer = std::size_t(content.layerCount); layer-- > 0;) {
        mlpBackward(saved.mlp.at(layer), weights);
        attentionBackward(saved.attention.at(layer), weights);
    }
    if (content.embedding) {
        operation(Op::EmbeddingBackward, m_rows * m_width);
        drop(gradient);
    }
    if (weights) {
        drop(saved.tokens);
        drop(saved.targets);
        saved = {};
    }
    return gradient;
}

void LayerWalk::chunkBackwardWeight(const ChunkContent& content, ChunkHeld& saved)
{
    if (content.head)
        headWeights(saved);
    for (std::size_t layer = std::size_t(content.layerCount); layer-- > 0;) {
        BlockHeld& mlp = saved.mlp.at(layer);
        mlpWeights();
        for (Held* held : {&mlp.normed, &mlp.activated, &mlp.outputGradient, &mlp.branchGradient})
            restore(*held);
        BlockHeld& attention = saved.attention.at(layer);
        attentionWeights();
        for (Held* held : {&attention.normed, &attention.attended, &attention.outputGradient,
                           &attention.branchGradient})
            restore(*held);
    }
    drop(saved.tokens);
    drop(saved.targets);
    saved = {};
}

} // namespace triaxis

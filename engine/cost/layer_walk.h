#pragma once

#include "engine/cost/rank_work.h"

#include <set>
#include <vector>

namespace triaxis
{

/// A buffer that the runtime holds.
struct Held
{
    MemoryCategory category = MemoryCategory::Activations;
    std::int64_t bytes = 0;
};

/// What the runtime keeps of one microbatch in one chunk, layer by layer.
struct BlockHeld
{
    Held x, statistics, normed;
    Held projected, attended, logSumExp; ///< attention
    Held inner, activated;               ///< MLP
    Held outputGradient, branchGradient; ///< between the two parts of a backward
};
struct ChunkHeld
{
    Held tokens, targets;
    std::vector<BlockHeld> attention, mlp;
    BlockHeld head;
    Held logits, sums;
};

/// The layers of a rank as the runtime computes them: which operations in which shapes, and which
/// buffers are taken and given back between them. Twin of the layers that train.
class LayerWalk
{
public:
    LayerWalk(const RunPlan& plan, int tensorRank, const MachineRates& rates);

    /// `input` is empty where the chunk holds the embedding; so is the output with the head.
    Held chunkForward(const ChunkContent& content, Held input, ChunkHeld& saved);
    /// `weights`: their gradients too. `chunk`: whose gradients they are.
    Held chunkBackward(const ChunkContent& content, int chunk, Held gradient, ChunkHeld& saved,
                       bool weights);
    void chunkBackwardWeight(const ChunkContent& content, ChunkHeld& saved);

    Held hold(MemoryCategory category, std::int64_t floats);
    void drop(Held& held);
    void operation(MachineOperation operation, std::int64_t elements);
    /// What the rank comes back to once a step, weights with their optimizer and all that is kept
    /// for the backward; operations before are priced as in the caches.
    void setWorkingSet(std::int64_t bytes) { m_workingSet = bytes; }
    /// What lies between the writing and the reading of what is kept for the backward.
    void setKeptSet(std::int64_t bytes) { m_keptSet = bytes; }
    std::vector<WorkPart> takeParts();
    const PredictedBytes& memory() const { return m_memory; }

private:
    Held keep(std::int64_t floats) { return hold(MemoryCategory::Activations, floats); }
    /// What the backward will read, written now …
    Held save(std::int64_t floats);
    /// … and read for the last time.
    void restore(Held& held);
    Held scratch(std::int64_t floats) { return hold(MemoryCategory::Workspace, floats); }
    void compute(const MachineSeconds& seconds) { compute(seconds, m_company.layers); }
    void compute(const MachineSeconds& seconds, const MachineSeconds& factor);
    void passThrough(std::int64_t bytes);
    MachineSeconds beyondCaches(StreamUse use, std::int64_t floats) const;
    /// Bytes that pass through the caches of a core with so many of one rank.
    std::int64_t shared(std::int64_t bytes) const;
    void startReduce();
    void endReduce(std::int64_t floats);
    void reduce(std::int64_t floats);

    void forwardProduct(std::int64_t inputs, std::int64_t outputs, bool outputMajor);
    void inputProduct(std::int64_t inputs, std::int64_t outputs, bool outputMajor);
    void weightProduct(std::int64_t inputs, std::int64_t outputs, bool outputMajor);
    void biasGradient(std::int64_t outputs, bool has);
    void attentionKernel(bool backward);
    void rotate();

    void normForward(BlockHeld& saved);
    void normBackward(BlockHeld& saved);
    Held attentionForward(Held x, BlockHeld& saved);
    void attentionBackward(BlockHeld& saved, bool weights);
    void attentionWeights();
    Held mlpForward(Held x, BlockHeld& saved);
    void mlpBackward(BlockHeld& saved, bool weights);
    void mlpWeights();
    void headForward(Held x, ChunkHeld& saved);
    Held headBackward(ChunkHeld& saved, bool weights);
    void headWeights(ChunkHeld& saved);
    Held embeddingForward();
    void clearGradients(const ChunkContent& content, int chunk);
    void loadTokens(const ChunkContent& content, ChunkHeld& saved);

    const RunPlan& m_plan;
    const MachineRates& m_rates;
    bool m_gpt2;
    std::int64_t m_batch, m_time, m_rows, m_width, m_feedForward, m_entries;
    int m_heads, m_kvHeads;
    std::int64_t m_headSize, m_queryWidth, m_keyWidth, m_projected, m_logitStride;
    Company m_company;
    std::int64_t m_workingSet = 0;
    std::int64_t m_keptSet = 0;
    std::set<int> m_cleared;
    std::vector<WorkPart> m_parts;
    PredictedBytes m_memory;
    std::array<std::int64_t, memoryCategoryCount> m_live{};
    std::int64_t m_liveTotal = 0;
};

} // namespace triaxis

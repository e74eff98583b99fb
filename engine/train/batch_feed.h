#pragma once

#include "engine/data/token_source.h"
#include "engine/train/chunk.h"

#include <memory>
#include <vector>

namespace triaxis::train
{

/// The tokens of this rank's microbatches. Which samples they are follows from step, replica and
/// microbatch only, so that all stages and tensor ranks of a replica see the same batch without
/// exchanging any.
class BatchFeed
{
public:
    BatchFeed(const RunPlan& plan, int dataRank);

    MicrobatchShape shape() const;
    int microbatches() const { return m_microbatches; }
    /// Puts what the chunk needs of the microbatch's tokens into `saved`. `step` counts from 1.
    void fill(Compute& compute, const ChunkContent& content, std::int64_t step, int microbatch,
              ChunkSaved& saved);
    double bestLoss() const { return m_source->bestLoss(); }

private:
    void read(std::int64_t step, int microbatch);

    std::unique_ptr<TokenSource> m_source;
    BatchShape m_batch;
    int m_dataSize = 1;
    int m_dataRank = 0;
    int m_microbatches = 0;
    std::vector<std::int32_t> m_sample;
    std::vector<std::int32_t> m_inputs;
    std::vector<std::int32_t> m_targets;
};

} // namespace triaxis::train

#pragma once

#include "engine/model/parameters.h"
#include "engine/schedule/program.h"
#include "engine/train/compute.h"

#include <string>
#include <vector>

namespace triaxis::train
{

/// One parameter of this rank: what it is and where its shard lies in the rank's buffers.
struct ParameterSlot
{
    ParameterSpec spec;
    Shard shard;
    std::int64_t offset = 0; ///< elements from the start of each buffer
    std::int64_t count = 0;  ///< elements of the shard
    bool tiedCopy = false;   ///< the last stage's second copy of the token embedding
    bool twin = false;       ///< of a chunk of the second replica in a bidirectional schedule
};

/// Contiguous elements of one chunk: what the data-parallel buckets are cut from.
struct ElementRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t count() const { return end - begin; }
};

/// The rank's shards of every parameter of its chunks: values, gradients and Adam's moments, each
/// in one contiguous buffer with the same order. Within a chunk the order is the reverse of the
/// forward pass: the order in which gradients become ready.
class ParameterStore
{
public:
    ParameterStore(Compute& compute, const ModelSpec& model,
                   const std::vector<ChunkContent>& chunks, int tensorRank, int tensorSize);

    const std::vector<ParameterSlot>& parameters() const { return m_slots; }
    /// The slot of a canonical name; null if this rank does not hold it.
    const ParameterSlot* find(const std::string& name) const;
    /// Throws Error if this rank does not hold it.
    Parameter parameter(const std::string& name);
    ElementRange chunkRange(int chunk) const { return m_chunks[std::size_t(chunk)]; }
    std::int64_t count() const { return m_count; }

    float* values() { return m_values.floats(); }
    float* gradients() { return m_gradients.floats(); }
    float* firstMoments() { return m_firstMoments.floats(); }
    float* secondMoments() { return m_secondMoments.floats(); }

    /// The next contribution to each gradient overwrites it.
    void beginStep();
    /// Clears the gradients of a chunk to which the step has added nothing (no microbatch ran in its direction).
    void clearUntouched(Compute& compute, int chunk);

private:
    std::vector<ParameterSlot> m_slots;
    std::vector<std::uint8_t> m_started; ///< beside m_slots
    std::vector<ElementRange> m_chunks;
    std::int64_t m_count = 0;
    kernels::Buffer m_values;
    kernels::Buffer m_gradients;
    kernels::Buffer m_firstMoments;
    kernels::Buffer m_secondMoments;
};

/// The token embedding among the parameters of a model.
const ParameterSpec& tokenEmbedding(const std::vector<ParameterSpec>& parameters);

} // namespace triaxis::train

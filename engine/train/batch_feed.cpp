#include "engine/train/batch_feed.h"

#include "engine/core/error.h"

#include <algorithm>

namespace triaxis::train
{
namespace
{

kernels::Buffer upload(Compute& compute, const std::vector<std::int32_t>& tokens)
{
    const std::size_t bytes = tokens.size() * sizeof(std::int32_t);
    kernels::Buffer buffer = compute.device.allocate(bytes, kernels::MemoryUse::Activations);
    compute.device.copyToDevice(compute.stream, buffer.data(), tokens.data(), bytes);
    return buffer;
}

} // namespace

BatchFeed::BatchFeed(const RunPlan& plan, int dataRank)
    : m_source(makeTokenSource(plan)), m_batch(plan.training.batch), m_dataSize(plan.layout.dp),
      m_dataRank(dataRank), m_microbatches(plan.training.batch.microbatches(plan.layout.dp))
{
    if (m_source->vocabulary() > plan.model.vocabulary)
        throw Error("cannot train on the data",
                    "it has " + std::to_string(m_source->vocabulary()) +
                        " different tokens and the model knows " +
                        std::to_string(plan.model.vocabulary),
                    "use a model with a larger vocabulary");
    m_sample.resize(std::size_t(m_batch.sequence) + 1);
    m_inputs.resize(std::size_t(shape().rows()));
    m_targets.resize(m_inputs.size());
}

MicrobatchShape BatchFeed::shape() const
{
    return {m_batch.microbatch, m_batch.sequence};
}

void BatchFeed::read(std::int64_t step, int microbatch)
{
    const std::int64_t size = m_batch.microbatch;
    const std::int64_t first =
        (step - 1) * m_batch.globalBatch + microbatch * (size * m_dataSize) + m_dataRank * size;
    for (std::int64_t k = 0; k < size; ++k) {
        m_source->sample(first + k, m_sample.data());
        const std::int64_t at = k * m_batch.sequence;
        std::copy(m_sample.begin(), m_sample.end() - 1, m_inputs.begin() + at);
        std::copy(m_sample.begin() + 1, m_sample.end(), m_targets.begin() + at);
    }
}

void BatchFeed::fill(Compute& compute, const ChunkContent& content, std::int64_t step,
                     int microbatch, ChunkSaved& saved)
{
    if (!content.embedding && !content.head)
        return;
    read(step, microbatch);
    if (content.embedding)
        saved.tokens = upload(compute, m_inputs);
    if (content.head)
        saved.targets = upload(compute, m_targets);
}

} // namespace triaxis::train

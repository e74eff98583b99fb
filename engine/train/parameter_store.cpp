#include "engine/train/parameter_store.h"

#include "engine/core/error.h"

#include <algorithm>

namespace triaxis::train
{
namespace
{

bool holds(const ChunkContent& chunk, const ParameterSpec& parameter)
{
    switch (parameter.owner) {
    case ParameterOwner::Embedding:
        return chunk.embedding;
    case ParameterOwner::Layer:
        return parameter.layer >= chunk.firstLayer &&
               parameter.layer < chunk.firstLayer + chunk.layerCount;
    case ParameterOwner::FinalNorm:
    case ParameterOwner::Head:
        return chunk.head;
    }
    return false;
}

std::int64_t elementsOf(const std::vector<std::int64_t>& shape)
{
    std::int64_t count = 1;
    for (std::int64_t extent : shape)
        count *= extent;
    return count;
}

/// Parameters of a chunk, the last of the forward pass first.
std::vector<ParameterSpec> chunkParameters(const ModelSpec& model, const ChunkContent& chunk,
                                           bool secondCopy)
{
    const std::vector<ParameterSpec> all = parametersOf(model);
    std::vector<ParameterSpec> held;
    std::copy_if(all.begin(), all.end(), std::back_inserter(held),
                 [&](const ParameterSpec& parameter) { return holds(chunk, parameter); });
    if (secondCopy)
        held.push_back(tokenEmbedding(all));
    std::reverse(held.begin(), held.end());
    return held;
}

} // namespace

const ParameterSpec& tokenEmbedding(const std::vector<ParameterSpec>& parameters)
{
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [](const ParameterSpec& parameter) {
            return parameter.owner == ParameterOwner::Embedding &&
                   parameter.split == TensorSplit::Vocabulary;
        });
    if (found == parameters.end())
        throw Error("cannot build the model", "it has no token embedding");
    return *found;
}

ParameterStore::ParameterStore(Compute& compute, const ModelSpec& model,
                               const std::vector<ChunkContent>& chunks, int tensorRank,
                               int tensorSize)
{
    const bool embeddingHere = std::any_of(chunks.begin(), chunks.end(),
                                           [](const ChunkContent& c) { return c.embedding; });
    for (const ChunkContent& chunk : chunks) {
        const bool secondCopy = model.tiedHead && chunk.head && !embeddingHere;
        ElementRange range{m_count, m_count};
        for (const ParameterSpec& spec : chunkParameters(model, chunk, secondCopy)) {
            ParameterSlot slot;
            slot.spec = spec;
            slot.shard = shardOf(model, spec, tensorRank, tensorSize);
            slot.offset = m_count;
            slot.count = elementsOf(slot.shard.shape);
            slot.tiedCopy = secondCopy && spec.owner == ParameterOwner::Embedding;
            slot.twin = chunk.replica > 0;
            m_count += slot.count;
            m_slots.push_back(std::move(slot));
        }
        range.end = m_count;
        m_chunks.push_back(range);
    }
    m_started.assign(m_slots.size(), 0);

    kernels::Device& device = compute.device;
    m_values = device.allocateFloats(m_count, kernels::MemoryUse::Weights);
    m_gradients = device.allocateFloats(m_count, kernels::MemoryUse::Gradients);
    m_firstMoments = device.allocateFloats(m_count, kernels::MemoryUse::Optimizer);
    m_secondMoments = device.allocateFloats(m_count, kernels::MemoryUse::Optimizer);
    for (float* data : {gradients(), firstMoments(), secondMoments()})
        device.fill(compute.stream, data, 0.0F, m_count);
}

const ParameterSlot* ParameterStore::find(const std::string& name) const
{
    const auto found = std::find_if(m_slots.begin(), m_slots.end(), [&](const ParameterSlot& slot) {
        return slot.spec.name == name;
    });
    return found == m_slots.end() ? nullptr : &*found;
}

Parameter ParameterStore::parameter(const std::string& name)
{
    const ParameterSlot* slot = find(name);
    if (!slot)
        throw Error("cannot build the model", "this rank has no parameter " + name);
    Parameter parameter;
    parameter.value = values() + slot->offset;
    parameter.gradient = gradients() + slot->offset;
    parameter.count = slot->count;
    parameter.started = &m_started[std::size_t(slot - m_slots.data())];
    return parameter;
}

void ParameterStore::beginStep()
{
    std::fill(m_started.begin(), m_started.end(), 0);
}

void ParameterStore::clearUntouched(Compute& compute, int chunk)
{
    const ElementRange range = chunkRange(chunk);
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const ParameterSlot& slot = m_slots[i];
        if (m_started[i] || slot.offset < range.begin || slot.offset >= range.end)
            continue;
        compute.device.fill(compute.stream, gradients() + slot.offset, 0.0F, slot.count);
        m_started[i] = 1;
    }
}

} // namespace triaxis::train

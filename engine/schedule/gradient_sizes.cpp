#include "engine/schedule/gradient_sizes.h"

#include "engine/model/parameters.h"

#include <algorithm>

namespace triaxis
{
namespace
{

std::int64_t elementsOf(const Shard& shard)
{
    std::int64_t elements = 1;
    for (const std::int64_t size : shard.shape)
        elements *= size;
    return elements;
}

ShardSizes sizesOfRank(const ModelSpec& model, const std::vector<ParameterSpec>& parameters,
                       int tensorRank, int tensorSize)
{
    ShardSizes sizes;
    for (const ParameterSpec& parameter : parameters) {
        if (parameter.owner == ParameterOwner::Layer && parameter.layer != 0)
            continue;
        const Shard shard = shardOf(model, parameter, tensorRank, tensorSize);
        const std::int64_t elements = elementsOf(shard);
        switch (parameter.owner) {
        case ParameterOwner::Embedding:
            sizes.embedding += elements;
            if (parameter.split == TensorSplit::Vocabulary)
                sizes.tokenTable += elements;
            break;
        case ParameterOwner::Layer:
            sizes.layer += elements;
            if (parameter.split == TensorSplit::KeyValueHeads && tensorSize > model.kvHeads)
                sizes.layerReplicated += elements;
            break;
        case ParameterOwner::FinalNorm:
            sizes.finalNorm += elements;
            break;
        case ParameterOwner::Head:
            sizes.head += elements;
            break;
        }
    }
    return sizes;
}

} // namespace

std::vector<ShardSizes> shardSizes(const ModelSpec& model, int tensorSize)
{
    const std::vector<ParameterSpec> parameters = parametersOf(model);
    std::vector<ShardSizes> sizes;
    for (int rank = 0; rank < tensorSize; ++rank)
        sizes.push_back(sizesOfRank(model, parameters, rank, tensorSize));
    return sizes;
}

std::int64_t chunkElements(const ShardSizes& sizes, const ChunkContent& content, bool ownHeadTable)
{
    std::int64_t elements = sizes.layer * content.layerCount;
    if (content.embedding)
        elements += sizes.embedding;
    if (content.head)
        elements += sizes.finalNorm + sizes.head + (ownHeadTable ? sizes.tokenTable : 0);
    return elements;
}

std::int64_t largestChunkElements(const std::vector<ShardSizes>& sizes, const ModelSpec& model,
                                  const std::vector<ChunkContent>& stage, Chunk chunk)
{
    const bool ownHeadTable = holdsOwnHeadTable(model, stage);
    std::int64_t largest = 0;
    for (const ShardSizes& rank : sizes)
        largest = std::max(largest, chunkElements(rank, stage[chunk.value], ownHeadTable));
    return largest;
}

bool holdsOwnHeadTable(const ModelSpec& model, const std::vector<ChunkContent>& stage)
{
    return model.tiedHead &&
           std::none_of(stage.begin(), stage.end(),
                        [](const ChunkContent& chunk) { return chunk.embedding; });
}

} // namespace triaxis

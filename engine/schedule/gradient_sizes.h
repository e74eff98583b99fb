#pragma once

#include "engine/schedule/passes.h"

#include <vector>

namespace triaxis {

/// Elements of parameters (and so of gradients) that one tensor rank holds of each part of the
/// model.
struct ShardSizes
{
    std::int64_t embedding = 0;  ///< token table and learned positions
    std::int64_t tokenTable = 0; ///< of these the token table, which a tied head shares
    std::int64_t layer = 0;      ///< one layer; all layers are alike
    std::int64_t layerReplicated =
        0; ///< of these the key/value heads that other tensor ranks hold too
    std::int64_t finalNorm = 0;
    std::int64_t head = 0; ///< of an untied head
};

/// [tensor rank]
std::vector<ShardSizes> shardSizes(const ModelSpec& model, int tensorSize);

/// Elements of a chunk on one tensor rank. `ownHeadTable`: see holdsOwnHeadTable.
std::int64_t chunkElements(const ShardSizes& sizes, const ChunkContent& content, bool ownHeadTable);

/// Elements of a chunk on the tensor rank of the stage that holds most of it (a KV head more or
/// less, more vocabulary rows): what gradient buckets are cut from.
std::int64_t largestChunkElements(const std::vector<ShardSizes>& sizes, const ModelSpec& model,
                                  const std::vector<ChunkContent>& stage, Chunk chunk);

/// True if the stage's head works on a token table of its own: the head is tied, and the embedding
/// lies on other stages.
bool holdsOwnHeadTable(const ModelSpec& model, const std::vector<ChunkContent>& stage);

} // namespace triaxis

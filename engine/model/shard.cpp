#include "engine/core/error.h"
#include "engine/model/parameters.h"

namespace triaxis
{
namespace
{

[[noreturn]] void refuse(const ParameterSpec& parameter, const std::string& detail)
{
    throw Error("cannot split the model over tensor ranks", parameter.name + ": " + detail,
                "choose another tensor-parallel size");
}

/// A range of indices along the split dimension.
struct Slice
{
    std::int64_t begin = 0;
    std::int64_t size = 0;
};

std::int64_t product(const std::vector<std::int64_t>& shape, std::size_t from, std::size_t to)
{
    std::int64_t result = 1;
    for (std::size_t i = from; i < to; ++i)
        result *= shape[i];
    return result;
}

/// The shard that consists of `slices` side by side along the split dimension.
Shard shardOfSlices(const ParameterSpec& parameter, const std::vector<Slice>& slices)
{
    const auto dimension = std::size_t(parameter.splitDimension);
    const std::int64_t whole = parameter.shape[dimension];
    const std::int64_t outer = product(parameter.shape, 0, dimension);
    const std::int64_t inner = product(parameter.shape, dimension + 1, parameter.shape.size());
    std::int64_t held = 0;
    for (const Slice& slice : slices)
        held += slice.size;

    Shard shard;
    shard.shape = parameter.shape;
    shard.shape[dimension] = held;
    shard.partial = held < whole;
    std::int64_t at = 0;
    for (const Slice& slice : slices) {
        if (slice.size == 0)
            continue;
        ShardCopy copy;
        copy.globalStart = slice.begin * inner;
        copy.globalStride = whole * inner;
        copy.shardStart = at * inner;
        copy.shardStride = held * inner;
        copy.rows = outer;
        copy.run = slice.size * inner;
        if (copy.run == copy.globalStride && copy.run == copy.shardStride) {
            copy.run *= copy.rows;
            copy.globalStride = copy.shardStride = copy.run;
            copy.rows = 1;
        }
        shard.copies.push_back(copy);
        at += slice.size;
    }
    return shard;
}

std::int64_t splitExtent(const ParameterSpec& parameter)
{
    return parameter.shape[std::size_t(parameter.splitDimension)];
}

Slice equalPart(const ParameterSpec& parameter, std::int64_t begin, std::int64_t extent,
                std::int64_t units, const char* unit, int rank, int size)
{
    if (units % size != 0)
        refuse(parameter, std::to_string(units) + " " + unit + " cannot be split over " +
                              std::to_string(size) + " tensor ranks");
    const std::int64_t part = extent / size;
    return {begin + rank * part, part};
}

/// ceil(V / TP) entries a rank; the last ranks may hold fewer or none.
Slice vocabularyPart(const ParameterSpec& parameter, int rank, int size)
{
    const std::int64_t entries = splitExtent(parameter);
    const std::int64_t part = (entries + size - 1) / size;
    const std::int64_t begin = std::min(entries, rank * part);
    return {begin, std::min(entries, begin + part) - begin};
}

Shard keyValueShard(const ModelSpec& model, const ParameterSpec& parameter, int rank, int size)
{
    if (size <= model.kvHeads) {
        Shard shard =
            shardOfSlices(parameter, {equalPart(parameter, 0, splitExtent(parameter), model.kvHeads,
                                                "key/value heads", rank, size)});
        shard.replica = rank;
        return shard;
    }
    if (size % model.kvHeads != 0)
        refuse(parameter, std::to_string(model.kvHeads) +
                              " key/value heads cannot be held evenly by " + std::to_string(size) +
                              " tensor ranks");
    const int holders = size / model.kvHeads;
    const int head = rank / holders;
    Shard shard = shardOfSlices(parameter, {{std::int64_t(head) * model.headSize, model.headSize}});
    shard.replica = head;
    shard.replicas = holders;
    shard.counted = rank % holders == 0;
    return shard;
}

Shard fusedShard(const ModelSpec& model, const ParameterSpec& parameter, int rank, int size)
{
    const std::int64_t part = splitExtent(parameter) / 3;
    std::vector<Slice> slices;
    for (int which = 0; which < 3; ++which)
        slices.push_back(
            equalPart(parameter, which * part, part, model.heads, "attention heads", rank, size));
    return shardOfSlices(parameter, slices);
}

Shard replicatedShard(const ParameterSpec& parameter, int rank, int size)
{
    Shard shard = shardOfSlices(parameter, {{0, splitExtent(parameter)}});
    shard.replicas = size;
    shard.counted = rank == 0;
    return shard;
}

Shard splitShard(const ParameterSpec& parameter, Slice slice, int rank)
{
    Shard shard = shardOfSlices(parameter, {slice});
    shard.replica = rank;
    return shard;
}

} // namespace

Shard shardOf(const ModelSpec& model, const ParameterSpec& parameter, int tensorRank,
              int tensorSize)
{
    if (tensorSize < 1 || tensorRank < 0 || tensorRank >= tensorSize)
        refuse(parameter, "there is no tensor rank " + std::to_string(tensorRank) + " of " +
                              std::to_string(tensorSize));
    const auto even = [&](std::int64_t units, const char* unit) {
        return splitShard(
            parameter,
            equalPart(parameter, 0, splitExtent(parameter), units, unit, tensorRank, tensorSize),
            tensorRank);
    };
    switch (parameter.split) {
    case TensorSplit::Replicated:
        return replicatedShard(parameter, tensorRank, tensorSize);
    case TensorSplit::Vocabulary:
        return splitShard(parameter, vocabularyPart(parameter, tensorRank, tensorSize), tensorRank);
    case TensorSplit::Rows:
        return even(splitExtent(parameter), "rows");
    case TensorSplit::Columns:
        return even(splitExtent(parameter), "columns");
    case TensorSplit::QueryHeads:
        return even(model.heads, "attention heads");
    case TensorSplit::KeyValueHeads:
        return keyValueShard(model, parameter, tensorRank, tensorSize);
    case TensorSplit::FusedQkv: {
        Shard shard = fusedShard(model, parameter, tensorRank, tensorSize);
        shard.replica = tensorRank;
        return shard;
    }
    }
    refuse(parameter, "its split is unknown");
}

std::int64_t globalIndex(const Shard& shard, std::int64_t index)
{
    for (const ShardCopy& copy : shard.copies) {
        const std::int64_t offset = index - copy.shardStart;
        if (offset < 0)
            continue;
        const std::int64_t row = offset / copy.shardStride, column = offset % copy.shardStride;
        if (row < copy.rows && column < copy.run)
            return copy.globalStart + row * copy.globalStride + column;
    }
    throw Error("cannot find an element of a tensor",
                "element " + std::to_string(index) + " is not in the shard");
}

} // namespace triaxis

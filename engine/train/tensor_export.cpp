#include "engine/train/tensor_export.h"

#include "engine/formats/safetensors.h"

#include <optional>
#include <vector>

namespace triaxis::train
{
namespace
{

/// A rank that has elements of a parameter which no rank before it has.
struct Holder
{
    Rank rank;
    Shard shard;
};

/// The stage whose copy of a parameter is written: the first that holds it.
int stageOf(const Program& program, const ParameterSpec& parameter)
{
    for (const StageProgram& stage : program.perStage)
        for (const ChunkContent& chunk : stage.chunks)
            switch (parameter.owner) {
            case ParameterOwner::Embedding:
                if (chunk.embedding)
                    return stage.stage.value;
                break;
            case ParameterOwner::Layer:
                if (parameter.layer >= chunk.firstLayer &&
                    parameter.layer < chunk.firstLayer + chunk.layerCount)
                    return stage.stage.value;
                break;
            case ParameterOwner::FinalNorm:
            case ParameterOwner::Head:
                if (chunk.head)
                    return stage.stage.value;
                break;
            }
    return 0;
}

std::vector<Holder> holdersOf(const RankState& state, const ParameterSpec& parameter)
{
    const Layout& layout = state.plan.layout;
    std::vector<Holder> holders;
    for (int tensor = 0; tensor < layout.tp; ++tensor) {
        Shard shard = shardOf(state.plan.model, parameter, tensor, layout.tp);
        if (shard.counted && !shard.copies.empty())
            holders.push_back(
                {rankOf(layout, {0, tensor, stageOf(state.program, parameter)}), std::move(shard)});
    }
    return holders;
}

std::size_t elementsOf(const std::vector<std::int64_t>& shape)
{
    std::size_t count = 1;
    for (std::int64_t extent : shape)
        count *= std::size_t(extent);
    return count;
}

void place(const Shard& shard, const float* from, std::vector<float>& to)
{
    for (const ShardCopy& copy : shard.copies)
        for (std::int64_t row = 0; row < copy.rows; ++row) {
            const float* source = from + copy.shardStart + row * copy.shardStride;
            std::copy(source, source + copy.run,
                      to.begin() + copy.globalStart + row * copy.globalStride);
        }
}

/// The rank's own shard on the host.
std::vector<float> ownShard(RankState& state, const ParameterSpec& parameter, const float* data)
{
    const ParameterSlot* slot = state.store.find(parameter.name);
    std::vector<float> values(std::size_t(slot->count));
    state.compute.device.copyToHost(*state.stream, values.data(), data + slot->offset,
                                    values.size() * sizeof(float));
    state.stream->synchronize();
    return values;
}

std::vector<float> receivedShard(RankState& state, const Holder& holder)
{
    std::vector<float> values(elementsOf(holder.shard.shape));
    const auto request = state.groups.everyone->receive(
        values.data(), values.size() * sizeof(float), holder.rank.value, 0);
    state.world.wait(*request);
    return values;
}

void sendShard(RankState& state, const std::vector<float>& values)
{
    const auto request =
        state.groups.everyone->send(values.data(), values.size() * sizeof(float), 0, 0);
    state.world.wait(*request);
}

std::optional<SafetensorsWriter> makeWriter(const RankState& state,
                                            const std::vector<ParameterSpec>& parameters,
                                            const std::filesystem::path& file)
{
    if (state.rank() != Rank(0))
        return std::nullopt;
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> tensors;
    for (const ParameterSpec& parameter : parameters)
        tensors.emplace_back(parameter.name, parameter.shape);
    return std::make_optional<SafetensorsWriter>(file, tensors);
}

} // namespace

void exportTensors(RankState& state, const float* data, const std::filesystem::path& file)
{
    const std::vector<ParameterSpec> parameters = parametersOf(state.plan.model);
    std::optional<SafetensorsWriter> writer = makeWriter(state, parameters, file);
    for (const ParameterSpec& parameter : parameters) {
        std::vector<float> whole(writer ? elementsOf(parameter.shape) : 0);
        for (const Holder& holder : holdersOf(state, parameter)) {
            const bool own = holder.rank == state.rank();
            if (own && !writer)
                sendShard(state, ownShard(state, parameter, data));
            else if (writer)
                place(
                    holder.shard,
                    (own ? ownShard(state, parameter, data) : receivedShard(state, holder)).data(),
                    whole);
        }
        if (writer)
            writer->write(parameter.name, 0, std::int64_t(whole.size()), whole.data());
    }
    if (writer)
        writer->finish();
}

} // namespace triaxis::train

#include "engine/train/initial_weights.h"

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/formats/safetensors.h"

#include <string>
#include <vector>

namespace triaxis::train
{
namespace
{

/// Calls visit(global start, shard start, count) for every contiguous run of the shard.
template <class Visit>
void forEachRun(const Shard& shard, Visit visit)
{
    for (const ShardCopy& copy : shard.copies)
        for (std::int64_t row = 0; row < copy.rows; ++row)
            visit(copy.globalStart + row * copy.globalStride,
                  copy.shardStart + row * copy.shardStride, copy.run);
}

void upload(Compute& compute, ParameterStore& store, const ParameterSlot& slot,
            const std::vector<float>& values)
{
    compute.device.copyToDevice(compute.stream, store.values() + slot.offset, values.data(),
                                values.size() * sizeof(float));
}

std::string textOf(const std::vector<std::int64_t>& shape)
{
    std::string text = "[";
    for (std::int64_t extent : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + "]";
}

} // namespace

void randomWeights(Compute& compute, ParameterStore& store, std::uint64_t seed)
{
    for (const ParameterSlot& slot : store.parameters()) {
        std::vector<float> values(std::size_t(slot.count), float(slot.spec.initialConstant));
        if (slot.spec.initialScale > 0) {
            const CounterRandom random(seed, slot.spec.name);
            forEachRun(slot.shard, [&](std::int64_t global, std::int64_t local, std::int64_t run) {
                for (std::int64_t i = 0; i < run; ++i)
                    values[std::size_t(local + i)] =
                        float(slot.spec.initialScale * random.normal(std::uint64_t(global + i)));
            });
        }
        upload(compute, store, slot, values);
    }
}

void loadWeights(Compute& compute, ParameterStore& store, const std::filesystem::path& path)
{
    const SafetensorsFile file(path);
    for (const ParameterSlot& slot : store.parameters()) {
        const TensorInfo* tensor = file.find(slot.spec.name);
        if (!tensor)
            throw Error("cannot read the weights",
                        path.string() + " has no tensor " + slot.spec.name,
                        "give the weights of this model, or leave them out to start at random");
        if (tensor->shape != slot.spec.shape)
            throw Error("cannot read the weights",
                        path.string() + ": " + tensor->name + " is " + textOf(tensor->shape) +
                            " and not " + textOf(slot.spec.shape),
                        "give the weights of this model");
        std::vector<float> values(std::size_t(slot.count), 0.0F);
        forEachRun(slot.shard, [&](std::int64_t global, std::int64_t local, std::int64_t run) {
            file.read(*tensor, global, run, values.data() + local);
        });
        upload(compute, store, slot, values);
    }
}

} // namespace triaxis::train

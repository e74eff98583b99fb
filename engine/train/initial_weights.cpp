#include "engine/train/initial_weights.h"

#include "engine/core/random.h"
#include "engine/formats/weights.h"

#include <algorithm>
#include <atomic>
#include <thread>
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

/// Contiguous elements of a shard: a share of work.
struct Piece
{
    std::int64_t global = 0, local = 0, count = 0;
};

std::vector<Piece> piecesOf(const Shard& shard)
{
    constexpr std::int64_t most = 1 << 16;
    std::vector<Piece> pieces;
    forEachRun(shard, [&](std::int64_t global, std::int64_t local, std::int64_t run) {
        for (std::int64_t done = 0; done < run; done += most)
            pieces.push_back({global + done, local + done, std::min(most, run - done)});
    });
    return pieces;
}

/// Which thread does a piece is left to chance, and of no account.
template <class Work>
void inParallel(const std::vector<Piece>& pieces, int threads, Work work)
{
    std::int64_t elements = 0;
    for (const Piece& piece : pieces)
        elements += piece.count;
    constexpr std::int64_t worthAThread = 1 << 17;
    const std::int64_t helpers = std::min<std::int64_t>(threads, elements / worthAThread) - 1;
    std::atomic<std::size_t> next{0};
    const auto takePieces = [&] {
        for (std::size_t i = next++; i < pieces.size(); i = next++)
            work(pieces[i]);
    };
    std::vector<std::jthread> running;
    for (std::int64_t i = 0; i < helpers; ++i)
        running.emplace_back(takePieces);
    takePieces();
}

void upload(Compute& compute, ParameterStore& store, const ParameterSlot& slot,
            const std::vector<float>& values)
{
    compute.device.copyToDevice(compute.stream, store.values() + slot.offset, values.data(),
                                values.size() * sizeof(float));
}

} // namespace

void randomWeights(Compute& compute, ParameterStore& store, std::uint64_t seed)
{
    for (const ParameterSlot& slot : store.parameters()) {
        std::vector<float> values(std::size_t(slot.count), float(slot.spec.initialConstant));
        if (slot.spec.initialScale > 0) {
            const CounterRandom random(seed, slot.spec.name);
            inParallel(piecesOf(slot.shard), compute.device.hostThreads(), [&](const Piece& piece) {
                random.normals(std::uint64_t(piece.global), piece.count, slot.spec.initialScale,
                               values.data() + piece.local);
            });
        }
        upload(compute, store, slot, values);
    }
}

void loadWeights(Compute& compute, ParameterStore& store, const ModelSpec& model,
                 const std::filesystem::path& path)
{
    const SafetensorsFile file(path);
    checkWeights(file, model);
    for (const ParameterSlot& slot : store.parameters()) {
        const TensorInfo* tensor = file.find(slot.spec.name);
        std::vector<float> values(std::size_t(slot.count), 0.0F);
        forEachRun(slot.shard, [&](std::int64_t global, std::int64_t local, std::int64_t run) {
            file.read(*tensor, global, run, values.data() + local);
        });
        upload(compute, store, slot, values);
    }
}

} // namespace triaxis::train

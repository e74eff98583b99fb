#pragma once

#include "engine/core/ids.h"
#include "engine/schedule/instruction.h"

#include <array>
#include <cstdint>
#include <vector>

namespace triaxis
{

/// What happened, or is predicted to happen, to one instruction of one rank in one step.
/// Times in seconds on rank 0's clock, relative to the start of the run.
///
/// Wait is not transfer. `ready`: when this rank could have gone on (a receive is ready when its consumer starts to wait,
/// not when it was posted). `begin`: the latest ready of all partners, found by the reader from the pairing in the
/// program (a rank alone writes its own ready there); ready … begin is waiting, begin … end transfers.
struct Span
{
    std::int32_t step = 0;
    Rank rank;
    InstructionId id;
    Lane lane = Lane::Compute;
    double ready = 0;
    double begin = 0;
    double end = 0;
    std::int64_t bytes = 0;
    std::int64_t flops = 0;
    /// Compute spans: sums over the tensor collectives inside. Busy time = end − begin − these two.
    double tensorWait = 0;
    double tensorTransfer = 0;
};

/// What memory is used for. Also the order of the figures in MemorySample.
enum class MemoryCategory : std::uint8_t {
    Weights,
    Gradients,
    Optimizer,
    Activations,
    Communication,
    Workspace
};
inline constexpr int memoryCategoryCount = 6;
const char* toText(MemoryCategory category);

struct MemorySample
{
    std::int32_t step = 0;
    Rank rank;
    double time = 0;                                        ///< seconds, as in Span
    std::array<std::int64_t, memoryCategoryCount> live{};   ///< bytes now
    std::array<std::int64_t, memoryCategoryCount> peak{};   ///< most since the step began, each by itself
    std::int64_t peakTotal = 0;                             ///< most of the sum since the step began
};

/// How many activations a rank held at once in a step, counted where they are kept.
struct LiveSample
{
    std::int32_t step = 0;
    Rank rank;
    std::int32_t peak = 0; ///< microbatches × chunks
};

/// One compute instruction of a paced run beside its slot.
struct SlotSample
{
    std::int32_t step = 0;
    Rank rank;
    InstructionId id;
    double begin = 0; ///< of the slot, seconds as in Span
    double end = 0;   ///< of the slot
    double work = 0;  ///< seconds that the real work took
    double late = 0;  ///< seconds after the slot's end at which it was done; 0 where it was in time
};

/// One training step as the person sees it.
struct StepResult
{
    std::int32_t step = 0;      ///< from 1
    double loss = 0;            ///< mean over the global batch, nats per token, before the update
    double gradientNorm = 0;    ///< global L2 norm before clipping
    double begin = 0;           ///< seconds, as in Span
    double seconds = 0;         ///< duration of the step on rank 0
    std::int64_t tokens = 0;    ///< of the global batch
};

} // namespace triaxis

#pragma once

#include "engine/core/ids.h"

#include <compare>
#include <cstdint>
#include <string>

namespace triaxis
{

/// The whole operation set. A `switch` over it has no default, so that no interpreter can forget one.
enum class Kind : std::uint8_t {
    Forward,
    Backward,          ///< full backward: for the input and for the weights
    BackwardInput,     ///< gradient of the chunk's input only (I; called B in the zero-bubble papers)
    BackwardWeight,    ///< gradient of the weights only (W)
    SendActivation,
    ReceiveActivation,
    SendGradient,      ///< gradient of an activation, to the previous virtual stage
    ReceiveGradient,
    Wait,              ///< the issuing thread stops until `target` has completed
    GradientReduce,    ///< data axis; part = bucket
    TiedReduce,        ///< sum of the two copies' gradients of a tied embedding, first and last stage
    ReplicaReduce,     ///< tensor axis: gradients of KV heads that several tensor ranks hold
    NormReduce,        ///< squared gradient norm over tensor × pipeline
    OptimizerStep,
    LossReduce,        ///< mean loss of the step to every rank
    TensorCollective   ///< child of a compute instruction; part = its fixed position inside
};

/// The in-order queues of a rank. One lane for each neighbour and direction: a shared one deadlocks falsely.
enum class Lane : std::uint8_t {
    Compute,
    SendNext,
    SendPrevious,
    ReceiveNext,
    ReceivePrevious,
    Tensor,
    Data,
    Copy
};

/// (kind, chunk, microbatch, part), packed. Unique per rank and step, and the same in a prediction, a run,
/// and any other schedule of the same plan, so that laying them over each other is an exact join.
/// Bits: kind 63–56, chunk 55–44, microbatch 43–16, part 15–0.
struct InstructionId
{
    std::uint64_t packed = 0;

    constexpr InstructionId() = default;
    constexpr explicit InstructionId(std::uint64_t bits) : packed(bits) {}
    constexpr InstructionId(Kind kind, Chunk chunk, Microbatch microbatch, int part = 0)
        : packed((std::uint64_t(kind) << 56) | (std::uint64_t(chunk.value & 0xfff) << 44) |
                 (std::uint64_t(microbatch.value & 0xfffffff) << 16) | std::uint64_t(part & 0xffff))
    {
    }

    constexpr Kind kind() const { return Kind(packed >> 56); }
    constexpr Chunk chunk() const { return Chunk(int((packed >> 44) & 0xfff)); }
    constexpr Microbatch microbatch() const { return Microbatch(int((packed >> 16) & 0xfffffff)); }
    constexpr int part() const { return int(packed & 0xffff); }
    constexpr auto operator<=>(const InstructionId&) const = default;
};

/// Id of the Wait for `target`: same chunk and microbatch; part = target kind · 2048 + target part.
constexpr InstructionId waitFor(InstructionId target)
{
    return {Kind::Wait, target.chunk(), target.microbatch(),
            int(target.kind()) * 2048 + (target.part() & 0x7ff)};
}

struct Instruction
{
    InstructionId id;
    Lane lane = Lane::Compute;
    Stage peer{-1};            ///< transfers: the other stage of the same pipeline; a Wait for one repeats it
    InstructionId target;      ///< Wait: the instruction waited for
    InstructionId counterpart; ///< transfers: id on the peer (chunk numbers differ between stages)
    std::int64_t bytes = 0;    ///< payload of one rank: transfers and collectives
    std::int64_t flops = 0;    ///< compute
    int fuse = 0;              ///< transfers of a stage with the same nonzero number are launched together
    int pair = 0;              ///< the forward and the backward of a stage with the same nonzero number run overlapped
};

bool isCompute(Kind kind);     ///< Forward, Backward, BackwardInput, BackwardWeight, OptimizerStep
bool isSend(Kind kind);
bool isReceive(Kind kind);
bool isCollective(Kind kind);  ///< GradientReduce … LossReduce without OptimizerStep, and TensorCollective

/// "forward", "backward", "send activation", … for people.
const char* toText(Kind kind);
/// "F", "B", "I", "W" and longer words for the others; the letters of PyTorch's pipelining.
const char* shortName(Kind kind);
/// "compute", "send to next", …
const char* toText(Lane lane);
/// "forward of microbatch 2", "send activation of microbatch 3, chunk 1": one instruction named for a message. Chunk 0 is not
/// mentioned. Microbatches and chunks count from 0.
std::string toText(InstructionId id);
/// What a rank is doing, with the peer: "waiting for the gradient of microbatch 2 from stage 1".
std::string toText(const Instruction& instruction);

} // namespace triaxis

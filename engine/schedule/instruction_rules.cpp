#include "engine/schedule/verifier_rules.h"

#include "engine/schedule/channels.h"
#include "engine/schedule/passes.h"

namespace triaxis
{
namespace
{

/// A reason, or empty if the instruction keeps the rule.
using Reason = std::string;

bool isTransfer(Kind kind)
{
    return isSend(kind) || isReceive(kind);
}

bool ofMicrobatch(Kind kind)
{
    return isTransfer(kind) || (isCompute(kind) && kind != Kind::OptimizerStep);
}

bool ofChunk(Kind kind)
{
    return ofMicrobatch(kind) || kind == Kind::GradientReduce || kind == Kind::ReplicaReduce;
}

Reason checkId(const Program& program, InstructionId id)
{
    if (int(id.kind()) >= int(Kind::TensorCollective))
        return id.kind() == Kind::TensorCollective ? "a tensor collective is part of a compute "
                                                     "instruction and does not stand in a list"
                                                   : "no such kind of instruction";
    if (id.kind() == Kind::Wait)
        return {};
    if (id.chunk().value >= (ofChunk(id.kind()) ? program.chunks : 1))
        return ofChunk(id.kind()) ? "the stage holds no such chunk"
                                  : "the instruction is of the whole stage, not of a chunk";
    if (id.microbatch().value >= (ofMicrobatch(id.kind()) ? program.microbatches : 1))
        return ofMicrobatch(id.kind()) ? "the step has no such microbatch"
                                       : "the instruction belongs to no microbatch";
    if (id.part() >= (id.kind() == Kind::GradientReduce ? maximumBuckets : 1))
        return "the instruction has no such part";
    return {};
}

/// The chunk at the other end of a transfer: activations go up the model, gradients down.
std::optional<ChunkPlace> otherEnd(const ProgramIndex& index, int stage, InstructionId id)
{
    const bool upwards = id.kind() == Kind::SendActivation || id.kind() == Kind::ReceiveGradient;
    return index.neighbour(stage, id.chunk(), upwards ? 1 : -1);
}

Kind counterpartKind(Kind kind)
{
    if (kind == Kind::SendActivation)
        return Kind::ReceiveActivation;
    if (kind == Kind::ReceiveActivation)
        return Kind::SendActivation;
    return kind == Kind::SendGradient ? Kind::ReceiveGradient : Kind::SendGradient;
}

Reason checkTransfer(const ProgramIndex& index, int stage, const Instruction& transfer)
{
    const InstructionId id = transfer.id;
    const std::optional<ChunkPlace> other = otherEnd(index, stage, id);
    if (!other)
        return "the chunk is at the end of the model: nothing lies beyond it";
    if (other->stage == stage)
        return "the neighbouring chunk is on the same stage: nothing needs to be sent";
    if (transfer.peer.value != other->stage)
        return "the neighbouring chunk is on stage " + std::to_string(other->stage) +
               ", not on stage " + std::to_string(transfer.peer.value);
    const InstructionId expected(counterpartKind(id.kind()), Chunk(other->chunk), id.microbatch());
    if (transfer.counterpart != expected)
        return "its counterpart on stage " + std::to_string(other->stage) + " is the " +
               toText(expected) + ", not what is named";
    if (transfer.bytes <= 0)
        return "a transfer carries at least one byte";
    return {};
}

Lane laneOf(const ProgramIndex& index, int stage, const Instruction& instruction)
{
    switch (instruction.id.kind()) {
    case Kind::Forward:
    case Kind::Backward:
    case Kind::BackwardInput:
    case Kind::BackwardWeight:
    case Kind::OptimizerStep:
    case Kind::Wait:
        return Lane::Compute;
    case Kind::SendActivation:
    case Kind::SendGradient:
        return sendLane(Stage(stage), instruction.peer, index.stages());
    case Kind::ReceiveActivation:
    case Kind::ReceiveGradient:
        return receiveLane(Stage(stage), instruction.peer, index.stages());
    case Kind::ReplicaReduce:
    case Kind::TensorCollective:
        return Lane::Tensor;
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::NormReduce:
    case Kind::LossReduce:
        return Lane::Data;
    }
    return Lane::Compute;
}

Reason checkLane(const ProgramIndex& index, int stage, const Instruction& instruction)
{
    const Lane expected = laneOf(index, stage, instruction);
    if (instruction.lane == expected)
        return {};
    return std::string("it stands on the lane \"") + toText(instruction.lane) +
           "\" and belongs on \"" + toText(expected) + "\"";
}

Reason checkWait(const ProgramIndex& index, int stage, int position, const Instruction& wait)
{
    if (wait.id != waitFor(wait.target))
        return "its id is not that of a wait for its target";
    const int target = index.find(stage, wait.target);
    if (target < 0)
        return "it waits for something that is not in the list";
    if (target >= position)
        return "it waits for something that is enqueued only later: it would wait for ever";
    const Kind kind = wait.target.kind();
    if (!isTransfer(kind) && !isCollective(kind))
        return "it waits for a " + std::string(toText(kind)) + ", which is done when it is issued";
    return {};
}

/// A fused group stands together and talks with one peer. groupEnd: last position seen of each
/// number.
Reason checkFuse(const std::vector<Instruction>& list, int position,
                 std::unordered_map<int, int>& groupEnd)
{
    const Instruction& instruction = list[position];
    if (instruction.fuse == 0)
        return {};
    if (instruction.fuse < 0 || !isTransfer(instruction.id.kind()))
        return "only transfers are launched together";
    const auto [previous, first] = groupEnd.emplace(instruction.fuse, position);
    if (first) {
        const bool followed =
            position + 1 < int(list.size()) && list[position + 1].fuse == instruction.fuse;
        return followed
                   ? Reason()
                   : "it is to be launched together with a transfer that does not stand beside it";
    }
    if (previous->second != position - 1)
        return "its group of transfers is torn apart";
    if (list[position - 1].peer != instruction.peer)
        return "transfers with different stages cannot be launched together";
    previous->second = position;
    return {};
}

/// What has been seen of the numbers of a list.
struct Groups
{
    std::unordered_map<int, int> fuseEnd;   ///< last position of each fused group
    std::unordered_map<int, int> pairBegin; ///< first position of each overlapped pair
};

/// A pair is one forward and one full backward, side by side. pairBegin: first position of each
/// number.
Reason checkPair(const std::vector<Instruction>& list, int position,
                 std::unordered_map<int, int>& pairBegin)
{
    const Instruction& instruction = list[position];
    if (instruction.pair == 0)
        return {};
    const Kind kind = instruction.id.kind();
    if (instruction.pair < 0 || (kind != Kind::Forward && kind != Kind::Backward))
        return "only a forward and a full backward can overlap";
    const auto [begin, first] = pairBegin.emplace(instruction.pair, position);
    if (first) {
        const bool followed =
            position + 1 < int(list.size()) && list[position + 1].pair == instruction.pair;
        return followed ? Reason() : "it is to overlap with a step that does not stand beside it";
    }
    if (begin->second != position - 1)
        return "more than two steps are to overlap, or its pair is torn apart";
    const Kind other = list[position - 1].id.kind();
    return other == kind ? "a forward overlaps with a backward only, and the other way round"
                         : Reason();
}

Reason checkOne(const ProgramIndex& index, int stage, int position, Groups& groups)
{
    const std::vector<Instruction>& list = index.list(stage);
    const Instruction& instruction = list[position];
    const Kind kind = instruction.id.kind();
    if (Reason reason = checkId(index.program(), instruction.id); !reason.empty())
        return reason;
    if (index.find(stage, instruction.id) != position)
        return "it stands in the list twice";
    if (isTransfer(kind))
        if (Reason reason = checkTransfer(index, stage, instruction); !reason.empty())
            return reason;
    if (kind == Kind::Wait)
        if (Reason reason = checkWait(index, stage, position, instruction); !reason.empty())
            return reason;
    if (instruction.bytes < 0 || instruction.flops < 0)
        return "bytes and FLOPs cannot be negative";
    if (Reason reason = checkLane(index, stage, instruction); !reason.empty())
        return reason;
    if (Reason reason = checkPair(list, position, groups.pairBegin); !reason.empty())
        return reason;
    return checkFuse(list, position, groups.fuseEnd);
}

} // namespace

std::optional<Refusal> checkInstructions(const ProgramIndex& index)
{
    for (int stage = 0; stage < index.stages(); ++stage) {
        Groups groups;
        for (int position = 0; position < int(index.list(stage).size()); ++position)
            if (const Reason reason = checkOne(index, stage, position, groups); !reason.empty())
                return refusal(index, stage, position, reason);
    }
    return std::nullopt;
}

} // namespace triaxis

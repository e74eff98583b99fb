#include "engine/schedule/instruction.h"

namespace triaxis
{
namespace
{

std::string ofMicrobatch(InstructionId id)
{
    std::string text = " of microbatch " + std::to_string(id.microbatch().value);
    if (id.chunk().value != 0)
        text += ", chunk " + std::to_string(id.chunk().value);
    return text;
}

std::string ofChunk(InstructionId id)
{
    return id.chunk().value != 0 ? " of chunk " + std::to_string(id.chunk().value) : std::string();
}

/// Undoes waitFor(): which instruction a Wait with this id waits for.
InstructionId targetOfWait(InstructionId wait)
{
    return {Kind(wait.part() / 2048), wait.chunk(), wait.microbatch(), wait.part() % 2048};
}

/// What a transfer moves: "activation of microbatch 3, chunk 1".
std::string payload(InstructionId id)
{
    const bool gradient = id.kind() == Kind::SendGradient || id.kind() == Kind::ReceiveGradient;
    return (gradient ? "gradient" : "activation") + ofMicrobatch(id);
}

std::string peerText(const char* direction, Stage peer)
{
    return peer.value < 0 ? std::string()
                          : std::string(direction) + "stage " + std::to_string(peer.value);
}

/// What a Wait waits for: "the gradient of microbatch 2 from stage 1".
std::string awaited(InstructionId target, Stage peer)
{
    if (isReceive(target.kind()))
        return "the " + payload(target) + peerText(" from ", peer);
    if (isSend(target.kind()))
        return "the sent " + payload(target) + peerText(" to reach ", peer);
    return "the " + toText(target);
}

} // namespace

bool isCompute(Kind kind)
{
    return kind == Kind::Forward || kind == Kind::Backward || kind == Kind::BackwardInput ||
           kind == Kind::BackwardWeight || kind == Kind::OptimizerStep;
}

bool isSend(Kind kind)
{
    return kind == Kind::SendActivation || kind == Kind::SendGradient;
}

bool isReceive(Kind kind)
{
    return kind == Kind::ReceiveActivation || kind == Kind::ReceiveGradient;
}

bool isCollective(Kind kind)
{
    return kind == Kind::GradientReduce || kind == Kind::TiedReduce ||
           kind == Kind::ReplicaReduce || kind == Kind::NormReduce || kind == Kind::LossReduce ||
           kind == Kind::TensorCollective;
}

const char* toText(Kind kind)
{
    switch (kind) {
    case Kind::Forward:
        return "forward";
    case Kind::Backward:
        return "backward";
    case Kind::BackwardInput:
        return "backward for the input";
    case Kind::BackwardWeight:
        return "backward for the weights";
    case Kind::SendActivation:
        return "send activation";
    case Kind::ReceiveActivation:
        return "receive activation";
    case Kind::SendGradient:
        return "send gradient";
    case Kind::ReceiveGradient:
        return "receive gradient";
    case Kind::Wait:
        return "wait";
    case Kind::GradientReduce:
        return "gradient reduction";
    case Kind::TiedReduce:
        return "tied embedding reduction";
    case Kind::ReplicaReduce:
        return "replicated heads reduction";
    case Kind::NormReduce:
        return "gradient norm";
    case Kind::OptimizerStep:
        return "optimizer step";
    case Kind::LossReduce:
        return "loss";
    case Kind::TensorCollective:
        return "tensor collective";
    }
    return "unknown";
}

const char* shortName(Kind kind)
{
    switch (kind) {
    case Kind::Forward:
        return "F";
    case Kind::Backward:
        return "B";
    case Kind::BackwardInput:
        return "I";
    case Kind::BackwardWeight:
        return "W";
    case Kind::SendActivation:
        return "SEND_F";
    case Kind::ReceiveActivation:
        return "RECV_F";
    case Kind::SendGradient:
        return "SEND_B";
    case Kind::ReceiveGradient:
        return "RECV_B";
    case Kind::Wait:
        return "WAIT";
    case Kind::GradientReduce:
        return "REDUCE_GRAD";
    case Kind::TiedReduce:
        return "REDUCE_TIED";
    case Kind::ReplicaReduce:
        return "REDUCE_KV";
    case Kind::NormReduce:
        return "NORM";
    case Kind::OptimizerStep:
        return "OPT";
    case Kind::LossReduce:
        return "LOSS";
    case Kind::TensorCollective:
        return "TP";
    }
    return "?";
}

const char* toText(Lane lane)
{
    switch (lane) {
    case Lane::Compute:
        return "compute";
    case Lane::SendNext:
        return "send to next";
    case Lane::SendPrevious:
        return "send to previous";
    case Lane::ReceiveNext:
        return "receive from next";
    case Lane::ReceivePrevious:
        return "receive from previous";
    case Lane::Tensor:
        return "tensor";
    case Lane::Data:
        return "data";
    case Lane::Copy:
        return "copy";
    }
    return "unknown";
}

std::string toText(InstructionId id)
{
    switch (id.kind()) {
    case Kind::Forward:
    case Kind::Backward:
    case Kind::BackwardInput:
    case Kind::BackwardWeight:
    case Kind::SendActivation:
    case Kind::ReceiveActivation:
    case Kind::SendGradient:
    case Kind::ReceiveGradient:
        return toText(id.kind()) + ofMicrobatch(id);
    case Kind::Wait:
        // A wait cannot be waited for: the guard keeps a damaged id from being unpacked for ever.
        return targetOfWait(id).kind() == Kind::Wait
                   ? std::string("waiting")
                   : "waiting for " + awaited(targetOfWait(id), Stage(-1));
    case Kind::GradientReduce:
        return toText(id.kind()) + (", bucket " + std::to_string(id.part())) + ofChunk(id);
    case Kind::TiedReduce:
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
    case Kind::OptimizerStep:
    case Kind::LossReduce:
        return toText(id.kind()) + ofChunk(id);
    case Kind::TensorCollective:
        return toText(id.kind()) + (" " + std::to_string(id.part())) + ofMicrobatch(id);
    }
    return "unknown instruction";
}

std::string toText(const Instruction& instruction)
{
    const Kind kind = instruction.id.kind();
    if (isSend(kind))
        return "sending the " + payload(instruction.id) + peerText(" to ", instruction.peer);
    if (isReceive(kind))
        return "receiving the " + payload(instruction.id) + peerText(" from ", instruction.peer);
    if (kind == Kind::Wait && instruction.target.kind() != Kind::Wait)
        return "waiting for " + awaited(instruction.target, instruction.peer);
    return toText(instruction.id);
}

} // namespace triaxis

#include "engine/cost/machine_operation.h"

namespace triaxis
{

const char* toText(MachineOperation operation)
{
    switch (operation) {
    case MachineOperation::Copy:
        return "copy";
    case MachineOperation::Fill:
        return "fill";
    case MachineOperation::AddBias:
        return "add bias";
    case MachineOperation::BiasGradient:
        return "bias gradient";
    case MachineOperation::AddResidual:
        return "add residual";
    case MachineOperation::LayerNormForward:
        return "layer norm forward";
    case MachineOperation::LayerNormBackward:
        return "layer norm backward";
    case MachineOperation::RmsNormForward:
        return "RMS norm forward";
    case MachineOperation::RmsNormBackward:
        return "RMS norm backward";
    case MachineOperation::GeluForward:
        return "GELU forward";
    case MachineOperation::GeluBackward:
        return "GELU backward";
    case MachineOperation::SwigluForward:
        return "SwiGLU forward";
    case MachineOperation::SwigluBackward:
        return "SwiGLU backward";
    case MachineOperation::Rope:
        return "rotary positions";
    case MachineOperation::EmbeddingForward:
        return "embedding forward";
    case MachineOperation::EmbeddingBackward:
        return "embedding backward";
    case MachineOperation::RowMaximum:
        return "row maximum";
    case MachineOperation::ExponentialSums:
        return "exponential sums";
    case MachineOperation::CrossEntropySum:
        return "cross-entropy sum";
    case MachineOperation::CrossEntropyGradient:
        return "cross-entropy gradient";
    case MachineOperation::SumOfSquares:
        return "sum of squares";
    case MachineOperation::AdamW:
        return "AdamW";
    case MachineOperation::SyntheticTokens:
        return "synthetic tokens";
    case MachineOperation::TextTokens:
        return "text tokens";
    case MachineOperation::Instruction:
        return "instruction";
    }
    return "";
}

std::optional<MachineOperation> parseMachineOperation(const std::string& text)
{
    for (int i = 0; i < machineOperationCount; ++i)
        if (text == toText(MachineOperation(i)))
            return MachineOperation(i);
    return std::nullopt;
}

} // namespace triaxis

#pragma once

#include <optional>
#include <string>

namespace triaxis
{

/// What the ranks of a run do on a processor besides matrix products and attention: the operations
/// that a calibration measures by their number of elements.
enum class MachineOperation {
    Copy,
    Fill,
    AddBias,
    BiasGradient,
    AddResidual,
    LayerNormForward,
    LayerNormBackward,
    RmsNormForward,
    RmsNormBackward,
    GeluForward,
    GeluBackward,
    SwigluForward,
    SwigluBackward,
    Rope,
    EmbeddingForward,
    EmbeddingBackward,
    RowMaximum,
    ExponentialSums,
    CrossEntropySum, ///< elements: rows
    CrossEntropyGradient,
    SumOfSquares,
    AdamW,
    SyntheticTokens, ///< elements: tokens of a sample
    TextTokens,      ///< the same, from a file
    Instruction      ///< elements: instructions; what the runtime itself takes for each
};
inline constexpr int machineOperationCount = int(MachineOperation::Instruction) + 1;

/// "copy", "layer norm forward", …; the names in a calibration file.
const char* toText(MachineOperation operation);
/// Empty for an unknown name.
std::optional<MachineOperation> parseMachineOperation(const std::string& text);

} // namespace triaxis

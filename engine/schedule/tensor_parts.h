#pragma once

namespace triaxis
{

/// The tensor-parallel collectives inside one compute instruction, in the order of the model.
enum class TensorPosition {
    Embedding,        ///< forward: sum of the ranks' parts of the vocabulary lookup
    HeadMaximum,      ///< forward: largest logit of each token
    HeadSums,         ///< forward: sums of exponentials and target logits
    HeadGradient,     ///< backward: gradient entering the vocabulary projection
    AttentionOutput,  ///< forward: after the row-parallel output projection
    MlpOutput,        ///< forward: after the row-parallel second layer
    MlpGradient,      ///< backward: gradient entering the column-parallel first layer
    AttentionGradient ///< backward: gradient entering the query, key and value projections
};

/// `part` of the TensorCollective id, a child of the compute instruction with the same chunk and
/// microbatch. Fixed: the same in a prediction and in a run. `layer` counts within the chunk.
constexpr int tensorPart(TensorPosition position, int layer = 0)
{
    const int place = int(position);
    return place < 4 ? place : 4 * layer + place;
}

} // namespace triaxis

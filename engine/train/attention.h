#pragma once

#include "engine/train/linear.h"
#include "engine/train/norm.h"

#include <optional>
#include <vector>

namespace triaxis::train
{

/// First half of a transformer block on one tensor rank: x + W_o·attention(norm(x)). Heads are
/// split over the tensor ranks: query, key and value projections are column-parallel, the output
/// projection is row-parallel.
struct AttentionLayer
{
    Norm norm;
    std::vector<Linear> projections; ///< GPT-2: one, q|k|v side by side; Llama: q, k, v
    Linear output;
    int heads = 0; ///< of this tensor rank, as are kvHeads
    int kvHeads = 0;
    int headSize = 0;
    std::optional<float> ropeTheta; ///< rotary positions, Llama
    int layer = 0;                  ///< within the chunk: numbers the tensor collectives

    std::int64_t queryWidth() const { return std::int64_t(heads) * headSize; }
    std::int64_t keyWidth() const { return std::int64_t(kvHeads) * headSize; }
    std::int64_t projectedWidth() const { return queryWidth() + 2 * keyWidth(); }
};

/// What the backward needs of one microbatch. [rows, …]
struct AttentionSaved
{
    kernels::Buffer x; ///< [rows, C] input of the block
    NormSaved norm;
    kernels::Buffer normed;    ///< [rows, C]
    kernels::Buffer projected; ///< q, k and v after rotation
    kernels::Buffer attended;  ///< [rows, heads·D]
    kernels::Buffer logSumExp; ///< [batch, heads, time]
    /// Only between a backward for the input and one for the weights.
    kernels::Buffer outputGradient;
    kernels::Buffer projectedGradient;
};

/// Takes x [rows, C] over and gives the sum of x and the branch.
kernels::Buffer attentionForward(Compute& compute, const AttentionLayer& layer,
                                 const MicrobatchShape& shape, kernels::Buffer x,
                                 AttentionSaved& saved);

/// dX [rows, C], in place: gradient of the output → gradient of the input. Frees what is not needed
/// any more.
void attentionBackward(Compute& compute, const AttentionLayer& layer, const MicrobatchShape& shape,
                       float* dX, AttentionSaved& saved, WeightGradients weights);
/// The weights' part, after attentionBackward with WeightGradients::Later.
void attentionBackwardWeight(Compute& compute, const AttentionLayer& layer,
                             const MicrobatchShape& shape, AttentionSaved& saved);

} // namespace triaxis::train

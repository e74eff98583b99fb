#pragma once

#include "engine/train/linear.h"
#include "engine/train/norm.h"

#include <vector>

namespace triaxis::train
{

enum class Activation { Gelu, SwiGlu };

/// Second half of a transformer block on one tensor rank: x + W_2·activation(W_1·norm(x)). The
/// first layers are column-parallel, the second row-parallel.
struct MlpLayer
{
    Norm norm;
    Activation activation = Activation::Gelu;
    std::vector<Linear> inputs; ///< Gelu: one; SwiGlu: gate, up
    Linear output;
    int layer = 0; ///< within the chunk: numbers the tensor collectives

    std::int64_t innerWidth() const { return output.inputs; }
};

/// What the backward needs of one microbatch.
struct MlpSaved
{
    kernels::Buffer x; ///< [rows, C]
    NormSaved norm;
    kernels::Buffer normed; ///< [rows, C]
    kernels::Buffer
        inner; ///< before the activation: [rows, F] for each input layer, one after the other
    kernels::Buffer activated; ///< [rows, F]
    /// Only between a backward for the input and one for the weights.
    kernels::Buffer outputGradient;
    kernels::Buffer innerGradient;
};

/// Takes x [rows, C] over and gives the sum of x and the branch.
kernels::Buffer mlpForward(Compute& compute, const MlpLayer& layer, const MicrobatchShape& shape,
                           kernels::Buffer x, MlpSaved& saved);

/// dX [rows, C], in place: gradient of the output → gradient of the input. Frees what is not needed
/// any more.
void mlpBackward(Compute& compute, const MlpLayer& layer, const MicrobatchShape& shape, float* dX,
                 MlpSaved& saved, WeightGradients weights);
/// The weights' part, after mlpBackward with WeightGradients::Later.
void mlpBackwardWeight(Compute& compute, const MlpLayer& layer, const MicrobatchShape& shape,
                       MlpSaved& saved);

} // namespace triaxis::train

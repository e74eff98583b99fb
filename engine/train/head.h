#pragma once

#include "engine/train/linear.h"
#include "engine/train/norm.h"

namespace triaxis::train
{

/// Final norm, vocabulary projection and cross-entropy. The projection's outputs are split over the
/// tensor ranks by vocabulary entry; only real entries take part in the softmax, so that no result
/// depends on the split.
struct HeadLayer
{
    Norm norm;
    Linear projection; ///< outputs = entries of this rank
    std::int64_t firstEntry = 0;
};

struct HeadSaved
{
    kernels::Buffer x; ///< [rows, C]
    NormSaved norm;
    kernels::Buffer normed; ///< [rows, C]
    kernels::Buffer logits; ///< [rows, stride] exponentials, then their gradient
    kernels::Buffer sums;   ///< [rows, 2] over all tensor ranks
};

/// Takes x [rows, C] over. targets [rows]. Adds the sum over the rows of the cross-entropy, nats, to
/// `lossSum` on the device, unless that is null.
void headForward(Compute& compute, const HeadLayer& layer, const MicrobatchShape& shape,
                 kernels::Buffer x, const std::int32_t* targets, HeadSaved& saved, double* lossSum);

/// Gradient of `factor` × the sum with respect to x.
kernels::Buffer headBackward(Compute& compute, const HeadLayer& layer, const MicrobatchShape& shape,
                             const std::int32_t* targets, float factor, HeadSaved& saved,
                             WeightGradients weights);
/// The projection's weights, after headBackward with WeightGradients::Later.
void headBackwardWeight(Compute& compute, const HeadLayer& layer, const MicrobatchShape& shape,
                        HeadSaved& saved);

} // namespace triaxis::train

#pragma once

#include "engine/train/tensor_group.h"
#include "kernels/device.h"

#include <cstdint>

namespace triaxis::train
{

/// What the layers compute with.
struct Compute
{
    kernels::Device& device;
    kernels::Stream& stream;
    TensorGroup& tensor;

    kernels::Buffer activations(std::int64_t floats)
    {
        return device.allocateFloats(floats, kernels::MemoryUse::Activations);
    }
    kernels::Buffer workspace(std::int64_t floats)
    {
        return device.allocateFloats(floats, kernels::MemoryUse::Workspace);
    }
};

/// Tokens of one microbatch: `batch` sequences of `time` tokens. Activations are [batch·time,
/// width].
struct MicrobatchShape
{
    std::int64_t batch = 0;
    std::int64_t time = 0;
    std::int64_t rows() const { return batch * time; }
};

/// Whether a backward also computes the gradients of its weights, or leaves them to a later
/// BackwardWeight.
enum class WeightGradients { Now, Later };

/// One parameter's shard on this rank: where its values and its gradient lie.
/// A step's first contribution to a gradient overwrites what the last step left there, so that no
/// pass over memory is spent on clearing it; `started` tells whether that has happened.
struct Parameter
{
    float* value = nullptr;
    float* gradient = nullptr;
    std::int64_t count = 0;
    std::uint8_t* started = nullptr;

    explicit operator bool() const { return value != nullptr; }
};

/// 0 for the step's first contribution (the product overwrites), 1 after that.
inline float gradientBeta(const Parameter& parameter)
{
    const float beta = *parameter.started ? 1.0F : 0.0F;
    *parameter.started = 1;
    return beta;
}

/// For operations that can only add: clears the gradient before the step's first contribution.
inline void clearUnlessStarted(Compute& compute, const Parameter& parameter)
{
    if (gradientBeta(parameter) == 0.0F)
        compute.device.fill(compute.stream, parameter.gradient, 0.0F, parameter.count);
}

} // namespace triaxis::train

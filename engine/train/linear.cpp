#include "engine/train/linear.h"

namespace triaxis::train
{
namespace
{

using kernels::Gemm;
using kernels::Transpose;

void run(Compute& compute, const Gemm& gemm)
{
    compute.device.gemm(compute.stream, gemm);
    compute.tensor.progress();
}

/// Columns of the weight matrix as it lies in memory.
std::int64_t weightStride(const Linear& linear)
{
    return linear.order == WeightOrder::InputMajor ? linear.outputs : linear.inputs;
}

Gemm forwardProduct(const Linear& linear, const float* x, float* y, std::int64_t yStride,
                    std::int64_t rows)
{
    Gemm gemm;
    gemm.transB = linear.order == WeightOrder::InputMajor ? Transpose::No : Transpose::Yes;
    gemm.m = rows;
    gemm.n = linear.outputs;
    gemm.k = linear.inputs;
    gemm.a = x;
    gemm.lda = linear.inputs;
    gemm.b = linear.weight.value;
    gemm.ldb = weightStride(linear);
    gemm.beta = 0;
    gemm.c = y;
    gemm.ldc = yStride;
    return gemm;
}

} // namespace

void linearForward(Compute& compute, const Linear& linear, const float* x, float* y,
                   std::int64_t yStride, std::int64_t rows)
{
    if (linear.outputs > 0)
        run(compute, forwardProduct(linear, x, y, yStride, rows));
}

void linearForwardBias(Compute& compute, const Linear& linear, const float* x, float* y,
                       std::int64_t rows)
{
    if (!linear.bias || linear.outputs == 0)
        return linearForward(compute, linear, x, y, linear.outputs, rows);
    compute.device.gemmBias(compute.stream, forwardProduct(linear, x, y, linear.outputs, rows),
                            linear.bias.value);
    compute.tensor.progress();
}

void linearForwardGelu(Compute& compute, const Linear& linear, const float* x, float* y,
                       float* activated, std::int64_t rows)
{
    if (linear.outputs == 0)
        return;
    compute.device.gemmBiasGelu(compute.stream, forwardProduct(linear, x, y, linear.outputs, rows),
                                activated, linear.bias.value);
    compute.tensor.progress();
}

void linearBackwardInput(Compute& compute, const Linear& linear, const float* dY,
                         std::int64_t dYStride, float* dX, std::int64_t rows, float beta)
{
    if (linear.outputs == 0) {
        if (beta == 0.0F)
            compute.device.fill(compute.stream, dX, 0.0F, rows * linear.inputs);
        return;
    }
    Gemm gemm;
    gemm.transB = linear.order == WeightOrder::InputMajor ? Transpose::Yes : Transpose::No;
    gemm.m = rows;
    gemm.n = linear.inputs;
    gemm.k = linear.outputs;
    gemm.a = dY;
    gemm.lda = dYStride;
    gemm.b = linear.weight.value;
    gemm.ldb = weightStride(linear);
    gemm.beta = beta;
    gemm.c = dX;
    gemm.ldc = linear.inputs;
    run(compute, gemm);
}

void linearBackwardWeight(Compute& compute, const Linear& linear, const float* x, const float* dY,
                          std::int64_t dYStride, std::int64_t rows)
{
    if (linear.outputs == 0)
        return;
    const bool inputMajor = linear.order == WeightOrder::InputMajor;
    Gemm gemm;
    gemm.transA = Transpose::Yes;
    gemm.m = inputMajor ? linear.inputs : linear.outputs;
    gemm.n = inputMajor ? linear.outputs : linear.inputs;
    gemm.k = rows;
    gemm.a = inputMajor ? x : dY;
    gemm.lda = inputMajor ? linear.inputs : dYStride;
    gemm.b = inputMajor ? dY : x;
    gemm.ldb = inputMajor ? dYStride : linear.inputs;
    gemm.beta = gradientBeta(linear.weight);
    gemm.c = linear.weight.gradient;
    gemm.ldc = gemm.n;
    run(compute, gemm);
}

void linearBackwardBias(Compute& compute, const Linear& linear, const float* dY, std::int64_t rows)
{
    if (!linear.bias)
        return;
    clearUnlessStarted(compute, linear.bias);
    compute.device.biasGradient(compute.stream, linear.bias.gradient, dY, rows, linear.outputs);
    compute.tensor.progress();
}

} // namespace triaxis::train

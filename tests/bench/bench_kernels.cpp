// Times of the CPU device's operations beside matrix products, at the sizes of one GPT-2 124M step
// of 4 × 256 tokens. bench_kernels [threads [seconds per operation]]

#include "kernels/device.h"
#include "tests/bench/bench_timer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace triaxis;
using kernels::MemoryUse;

namespace
{

constexpr std::int64_t batch = 4, sequence = 256, rows = batch * sequence, width = 768,
                       inner = 4 * width, vocabulary = 50257, stride = 50304,
                       parameters = 124439808;

class Bench
{
public:
    Bench(kernels::Device& device, double budget)
        : m_device(device), m_budget(budget), m_stream(device.makeStream())
    {
    }

    /// Values spread over (−1, 1).
    kernels::Buffer floats(std::int64_t count)
    {
        kernels::Buffer buffer = m_device.allocateFloats(count, MemoryUse::Workspace);
        for (std::int64_t i = 0; i < count; ++i)
            buffer.floats()[i] = static_cast<float>((i * 7919) % 2001 - 1000) * 1e-3f;
        return buffer;
    }

    /// One line: bytes are what the operation has to read and write once, floating-point operations
    /// where they count.
    template <class Call>
    void line(const char* name, int perStep, double bytes, double flops, Call&& call)
    {
        const double time = bench::fastest(m_budget, call);
        m_step += perStep * time;
        std::printf("%-24s %4d x %9.3f ms %7.1f GB/s", name, perStep, time * 1e3,
                    bytes / time * 1e-9);
        if (flops > 0)
            std::printf(" %7.1f GFLOP/s", flops / time * 1e-9);
        std::printf("\n");
    }

    void elementwise();
    void normalization();
    void attention();
    void embeddingAndLoss();
    void optimizer();
    double step() const { return m_step; }

private:
    kernels::Device& m_device;
    double m_budget;
    std::unique_ptr<kernels::Stream> m_stream;
    double m_step = 0;
};

constexpr double floatBytes = 4;

void Bench::elementwise()
{
    const auto x = floats(rows * inner), y = floats(rows * inner), bias = floats(inner);
    line("copy [1024, 3072]", 0, 2 * floatBytes * rows * inner, 0,
         [&] { m_device.copy(*m_stream, y.floats(), x.floats(), rows * inner); });
    line("addBias qkv", 12, 2 * floatBytes * rows * 3 * width, 0,
         [&] { m_device.addBias(*m_stream, y.floats(), bias.floats(), rows, 3 * width); });
    line("addResidual", 24, 3 * floatBytes * rows * width, 0, [&] {
        m_device.addResidual(*m_stream, y.floats(), x.floats(), bias.floats(), rows, width);
    });
    line("biasGradient qkv", 12, floatBytes * rows * 3 * width, 0,
         [&] { m_device.biasGradient(*m_stream, bias.floats(), x.floats(), rows, 3 * width); });
    line("biasGradient MLP up", 12, floatBytes * rows * inner, 0,
         [&] { m_device.biasGradient(*m_stream, bias.floats(), x.floats(), rows, inner); });
    line("biasGradient 768", 24, floatBytes * rows * width, 0,
         [&] { m_device.biasGradient(*m_stream, bias.floats(), x.floats(), rows, width); });
    line("geluForward", 12, 3 * floatBytes * rows * inner, 0,
         [&] { m_device.geluForward(*m_stream, y.floats(), x.floats(), nullptr, rows, inner); });
    line("geluBackward", 12, 3 * floatBytes * rows * inner, 0, [&] {
        m_device.geluBackward(*m_stream, y.floats(), y.floats(), x.floats(), rows * inner);
    });
    line("swigluForward", 0, 3 * floatBytes * rows * width, 0, [&] {
        m_device.swigluForward(*m_stream, y.floats(), x.floats(), x.floats(), rows * width);
    });
    line("rope", 0, 2 * floatBytes * rows * width, 0,
         [&] { m_device.rope(*m_stream, x.floats(), width, rows, sequence, 12, 64, 1e4f, false); });
}

void Bench::normalization()
{
    const auto x = floats(rows * width), y = floats(rows * width), weight = floats(width),
               bias = floats(width), mean = floats(rows), rstd = floats(rows),
               dX = floats(rows * width);
    line("layerNormForward", 25, 2 * floatBytes * rows * width, 0, [&] {
        m_device.layerNormForward(*m_stream, y.floats(), mean.floats(), rstd.floats(), x.floats(),
                                  weight.floats(), bias.floats(), 1e-5f, rows, width);
    });
    line("layerNormBackward", 25, 4 * floatBytes * rows * width, 0, [&] {
        m_device.layerNormBackward(*m_stream, dX.floats(), weight.floats(), bias.floats(),
                                   y.floats(), x.floats(), weight.floats(), mean.floats(),
                                   rstd.floats(), rows, width);
    });
    line("rmsNormForward", 0, 2 * floatBytes * rows * width, 0, [&] {
        m_device.rmsNormForward(*m_stream, y.floats(), rstd.floats(), x.floats(), weight.floats(),
                                1e-5f, rows, width);
    });
}

void Bench::attention()
{
    const auto qkv = floats(rows * 3 * width), gradient = floats(rows * 3 * width),
               out = floats(rows * width), dOut = floats(rows * width), sums = floats(12 * rows);
    kernels::Attention a;
    a.batch = batch;
    a.time = sequence;
    a.heads = a.kvHeads = 12;
    a.headSize = 64;
    a.scale = 0.125f;
    a.q = qkv.floats();
    a.k = a.q + width;
    a.v = a.k + width;
    a.qStride = a.kvStride = 3 * width;
    a.outStride = width;
    const double causal = 2.0 * rows * (sequence + 1) / 2 * width;
    line("attentionForward", 12, 4 * floatBytes * rows * width, 2 * causal,
         [&] { m_device.attentionForward(*m_stream, a, out.floats(), sums.floats()); });
    line("attentionBackward", 12, 8 * floatBytes * rows * width, 5 * causal, [&] {
        m_device.attentionBackward(*m_stream, a, gradient.floats(), gradient.floats() + width,
                                   gradient.floats() + 2 * width, dOut.floats(), out.floats(),
                                   sums.floats());
    });
}

void Bench::embeddingAndLoss()
{
    const auto logits = floats(rows * stride), x = floats(rows * width),
               table = floats(vocabulary * width), maximum = floats(rows), sums = floats(2 * rows);
    std::vector<std::int32_t> tokens;
    for (std::int64_t r = 0; r < rows; ++r)
        tokens.push_back(static_cast<std::int32_t>(r * 7919 % vocabulary));
    line("embeddingForward", 1, 3 * floatBytes * rows * width, 0, [&] {
        m_device.embeddingForward(*m_stream, x.floats(), tokens.data(), table.floats(),
                                  table.floats(), rows, sequence, width, 0, vocabulary);
    });
    line("embeddingBackward", 1, 5 * floatBytes * rows * width, 0, [&] {
        m_device.embeddingBackward(*m_stream, table.floats(), table.floats(), x.floats(),
                                   tokens.data(), rows, sequence, width, 0, vocabulary);
    });
    line("rowMaximum", 1, floatBytes * rows * vocabulary, 0, [&] {
        m_device.rowMaximum(*m_stream, maximum.floats(), logits.floats(), rows, vocabulary, stride);
    });
    line("exponentialSums", 1, 2 * floatBytes * rows * vocabulary, 0, [&] {
        m_device.exponentialSums(*m_stream, sums.floats(), logits.floats(), maximum.floats(),
                                 tokens.data(), rows, vocabulary, stride, 0);
    });
    line("crossEntropyGradient", 1, 2 * floatBytes * rows * vocabulary, 0, [&] {
        m_device.crossEntropyGradient(*m_stream, logits.floats(), sums.floats(), tokens.data(),
                                      1e-3f, rows, vocabulary, stride, 0);
    });
}

void Bench::optimizer()
{
    const auto weight = floats(parameters), m = floats(parameters), v = floats(parameters),
               gradient = floats(parameters);
    m_device.fill(*m_stream, v.floats(), 1, parameters);
    kernels::AdamW step;
    step.learningRate = 1e-4f;
    step.beta1 = 0.9f;
    step.beta2 = 0.95f;
    step.epsilon = 1e-8f;
    step.step = 100;
    line("fill gradients", 1, floatBytes * parameters, 0,
         [&] { m_device.fill(*m_stream, gradient.floats(), 0.01f, parameters); });
    line("sumOfSquares", 1, floatBytes * parameters, 0,
         [&] { m_device.sumOfSquares(*m_stream, gradient.floats(), parameters); });
    line("allFinite", 0, floatBytes * parameters, 0,
         [&] { m_device.allFinite(*m_stream, gradient.floats(), parameters); });
    line("adamW", 1, 7 * floatBytes * parameters, 0, [&] {
        m_device.adamW(*m_stream, weight.floats(), m.floats(), v.floats(), gradient.floats(), step,
                       parameters);
    });
}

} // namespace

int main(int argc, char** argv)
{
    kernels::CpuDeviceOptions options;
    options.threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1;
    const auto device = kernels::makeCpuDevice(options);
    std::printf("%s\n", device->name().c_str());
    Bench bench(*device, argc > 2 ? std::atof(argv[2]) : 0.3);
    bench.elementwise();
    bench.normalization();
    bench.attention();
    bench.embeddingAndLoss();
    bench.optimizer();
    std::printf("all of a step: %.1f ms\n", bench.step() * 1e3);
    return 0;
}

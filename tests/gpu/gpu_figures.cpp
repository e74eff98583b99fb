#include "tests/gpu/gpu_check.h"

#include "tests/bench/bench_timer.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace triaxis::gpu_check
{

namespace
{

using kernels::Buffer;
using kernels::Device;
using kernels::MemoryUse;
using kernels::Stream;

class Figures
{
public:
    Figures(Device& device, double budget)
        : m_device(device), m_stream(device.makeStream()), m_budget(budget)
    {
    }

    Buffer numbers(std::int64_t count)
    {
        std::vector<float> values(static_cast<std::size_t>(count));
        std::minstd_rand generator(1);
        for (float& value : values)
            value = float(generator() % 2001) * 1e-3f - 1.0f;
        Buffer buffer = m_device.allocateFloats(count, MemoryUse::Workspace);
        m_device.copyToDevice(*m_stream, buffer.data(), values.data(), buffer.bytes());
        m_stream->synchronize();
        return buffer;
    }

    /// `amount`: what the operation does, in units of `unit` a second.
    template <class Operation>
    void line(const std::string& what, double amount, const char* unit, Operation&& operation)
    {
        constexpr int repeats = 10; // the host's part vanishes behind them
        const double seconds = bench::fastest(m_budget,
                                              [&] {
                                                  for (int i = 0; i < repeats; ++i)
                                                      operation(m_device, *m_stream);
                                                  m_stream->synchronize();
                                              }) /
                               repeats;
        std::printf("{\"what\": \"%s\", \"seconds\": %.9f, \"rate\": %.4f, \"unit\": \"%s\"}\n",
                    what.c_str(), seconds, amount / seconds, unit);
        std::fflush(stdout);
    }

    void product(std::int64_t size);
    void attention(std::int64_t batch, std::int64_t time, int heads, int headSize);
    void norms(std::int64_t rows, std::int64_t width);
    void optimizer(std::int64_t count);

private:
    Device& m_device;
    std::unique_ptr<Stream> m_stream;
    double m_budget;
};

void Figures::product(std::int64_t size)
{
    const Buffer a = numbers(size * size), b = numbers(size * size), c = numbers(size * size);
    kernels::Gemm gemm;
    gemm.m = gemm.n = gemm.k = gemm.lda = gemm.ldb = gemm.ldc = size;
    gemm.a = a.floats();
    gemm.b = b.floats();
    gemm.c = c.floats();
    const double flops = 2.0 * std::pow(double(size), 3);
    line("GEMM " + std::to_string(size), flops * 1e-12, "TFLOP/s",
         [&](Device& d, Stream& s) { d.gemm(s, gemm); });
}

void Figures::attention(std::int64_t batch, std::int64_t time, int heads, int headSize)
{
    const std::int64_t width = std::int64_t(heads) * headSize, count = batch * time * width;
    const Buffer q = numbers(count), k = numbers(count), v = numbers(count), out = numbers(count),
                 sums = numbers(batch * heads * time), dOut = numbers(count), dQ = numbers(count),
                 dK = numbers(count), dV = numbers(count);
    kernels::Attention a;
    a.batch = batch;
    a.time = time;
    a.heads = a.kvHeads = heads;
    a.headSize = headSize;
    a.scale = 1 / std::sqrt(float(headSize));
    a.q = q.floats();
    a.k = k.floats();
    a.v = v.floats();
    a.qStride = a.kvStride = a.outStride = width;
    // Two products of which the causal half counts; the backward has five.
    const double flops = 2.0 * double(count) * double(time);
    line("attention forward", flops * 1e-12, "TFLOP/s",
         [&](Device& d, Stream& s) { d.attentionForward(s, a, out.floats(), sums.floats()); });
    line("attention backward", 2.5 * flops * 1e-12, "TFLOP/s", [&](Device& d, Stream& s) {
        d.attentionBackward(s, a, dQ.floats(), dK.floats(), dV.floats(), dOut.floats(),
                            out.floats(), sums.floats());
    });
}

void Figures::norms(std::int64_t rows, std::int64_t width)
{
    const Buffer x = numbers(rows * width), y = numbers(rows * width), dY = numbers(rows * width),
                 weight = numbers(width), bias = numbers(width), mean = numbers(rows),
                 rstd = numbers(rows), dWeight = numbers(width), dBias = numbers(width);
    const double gigabytes = 4e-9 * double(rows * width);
    line("LayerNorm forward", 2 * gigabytes, "GB/s", [&](Device& d, Stream& s) {
        d.layerNormForward(s, y.floats(), mean.floats(), rstd.floats(), x.floats(), weight.floats(),
                           bias.floats(), 1e-5f, rows, width);
    });
    line("LayerNorm backward", 4 * gigabytes, "GB/s", [&](Device& d, Stream& s) {
        d.layerNormBackward(s, y.floats(), dWeight.floats(), dBias.floats(), dY.floats(),
                            x.floats(), weight.floats(), mean.floats(), rstd.floats(), rows, width);
    });
    line("RMSNorm forward", 2 * gigabytes, "GB/s", [&](Device& d, Stream& s) {
        d.rmsNormForward(s, y.floats(), rstd.floats(), x.floats(), weight.floats(), 1e-5f, rows,
                         width);
    });
}

void Figures::optimizer(std::int64_t count)
{
    const Buffer weight = numbers(count), m = numbers(count), gradient = numbers(count);
    Buffer v = m_device.allocateFloats(count, MemoryUse::Workspace);
    m_device.fill(*m_stream, v.floats(), 0.1f, count);
    const kernels::AdamW settings{1e-4f, 0.9f, 0.95f, 1e-8f, 0.1f, 1, 1};
    line("AdamW", 4e-9 * 7 * double(count), "GB/s", [&](Device& d, Stream& s) {
        d.adamW(s, weight.floats(), m.floats(), v.floats(), gradient.floats(), settings, count);
    });
}

} // namespace

int kernelFigures(kernels::GpuRank& rank, bool small)
{
    std::printf("{\"device\": \"%s\", \"library\": \"%s\"}\n", rank.device->name().c_str(),
                rank.device->blasName().c_str());
    Figures figures(*rank.device, small ? 0 : 0.5);
    figures.product(small ? 32 : 4096);
    if (!small)
        figures.product(8192);
    if (small)
        figures.attention(1, 16, 1, 8);
    else
        figures.attention(8, 1024, 12, 64);
    figures.norms(small ? 4 : 16384, small ? 32 : 1600);
    figures.optimizer(small ? 100 : std::int64_t(1) << 27);
    return 0;
}

} // namespace triaxis::gpu_check

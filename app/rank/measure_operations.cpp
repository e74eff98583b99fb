#include "app/rank/measurement.h"

#include <cmath>

namespace triaxis::rank
{
namespace
{

constexpr std::int64_t width = 256;
constexpr float epsilon = 1e-5F;

/// A call of an operation on rows of `width` elements. What was made long before it (weights, what
/// a forward keeps for its backward, optimizer state) comes from memory, the rest from the caches.
class Calls
{
public:
    Calls(Measurement& measurement, std::int64_t elements)
        : m(measurement), rows(std::max<std::int64_t>(1, elements / width)), count(rows * width)
    {
        statistics = m.device().allocateFloats(4 * rows, kernels::MemoryUse::Workspace);
        m.device().fill(m.stream(), statistics.floats(), 1.0F, 4 * rows);
        tokens = m.device().allocate(std::size_t(rows) * sizeof(std::int32_t),
                                     kernels::MemoryUse::Workspace);
        for (std::int64_t row = 0; row < rows; ++row)
            tokens.ints()[row] = std::int32_t(row * 37 % entries);
        vectors = m.device().allocateFloats(4 * width, kernels::MemoryUse::Workspace);
        m.device().fill(m.stream(), vectors.floats(), 0.0F, 4 * width);
    }

    void run(MachineOperation operation);
    std::int64_t elementsOf(MachineOperation operation) const
    {
        return operation == MachineOperation::CrossEntropySum ? rows : count;
    }

private:
    void runNorm(MachineOperation operation);
    void runHead(MachineOperation operation);
    void runOptimizer(MachineOperation operation);

    static constexpr std::int64_t entries = 256;
    Measurement& m;
    std::int64_t rows;
    std::int64_t count;
    kernels::Buffer statistics, tokens, vectors;
};

void Calls::run(MachineOperation operation)
{
    kernels::Device& device = m.device();
    kernels::Stream& stream = m.stream();
    float* const vector = vectors.floats();
    switch (operation) {
    case MachineOperation::Copy:
        device.copy(stream, m.cold(0, count), m.warm(1, count), count);
        break;
    case MachineOperation::Fill:
        device.fill(stream, m.cold(0, count), 0.01F, count);
        break;
    case MachineOperation::AddBias:
        device.addBias(stream, m.warm(0, count), vector, rows, width);
        break;
    case MachineOperation::BiasGradient:
        device.biasGradient(stream, vector + width, m.warm(1, count), rows, width);
        break;
    case MachineOperation::AddResidual:
        device.addResidual(stream, m.warm(0, count), m.warm(1, count), vector, rows, width);
        break;
    case MachineOperation::GeluForward:
        device.geluForward(stream, m.warm(0, count), m.warm(1, count), vector, rows, width);
        break;
    case MachineOperation::GeluBackward:
        device.geluBackward(stream, m.warm(0, count), m.warm(0, count), m.cold(1, count), count);
        break;
    case MachineOperation::SwigluForward:
        device.swigluForward(stream, m.warm(0, count), m.warm(1, count), m.warm(2, count), count);
        break;
    case MachineOperation::SwigluBackward:
        device.swigluBackward(stream, m.warm(3, count), m.warm(2, count), m.warm(0, count),
                              m.cold(1, count), m.cold(1, count), count);
        break;
    case MachineOperation::Rope:
        device.rope(stream, m.warm(0, count), width, rows, std::min<std::int64_t>(rows, 256), 4,
                    int(width / 4), 10000.0F, false);
        break;
    case MachineOperation::EmbeddingForward:
        device.embeddingForward(stream, m.warm(0, count), tokens.ints(), m.cold(1, entries * width),
                                m.warm(2, count), rows, rows, width, 0, entries);
        break;
    case MachineOperation::EmbeddingBackward:
        device.embeddingBackward(stream, m.cold(1, entries * width), m.cold(2, count),
                                 m.warm(0, count), tokens.ints(), rows, rows, width, 0, entries);
        break;
    case MachineOperation::LayerNormForward:
    case MachineOperation::LayerNormBackward:
    case MachineOperation::RmsNormForward:
    case MachineOperation::RmsNormBackward:
        runNorm(operation);
        break;
    case MachineOperation::RowMaximum:
    case MachineOperation::ExponentialSums:
    case MachineOperation::CrossEntropySum:
    case MachineOperation::CrossEntropyGradient:
        runHead(operation);
        break;
    case MachineOperation::SumOfSquares:
    case MachineOperation::AdamW:
        runOptimizer(operation);
        break;
    case MachineOperation::SyntheticTokens:
    case MachineOperation::TextTokens:
    case MachineOperation::Instruction:
        break;
    }
}

void Calls::runNorm(MachineOperation operation)
{
    kernels::Device& device = m.device();
    kernels::Stream& stream = m.stream();
    float* const vector = vectors.floats();
    float* const mean = statistics.floats();
    float* const rstd = mean + rows;
    if (operation == MachineOperation::LayerNormForward)
        device.layerNormForward(stream, m.warm(0, count), mean, rstd, m.warm(1, count), vector,
                                vector + width, epsilon, rows, width);
    else if (operation == MachineOperation::RmsNormForward)
        device.rmsNormForward(stream, m.warm(0, count), rstd, m.warm(1, count), vector, epsilon,
                              rows, width);
    else if (operation == MachineOperation::LayerNormBackward)
        device.layerNormBackward(stream, m.warm(0, count), vector + 2 * width, vector + 3 * width,
                                 m.warm(1, count), m.cold(2, count), vector, mean, rstd, rows,
                                 width);
    else
        device.rmsNormBackward(stream, m.warm(0, count), vector + 2 * width, m.warm(1, count),
                               m.cold(2, count), vector, rstd, rows, width);
}

void Calls::runHead(MachineOperation operation)
{
    kernels::Device& device = m.device();
    kernels::Stream& stream = m.stream();
    float* const maximum = statistics.floats();
    float* const sums = maximum + rows;
    if (operation == MachineOperation::RowMaximum)
        device.rowMaximum(stream, maximum + 3 * rows, m.warm(0, count), rows, width, width);
    else if (operation == MachineOperation::ExponentialSums)
        device.exponentialSums(stream, sums, m.warm(0, count), maximum, tokens.ints(), rows, width,
                               width, 0);
    else if (operation == MachineOperation::CrossEntropySum)
        device.crossEntropySum(stream, sums, rows);
    else
        device.crossEntropyGradient(stream, m.cold(0, count), sums, tokens.ints(), 1.0F, rows,
                                    width, width, 0);
}

void Calls::runOptimizer(MachineOperation operation)
{
    kernels::Device& device = m.device();
    if (operation == MachineOperation::SumOfSquares) {
        device.sumOfSquares(m.stream(), m.cold(3, count), count);
        return;
    }
    kernels::AdamW settings;
    settings.learningRate = 1e-6F;
    settings.beta1 = 0.9F;
    settings.beta2 = 0.95F;
    settings.epsilon = 1e-8F;
    settings.weightDecay = 0.1F;
    device.adamW(m.stream(), m.cold(0, count), m.cold(1, count), m.cold(2, count), m.cold(3, count),
                 settings, count);
}

std::vector<std::int64_t> sizesOf(const MeasurementPace& pace)
{
    if (pace.coarse)
        return {1 << 12, 1 << 16, 1 << 20};
    return {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, Measurement::largestOperand};
}

} // namespace

void measureOperations(Measurement& measurement)
{
    constexpr int measured = int(MachineOperation::AdamW) + 1;
    for (int i = 0; i < measured; ++i) {
        const auto operation = MachineOperation(i);
        measurement.tell(toText(operation), 0.7 + 0.2 * i / measured);
        for (const std::int64_t size : sizesOf(measurement.pace())) {
            Calls calls(measurement, size);
            const double seconds = measurement.secondsOf([&] { calls.run(operation); });
            measurement.result().operations.push_back(
                {measurement.under(), operation, calls.elementsOf(operation), seconds});
        }
    }
}

void measureSharing(Measurement& measurement)
{
    // The same shapes as measured with a core for each rank: what more ranks cost shows beside it.
    constexpr std::int64_t extent = 256;
    constexpr std::int64_t elements = std::int64_t(1) << 16;
    constexpr double atLeast = 0.2;
    kernels::Gemm gemm;
    gemm.m = gemm.n = gemm.k = gemm.lda = gemm.ldb = gemm.ldc = extent;
    const double product = measurement.meanSecondsOf(
        [&] {
            gemm.a = measurement.warm(0, extent * extent);
            gemm.b = measurement.cold(1, extent * extent);
            gemm.c = measurement.warm(2, extent * extent);
            measurement.device().gemm(measurement.stream(), gemm);
        },
        atLeast);
    measurement.result().products.push_back(
        {measurement.under(), ProductForm::Plain, extent, extent, extent, product});
    Calls calls(measurement, elements);
    const double gelu =
        measurement.meanSecondsOf([&] { calls.run(MachineOperation::GeluForward); }, atLeast);
    measurement.result().operations.push_back(
        {measurement.under(), MachineOperation::GeluForward, elements, gelu});
}

void measureAttention(Measurement& measurement)
{
    const bool coarse = measurement.pace().coarse;
    const std::vector<std::int64_t> times =
        coarse ? std::vector<std::int64_t>{32, 128, 512}
               : std::vector<std::int64_t>{32, 64, 128, 256, 512, 1024};
    constexpr std::int64_t rounds = 4;
    kernels::Device& device = measurement.device();
    for (const bool backward : {false, true})
        for (const std::int64_t headSize : {16, 32, 64, 128})
            for (const std::int64_t time : times) {
                measurement.tell("attention", 0.9);
                kernels::Attention attention;
                const std::int64_t heads = rounds * measurement.threads();
                const std::int64_t inner = heads * headSize;
                const std::int64_t rows = time;
                if (3 * rows * inner > Measurement::largestOperand)
                    continue;
                attention.batch = 1;
                attention.time = time;
                attention.heads = attention.kvHeads = int(heads);
                attention.headSize = int(headSize);
                attention.scale = 1.0F / std::sqrt(float(headSize));
                attention.qStride = attention.kvStride = 3 * inner;
                attention.outStride = inner;
                float* const sums = measurement.warm(3, 0);
                const double seconds = measurement.secondsOf([&] {
                    float* const at = backward ? measurement.cold(0, 3 * rows * inner)
                                               : measurement.warm(0, 3 * rows * inner);
                    attention.q = at;
                    attention.k = at + inner;
                    attention.v = at + 2 * inner;
                    float* const out = measurement.warm(1, 2 * rows * inner);
                    float* const gradient = measurement.warm(2, 3 * rows * inner);
                    if (backward)
                        device.attentionBackward(measurement.stream(), attention, gradient,
                                                 gradient + inner, gradient + 2 * inner, out, out,
                                                 sums);
                    else
                        device.attentionForward(measurement.stream(), attention, out, sums);
                });
                measurement.result().attention.push_back(
                    {measurement.under(), backward, time, headSize, seconds / rounds});
            }
}

} // namespace triaxis::rank

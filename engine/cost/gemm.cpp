#include "engine/cost/gemm.h"

#include <algorithm>
#include <cstdint>

namespace triaxis
{
namespace
{

/// What one compute unit works out at a time: m rows, n columns.
struct Tile
{
    double m;
    double n;
    double rate; ///< share of the peak at great depth; the largest tile: 1
};

/// Operands that a tile reads grow with its edge, products with its area: time per product grows by
/// 1 + operandCost · (1/m + 1/n). Fitted, like the two constants below, to half of SimuMax's
/// measured products on A100 and B200 (one set for both).
constexpr double operandCost = 60;
/// Steps in depth that filling and emptying a tile takes.
constexpr double tileDepth = 200;
/// Share of the wave quantisation that shows: kernels split the last wave's tiles in part.
constexpr double waveShare = 0.43;
/// Share of the memory bandwidth that streaming reaches.
constexpr double streamShare = 0.83;

constexpr Tile tileOf(double m, double n)
{
    constexpr double largest = 1 + operandCost * (1.0 / 256 + 1.0 / 128);
    return {1 / m, 1 / n, largest / (1 + operandCost * (1 / m + 1 / n))};
}

/// Edges are kept as reciprocals, to multiply by.
constexpr Tile tiles[] = {tileOf(256, 128), tileOf(128, 256), tileOf(128, 128),
                          tileOf(128, 64),  tileOf(64, 128),  tileOf(64, 64)};

constexpr double mostSize = 1e10;

/// For values from 0 to 1e18; std::ceil is a call where the processor's rounding may not be used.
inline double roundedUp(double value)
{
    const auto whole = double(std::int64_t(value));
    return whole < value ? whole + 1 : whole;
}

/// 0 for what is no size at all.
inline double sized(double value)
{
    return value > 0 ? std::min(value, mostSize) : 0;
}

/// Queries or keys that one compute unit of the attention kernel takes at a time.
constexpr double attentionBlock = 128;
/// Blocks' time lost at the ends, in waves: causal blocks differ in length, the last wave is not
/// full. Fitted to half of SimuMax's measured attention on A100 and B200; so is the next line.
constexpr double forwardTail = 2.0;
constexpr double backwardTail = 0.56;
constexpr double backwardRate = 0.82; ///< of the forward's rate
/// Softmax costs what products over this many more elements of a head cost (FlashAttention-2 on
/// A100, heads of 64 against 128); rates are those of heads of 128.
constexpr double softmaxSize = 29;
constexpr double usualHead = 128;

} // namespace

double bytesOf(NumberFormat format)
{
    switch (format) {
    case NumberFormat::Fp32:
    case NumberFormat::Tf32:
        return 4;
    case NumberFormat::Fp16:
    case NumberFormat::Bf16:
        return 2;
    case NumberFormat::Fp8:
        return 1;
    case NumberFormat::Fp4:
        return 0.5;
    }
    return 2;
}

double gemmSeconds(const DeviceSpec& device, double m, double n, double k, NumberFormat format)
{
    m = sized(m);
    n = sized(n);
    k = sized(k);
    if (m == 0 || n == 0 || k == 0)
        return 0;
    const double units = std::max(1, device.computeUnits);
    double least = 1e300;
    for (const Tile& tile : tiles) {
        const double count = roundedUp(m * tile.m) * roundedUp(n * tile.n);
        const double waves = count / units;
        const double taken = waveShare * roundedUp(waves) + (1 - waveShare) * std::max(waves, 1.0);
        least = std::min(least, taken / (tile.m * tile.n * tile.rate));
    }
    const double arithmetic = 2 * least * units * (k + tileDepth) / device.peakOf(format);
    const double bytes = bytesOf(format) * (m * k + k * n) + 2 * m * n;
    return std::max(arithmetic, bytes / (device.memoryBandwidth * streamShare));
}

double attentionSeconds(const DeviceSpec& device, double heads, double sequence, double headSize,
                        bool causal, bool backward, NumberFormat format)
{
    heads = sized(heads);
    sequence = sized(sequence);
    headSize = sized(headSize);
    const double products = backward ? 5 : 2;
    const double share = causal ? 0.5 : 1.0;
    const double width = (headSize + softmaxSize) * usualHead / (usualHead + softmaxSize);
    const double flops = 2 * products * share * heads * sequence * sequence * width;
    const double full = flops / (device.peakOf(format) * (backward ? backwardRate : 1));
    const double blocks = heads * std::max(sequence / attentionBlock, 1.0);
    const double tail = backward ? backwardTail : forwardTail;
    // One block takes full / blocks · units: the tail is that of `tail` more waves.
    const double arithmetic =
        blocks > 0 ? full * (1 + tail * std::max(1, device.computeUnits) / blocks) : 0;
    const double bytes = bytesOf(format) * heads * sequence * headSize * (backward ? 8 : 4);
    return std::max(arithmetic, bytes / (device.memoryBandwidth * streamShare));
}

} // namespace triaxis

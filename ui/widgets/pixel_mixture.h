#pragma once

#include <QRgb>

#include <cstdint>

namespace triaxis::ui
{

/// Coverage of a pixel that is covered from edge to edge.
inline constexpr int wholePixel = 256;

inline int coverageOf(double share)
{
    return int(share * wholePixel + 0.5);
}

/// `over` laid over `under`; red and blue go together, they do not reach into each other.
inline QRgb blended(QRgb under, QRgb over, int coverage)
{
    const auto rest = std::uint32_t(wholePixel - coverage);
    const auto share = std::uint32_t(coverage);
    const std::uint32_t redBlue =
        ((over & 0xFF00FF) * share + (under & 0xFF00FF) * rest + 0x800080) >> 8;
    const std::uint32_t green =
        ((over & 0x00FF00) * share + (under & 0x00FF00) * rest + 0x008000) >> 8;
    return 0xFF000000 | (redBlue & 0xFF00FF) | (green & 0x00FF00);
}

} // namespace triaxis::ui

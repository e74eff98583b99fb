#include "engine/timeline/display_list.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr std::uint32_t white = 0xFFFFFF;
constexpr std::uint32_t nearBlack = 0x0B0F14;
constexpr std::uint32_t black = 0x000000;
constexpr double readableContrast = 4.5; // WCAG 2.1, success criterion 1.4.3

/// Linear light of each channel value: labels ask for it thousands of times a picture.
std::array<double, 256> makeLinear()
{
    std::array<double, 256> table{};
    for (std::size_t channel = 0; channel < table.size(); ++channel) {
        const double value = double(channel) / 255.0;
        table[channel] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    return table;
}

double linear(std::uint32_t channel)
{
    static const std::array<double, 256> table = makeLinear();
    return table[channel];
}

double luminance(std::uint32_t colour)
{
    return 0.2126 * linear(colour >> 16 & 0xff) + 0.7152 * linear(colour >> 8 & 0xff) +
           0.0722 * linear(colour & 0xff);
}

std::uint32_t mixChannel(std::uint32_t over, std::uint32_t under, int shift, double opacity)
{
    const double top = double(over >> shift & 0xff);
    const double bottom = double(under >> shift & 0xff);
    return std::uint32_t(std::lround(bottom + (top - bottom) * opacity)) << shift;
}

} // namespace

const Palette& lightPalette()
{
    static constexpr Palette palette{{
        0x0072B2, // Forward (Okabe and Ito's colours, as far as Data)
        0x009E73, // Backward
        0x56B4E9, // WeightGradient
        0xE69F00, // Tensor
        0xCC79A7, // Pipeline
        0xD55E00, // Data
        0x8A6D3B, // Optimizer
        0xC9CFD7, // Wait
        0xEEF0F3, // Idle
        0x1B2128, // Text
        0x5B6672, // MutedText
        0xDCE0E6, // Line
        0xFFFFFF, // Background
        0x2457C5, // Accent
    }};
    return palette;
}

const Palette& darkPalette()
{
    static constexpr Palette palette{{
        0x4BA6E3, // Forward
        0x2FC49A, // Backward
        0x9AD4F5, // WeightGradient
        0xF2B53A, // Tensor
        0xDE9AC0, // Pipeline
        0xF0833A, // Data
        0xBE9C62, // Optimizer
        0x56616E, // Wait
        0x2A313A, // Idle
        0xE6EAF0, // Text
        0x9DA8B5, // MutedText
        0x363F4A, // Line
        0x1A1F26, // Background
        0x7FA6F8, // Accent
    }};
    return palette;
}

const Palette& highContrastPalette()
{
    static constexpr Palette palette{{
        0x5CB8FF, // Forward
        0x2EE6A8, // Backward
        0xC2E8FF, // WeightGradient
        0xFFC83D, // Tensor
        0xFFA8DC, // Pipeline
        0xFF9A52, // Data
        0xD9BC84, // Optimizer
        0x9CA5B0, // Wait
        0x161616, // Idle
        0xFFFFFF, // Text
        0xD8DDE3, // MutedText
        0x8E98A4, // Line
        0x000000, // Background
        0x7AD7FF, // Accent
    }};
    return palette;
}

double contrastRatio(std::uint32_t a, std::uint32_t b)
{
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

std::uint32_t labelColourOn(std::uint32_t background)
{
    const std::uint32_t better =
        contrastRatio(white, background) > contrastRatio(nearBlack, background) ? white : nearBlack;
    return contrastRatio(better, background) >= readableContrast ? better : black;
}

std::uint32_t blend(const Palette& palette, Ink ink, double opacity)
{
    const double share = std::clamp(opacity, 0.0, 1.0);
    const std::uint32_t over = palette.of(ink);
    const std::uint32_t under = palette.of(Ink::Background);
    return mixChannel(over, under, 16, share) | mixChannel(over, under, 8, share) |
           mixChannel(over, under, 0, share);
}

std::uint32_t colourOf(const FillRect& rect, const Palette& palette)
{
    return blend(palette, rect.ink, rect.opacity);
}

std::uint32_t colourOf(const DrawText& text, const Palette& palette)
{
    return text.contrast ? labelColourOn(blend(palette, text.ink, text.opacity))
                         : palette.of(text.ink);
}

Ink inkOf(Category category)
{
    switch (category) {
    case Category::Forward:
        return Ink::Forward;
    case Category::Backward:
        return Ink::Backward;
    case Category::WeightGradient:
        return Ink::WeightGradient;
    case Category::Tensor:
        return Ink::Tensor;
    case Category::Pipeline:
        return Ink::Pipeline;
    case Category::Data:
        return Ink::Data;
    case Category::Optimizer:
        return Ink::Optimizer;
    case Category::Wait:
        return Ink::Wait;
    case Category::Idle:
        return Ink::Idle;
    }
    return Ink::Idle;
}

} // namespace triaxis

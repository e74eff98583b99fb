#include "engine/timeline/svg_writer.h"

#include <cmath>

namespace triaxis
{

std::string hexColour(std::uint32_t colour)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string text = "#";
    for (int shift = 20; shift >= 0; shift -= 4)
        text += digits[colour >> shift & 0xf];
    return text;
}

std::string PalettePaint::fill(Ink ink, double opacity)
{
    return "fill=\"" + hexColour(blend(m_palette, ink, opacity)) + "\"";
}

std::string PalettePaint::labelOn(Ink ink, double opacity)
{
    return "fill=\"" + hexColour(labelColourOn(blend(m_palette, ink, opacity))) + "\"";
}

std::string PalettePaint::stroke(Ink ink)
{
    return "stroke=\"" + hexColour(m_palette.of(ink)) + "\"";
}

std::string ClassPaint::use(Use use, Ink ink, double opacity)
{
    const int hundredths = int(std::lround(opacity * 100));
    m_used.emplace(use, ink, hundredths);
    std::string name(1, "fls"[int(use)]);
    name += std::to_string(int(ink));
    if (hundredths != 100)
        name += "-" + std::to_string(hundredths);
    return "class=\"" + name + "\"";
}

std::string ClassPaint::fill(Ink ink, double opacity)
{
    return use(Use::Fill, ink, opacity);
}

std::string ClassPaint::labelOn(Ink ink, double opacity)
{
    return use(Use::Label, ink, opacity);
}

std::string ClassPaint::stroke(Ink ink)
{
    return use(Use::Stroke, ink, 1);
}

std::string ClassPaint::rules(const Palette& palette) const
{
    std::string text;
    for (const auto& [use, ink, hundredths] : m_used) {
        const std::uint32_t colour = blend(palette, ink, hundredths / 100.0);
        text += "." + std::string(1, "fls"[int(use)]) + std::to_string(int(ink));
        if (hundredths != 100)
            text += "-" + std::to_string(hundredths);
        text += use == Use::Stroke ? "{stroke:" : "{fill:";
        text += hexColour(use == Use::Label ? labelColourOn(colour) : colour) + "}\n";
    }
    return text;
}

} // namespace triaxis

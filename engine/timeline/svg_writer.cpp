#include "engine/timeline/svg_writer.h"

#include "engine/timeline/number_text.h"

#include <variant>

namespace triaxis
{
namespace
{

constexpr int decimals = 2;
constexpr double baselineShift =
    0.35; // of the size: from the middle of a line of digits to its baseline
constexpr const char* fontFamily = "Inter, 'DejaVu Sans', 'Segoe UI', sans-serif";

std::string number(double value)
{
    return shortText(value, decimals);
}

std::string attribute(const char* name, double value)
{
    return std::string(" ") + name + "=\"" + number(value) + "\"";
}

class Writer
{
public:
    Writer(const DisplayList& list, SvgPaint& paint) : m_list(list), m_paint(paint) {}

    std::string write(const std::string& title)
    {
        m_text = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", m_list.width) +
                 attribute("height", m_list.height) + " viewBox=\"0 0 " + number(m_list.width) +
                 " " + number(m_list.height) + "\" font-family=\"" + fontFamily + "\"" +
                 (title.empty() ? "" : " role=\"img\" aria-label=\"" + escapedXml(title) + "\"") +
                 ">\n";
        if (!title.empty())
            m_text += "<title>" + escapedXml(title) + "</title>\n";
        addPatterns();
        for (const DisplayItem& item : m_list.items)
            std::visit([this](const auto& shape) { add(shape); }, item);
        m_text += "</svg>\n";
        return std::move(m_text);
    }

private:
    std::string patternId(const FillRect& rect) const
    {
        return m_paint.idPrefix() + "hatch" + std::to_string(int(rect.ink));
    }

    void addPatterns()
    {
        std::set<Ink> inks;
        for (const DisplayItem& item : m_list.items) {
            const auto* rect = std::get_if<FillRect>(&item);
            if (!rect || !rect->hatched || !inks.insert(rect->ink).second)
                continue;
            m_text += "<defs><pattern id=\"" + patternId(*rect) +
                      "\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
                      "patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" " +
                      m_paint.fill(Ink::Idle, 1) + "/><rect width=\"1.6\" height=\"5\" " +
                      m_paint.fill(rect->ink, 1) + "/></pattern></defs>\n";
        }
    }

    void add(const FillRect& rect)
    {
        m_text += "<rect" + attribute("x", rect.x) + attribute("y", rect.y) +
                  attribute("width", rect.width) + attribute("height", rect.height);
        if (rect.radius > 0)
            m_text += attribute("rx", rect.radius);
        m_text += " ";
        m_text += rect.hatched ? "fill=\"url(#" + patternId(rect) + ")\""
                               : m_paint.fill(rect.ink, rect.opacity);
        m_text += "/>\n";
    }

    void addStroke(Ink ink, double thickness, bool dashed)
    {
        m_text += " " + m_paint.stroke(ink) + attribute("stroke-width", thickness);
        if (dashed)
            m_text += " stroke-dasharray=\"4 3\"";
        m_text += "/>\n";
    }

    void add(const StrokeLine& line)
    {
        m_text += "<line" + attribute("x1", line.x1) + attribute("y1", line.y1) +
                  attribute("x2", line.x2) + attribute("y2", line.y2);
        addStroke(line.ink, line.thickness, line.dashed);
    }

    void add(const DrawText& text)
    {
        m_text += "<text" + attribute("x", text.x) +
                  attribute("y", text.y + baselineShift * text.size) +
                  attribute("font-size", text.size);
        if (text.bold)
            m_text += " font-weight=\"600\"";
        if (text.align != Align::Left)
            m_text +=
                text.align == Align::Centre ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
        m_text += " " + (text.contrast ? m_paint.labelOn(text.ink, text.opacity)
                                       : m_paint.fill(text.ink, 1));
        m_text += ">" + escapedXml(text.text) + "</text>\n";
    }

    void add(const Polyline& line)
    {
        if (line.points.empty())
            return;
        m_text += "<polyline points=\"";
        for (const auto& [x, y] : line.points)
            m_text += number(x) + "," + number(y) + " ";
        m_text.back() = '"';
        m_text += " fill=\"none\" stroke-linejoin=\"round\"";
        addStroke(line.ink, line.thickness, line.dashed);
    }

    const DisplayList& m_list;
    SvgPaint& m_paint;
    std::string m_text;
};

} // namespace

std::string svgOf(const DisplayList& list, SvgPaint& paint, const std::string& title)
{
    return Writer(list, paint).write(title);
}

std::string toSvg(const DisplayList& list, const Palette& palette)
{
    DisplayList framed = list;
    framed.items.insert(framed.items.begin(),
                        FillRect{0, 0, list.width, list.height, Ink::Background});
    PalettePaint paint(palette);
    return svgOf(framed, paint);
}

} // namespace triaxis

#pragma once

#include "engine/timeline/display_list.h"

#include <set>
#include <string>
#include <tuple>

namespace triaxis
{

/// How an SVG names the colours of its items.
class SvgPaint
{
public:
    virtual ~SvgPaint() = default;
    /// An attribute that fills with an ink over the background: `fill="#0072B2"`, `class="f0"`.
    virtual std::string fill(Ink ink, double opacity) = 0;
    /// The same for a label on such a fill.
    virtual std::string labelOn(Ink ink, double opacity) = 0;
    virtual std::string stroke(Ink ink) = 0;
    /// Set before the ids of the patterns, which must be unique in a document.
    virtual std::string idPrefix() const = 0;
};

/// Colours of one palette, written out.
class PalettePaint : public SvgPaint
{
public:
    explicit PalettePaint(const Palette& palette) : m_palette(palette) {}
    std::string fill(Ink ink, double opacity) override;
    std::string labelOn(Ink ink, double opacity) override;
    std::string stroke(Ink ink) override;
    std::string idPrefix() const override { return {}; }

private:
    const Palette& m_palette;
};

/// Classes, with a style sheet for both themes: for SVG inside HTML. One object serves all pictures
/// of a page.
class ClassPaint : public SvgPaint
{
public:
    std::string fill(Ink ink, double opacity) override;
    std::string labelOn(Ink ink, double opacity) override;
    std::string stroke(Ink ink) override;
    std::string idPrefix() const override { return "t" + std::to_string(m_picture); }
    void nextPicture() { ++m_picture; }
    /// Rules for every class used so far, in the colours of a palette.
    std::string rules(const Palette& palette) const;

private:
    enum class Use { Fill, Label, Stroke };
    std::string use(Use use, Ink ink, double opacity);
    int m_picture = 0;
    std::set<std::tuple<Use, Ink, int>> m_used; ///< opacity in hundredths
};

/// A display list as one <svg> element. `title` is what screen readers say; it is escaped.
std::string svgOf(const DisplayList& list, SvgPaint& paint, const std::string& title = {});

/// Text for XML and HTML, in elements and quoted attributes; control characters that XML forbids
/// are left out.
std::string escapedXml(const std::string& text);

/// "#0072B2"
std::string hexColour(std::uint32_t colour);

} // namespace triaxis

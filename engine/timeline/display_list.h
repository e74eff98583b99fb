#pragma once

#include "engine/timeline/lanes.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace triaxis
{

/// Colours of one theme as 0xRRGGBB; the display list names roles, the player looks them up.
enum class Ink : std::uint8_t {
    Forward,
    Backward,
    WeightGradient,
    Tensor,
    Pipeline,
    Data,
    Optimizer,
    Wait,          ///< calm grey, hatched
    Idle,          ///< the background of a lane
    Text,
    MutedText,
    Line,
    Background,
    Accent
};
inline constexpr int inkCount = 14;

struct Palette
{
    std::uint32_t colour[inkCount];
    std::uint32_t of(Ink ink) const { return colour[int(ink)]; }
};
const Palette& lightPalette();
const Palette& darkPalette();
/// White or near-black, whichever reaches a contrast of 4.5 on `background`.
std::uint32_t labelColourOn(std::uint32_t background);
Ink inkOf(Category category);

/// Painting commands in logical pixels, y down. Every picture (window, SVG, report) is a list of these.
struct FillRect { double x, y, width, height; Ink ink; double radius = 0; bool hatched = false; };
struct StrokeLine { double x1, y1, x2, y2; Ink ink; double thickness = 1; bool dashed = false; };
enum class Align : std::uint8_t { Left, Centre, Right };
struct DrawText
{
    double x, y;            ///< anchor: x by `align`, y the vertical middle of the line
    std::string text;
    Ink ink;                ///< ignored when `onInk` is true
    double size = 12;       ///< pixels
    Align align = Align::Left;
    bool bold = false;
    bool contrast = false;  ///< colour = labelColourOn(ink): a label on a span of that ink
};
struct Polyline { std::vector<std::pair<double, double>> points; Ink ink; double thickness = 1.5; bool dashed = false; };
using DisplayItem = std::variant<FillRect, StrokeLine, DrawText, Polyline>;

struct DisplayList
{
    double width = 0;
    double height = 0;
    std::vector<DisplayItem> items;
};

/// Which part of the lanes to draw, and how tall.
struct TimelineView
{
    double from = 0, to = 1;        ///< seconds
    double width = 800;             ///< pixels of the whole picture
    double headerWidth = 110;       ///< lane labels at the left
    double computeHeight = 18;
    double communicationHeight = 8;
    double laneGap = 10;
    double scrollY = 0;             ///< pixels scrolled away
    double height = -1;             ///< viewport; −1: as tall as all lanes
    bool axis = true;               ///< time axis on top
};

/// The timeline at a level of detail that follows the zoom: spans of 6 px and more as labelled rectangles, 1 to 6 px as bare ones,
/// below that one column a pixel by error diffusion, in which every category, idle included, keeps its unpainted share as credit and the
/// largest credit takes the pixel: painted idle is right within 0.1 points.
DisplayList drawTimeline(const Lanes& lanes, const TimelineView& view);
double timelineHeight(const Lanes& lanes, const TimelineView& view);

/// What lies under a point of the picture.
struct TimelineHit
{
    bool found = false;
    Rank rank;
    Coordinates at;
    bool communication = false;
    std::size_t index = 0;          ///< into the track
    double time = 0;
};
TimelineHit hitTest(const Lanes& lanes, const TimelineView& view, double x, double y);

/// Self-contained SVG text of a display list.
std::string toSvg(const DisplayList& list, const Palette& palette);

} // namespace triaxis

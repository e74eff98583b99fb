#pragma once

#include "engine/timeline/lane_arrangement.h"
#include "engine/timeline/lanes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
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
/// White on black: every ink has 4.5 against the background, text 7.
const Palette& highContrastPalette();
/// White or near-black, whichever has the better contrast on `background`; pure black where neither reaches 4.5.
std::uint32_t labelColourOn(std::uint32_t background);
/// Contrast ratio of two colours, 1 … 21 (WCAG 2.1, relative luminance of sRGB).
double contrastRatio(std::uint32_t a, std::uint32_t b);
/// `ink` laid over the palette's background with `opacity` 0 … 1: an opaque colour, so that no player blends.
std::uint32_t blend(const Palette& palette, Ink ink, double opacity);
Ink inkOf(Category category);

/// Painting commands in logical pixels, y down. Every picture (window, SVG, report) is a list of these. Edges may lie between
/// pixels: a player paints with antialiasing, so that a span keeps its exact share of the picture.
/// `hatched`: the ink Idle with lines of `ink` at 45°, 1.6 px wide every 5 px.
struct FillRect
{
    double x, y, width, height;
    Ink ink;
    double radius = 0;
    bool hatched = false;
    double opacity = 1;     ///< of the ink over the background: colour = blend(palette, ink, opacity)
};
struct StrokeLine { double x1, y1, x2, y2; Ink ink; double thickness = 1; bool dashed = false; };
enum class Align : std::uint8_t { Left, Centre, Right };
struct DrawText
{
    double x, y;            ///< anchor: x by `align`, y the vertical middle of the line
    std::string text;
    Ink ink;                ///< of the text; with `contrast` of the fill beneath it
    double size = 12;       ///< pixels
    Align align = Align::Left;
    bool bold = false;
    bool contrast = false;  ///< colour = labelColourOn(blend(palette, ink, opacity)): a label on a fill of that ink
    double opacity = 1;     ///< of the fill beneath; used with `contrast` only
};
/// The opaque colours of an item, 0xRRGGBB.
std::uint32_t colourOf(const FillRect& rect, const Palette& palette);
std::uint32_t colourOf(const DrawText& text, const Palette& palette);

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
    std::shared_ptr<const std::vector<LaneRow>> rows; ///< null: all ranks, grouped by replica
    bool streams = false;           ///< communication stream by stream, each `communicationHeight` tall
    std::optional<Axis> colourBy;   ///< compute takes the colour of its rank's coordinate, paler for backward passes
    std::shared_ptr<const std::vector<std::string>> places; ///< [rank] "host:0", for the labels; may be null
    /// Ranks with a warning sign before their name; may be null.
    std::shared_ptr<const std::set<Rank>> flagged;
    /// Laid over the spans, in a strip above each compute track; the same layout, the same clock. Null: none.
    std::shared_ptr<const Lanes> predicted;
    double predictedHeight = 5;     ///< pixels of that strip; with labels where they have room
};

/// The timeline at a level of detail that follows the zoom: spans of 6 px and more as labelled rectangles, 1 to 6 px as bare ones,
/// below that one column a pixel by error diffusion, in which every category, idle included, keeps its unpainted share as credit and the
/// largest credit takes the pixel: painted idle is right within 0.1 points. Spans that touch are told apart by thin lines of the
/// background, which are not part of that account.
///
/// A strip along the bottom of a labelled compute span is the share of it that went into tensor collectives: waiting, then
/// transfer (not where in the span they were: single collectives lie on the communication track when their detail is recorded).
///
/// Labels of forward and backward spans are microbatch numbers counted from 0, as PyTorch does.
/// A collapsed group shows at every time what share of its ranks does what, stacked from the bottom, idle left empty: exact at any zoom.
/// Pinned lanes stay on top while the others scroll.
/// Time axis: a view of at most 1.5 steps counts from the begin of the step in its middle, and says which; a longer view counts
/// from the start of the run and marks where the steps begin.
DisplayList drawTimeline(const Lanes& lanes, const TimelineView& view);
/// The same into a list that is drawn again and again, so that it keeps its memory.
void drawTimeline(DisplayList& list, const Lanes& lanes, const TimelineView& view);
double timelineHeight(const Lanes& lanes, const TimelineView& view);

/// What lies under a point of the picture.
struct TimelineHit
{
    bool found = false;
    Rank rank;
    Coordinates at;
    bool communication = false;
    int stream = -1;                ///< into RankTracks::streams, where the view shows them
    std::size_t index = 0;          ///< into the track
    double time = 0;
    int row = -1;                   ///< into the rows of the view; −1: none there
};
TimelineHit hitTest(const Lanes& lanes, const TimelineView& view, double x, double y);

/// Self-contained SVG text of a display list.
std::string toSvg(const DisplayList& list, const Palette& palette);

} // namespace triaxis

#pragma once

#include "engine/layout/axis.h"
#include "engine/timeline/lanes.h"

#include <array>
#include <optional>
#include <set>
#include <vector>

namespace triaxis
{

/// Which lanes of a run are shown, in what order, and which of them as one. A plain value: a view keeps one for each run and
/// restores it.
struct LaneArrangement
{
    std::optional<Axis> group = Axis::Data; ///< none: by rank, without headings
    std::set<int> collapsed;                ///< coordinates along `group` whose ranks are one lane
    std::vector<Rank> pinned;               ///< kept on top, in this order, out of their groups
    std::set<Rank> hidden;
    std::array<std::set<int>, 3> only; ///< [Axis] coordinates that are shown; empty: all
    bool operator==(const LaneArrangement&) const = default;

    /// Shows only what has this coordinate; once more: adds or takes away another one.
    void toggleOnly(Axis axis, int coordinate);
    void toggleCollapsed(int group);
    void togglePinned(Rank rank);
    /// Whether some rank of the layout is not shown.
    bool hides(const Layout& layout) const;
};

/// One line of the arranged timeline.
struct LaneRow
{
    enum class Kind {
        Heading, ///< above the lanes of a group
        Lane,
        Group ///< all lanes of a collapsed group as one
    };
    Kind kind = Kind::Lane;
    std::size_t lane = 0;           ///< Lane: into Lanes::ranks()
    int group = -1;                 ///< coordinate along LaneArrangement::group; −1: pinned, or not grouped
    Axis axis = Axis::Data;         ///< of the group
    bool pinned = false;
    std::vector<std::size_t> lanes; ///< Heading and Group: the lanes of the group that are shown
    bool operator==(const LaneRow&) const = default;
};
/// Pinned rows come first. Headings only where the axis has more than one group.
std::vector<LaneRow> arrangeLanes(const Lanes& lanes, const LaneArrangement& arrangement);

} // namespace triaxis

#pragma once

#include "engine/timeline/display_list.h"
#include "engine/timeline/merged_groups.h"

#include <vector>

namespace triaxis
{

/// Columns side by side, each filled from the bottom with layers of ink: what share of many does
/// what. Far cheaper than a rectangle for each layer of each column.
struct StackedColumns
{
    double top = 0;
    double height = 0;
    std::vector<double> edges;  ///< x, ascending; one more than there are columns, or none
    std::vector<Ink> inks;      ///< of the layers, from the bottom
    std::vector<float> heights; ///< [column][layer], pixels; together at most `height`
    std::size_t columns() const { return edges.empty() ? 0 : edges.size() - 1; }
    float heightOf(std::size_t column, std::size_t layer) const
    {
        return heights[column * inks.size() + layer];
    }
    double area(Ink ink) const; ///< pixels²
};

/// A picture of a timeline that is drawn again and again: what is known of its collapsed groups is
/// kept from one to the next, and their columns stay columns.
struct LiveTimeline
{
    /// Painted one after the other: the items, then the columns.
    struct Part
    {
        DisplayList items;
        StackedColumns columns;
    };
    std::vector<Part> parts;
    /// Of the lanes that are drawn; to be emptied where they are others, and to be grown between
    /// two pictures.
    MergedGroups groups;
};

/// As drawTimeline() into a list, at the same level of detail.
void drawTimeline(LiveTimeline& picture, const Lanes& lanes, const TimelineView& view);

} // namespace triaxis

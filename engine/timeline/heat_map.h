#pragma once

#include "engine/timeline/display_list.h"

#include <string>
#include <vector>

namespace triaxis
{

/// Values of rows × columns, the darker, the larger.
struct HeatMap
{
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    std::vector<double> values; ///< [row · columns + column]; 0 and what is not finite stay empty
    std::vector<std::string> texts; ///< in the cells that have room; as many as values, or none
    std::string corner;             ///< what rows and columns are: "from ↓ to →"
    std::string scale;              ///< beneath: what the darkest cell is
    bool byColumn = false;          ///< each column has a scale of its own
};

/// As high as its rows need. A hint, given as `scale`, where there are no cells.
DisplayList drawHeatMap(const HeatMap& map, double width);

} // namespace triaxis

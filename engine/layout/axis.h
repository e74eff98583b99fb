#pragma once

#include "engine/layout/layout.h"

namespace triaxis
{

/// Ranks along the axis.
int sizeOf(const Layout& layout, Axis axis);
int coordinateOf(Coordinates at, Axis axis);
int& coordinate(Coordinates& at, Axis axis); ///< the same, to be set
const char* shortName(Axis axis); ///< "dp", "tp", "pp"

} // namespace triaxis

#pragma once

#include "engine/layout/layout.h"

namespace triaxis
{

/// Ranks along the axis.
int sizeOf(const Layout& layout, Axis axis);
int coordinateOf(const Coordinates& at, Axis axis);
const char* shortName(Axis axis); ///< "dp", "tp", "pp"

} // namespace triaxis

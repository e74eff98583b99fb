#pragma once

#include "engine/timeline/display_list.h"

namespace triaxis::ui
{

class FloorScene;

/// The floor for files, as it is shown: the same part at the same zoom, folded alike, with what has
/// room in its cells. Without handles and the selection.
DisplayList floorPicture(const FloorScene& scene);

} // namespace triaxis::ui

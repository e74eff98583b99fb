#pragma once

#include "engine/timeline/live_timeline.h"

class QPainter;

namespace triaxis::ui
{

/// Every pixel takes its exact mixture of the layers and of what is beneath where the painter
/// paints on an image.
void paintColumns(QPainter& painter, const StackedColumns& stack, const Palette& palette);

} // namespace triaxis::ui

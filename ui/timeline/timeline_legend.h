#pragma once

#include "ui/widgets/legend_bar.h"

namespace triaxis::ui
{

class LaneView;

/// What the colours of a timeline mean, as it is coloured now.
std::vector<LegendBar::Entry> legendOf(const LaneView& view);

} // namespace triaxis::ui

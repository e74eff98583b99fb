#pragma once

class QCustomPlot;

namespace triaxis::ui
{

struct Theme;

/// Background, axes and grid of a chart in the colours and fonts of the theme; QCustomPlot does not follow the palette.
void colourAxes(QCustomPlot& plot, const Theme& theme);

} // namespace triaxis::ui

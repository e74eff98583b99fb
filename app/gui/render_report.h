#pragma once

#include "app/gui/options.h"

namespace triaxis::gui
{

/// Writes a packed report (engine/formats/report_parcel.h) as a file, without a display and without
/// a window. What is wrong goes to standard output, for the program that asked. The exit code.
int renderReport(const RenderOptions& options, int count, char** arguments);

} // namespace triaxis::gui

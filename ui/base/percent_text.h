#pragma once

#include <QString>

namespace triaxis::ui
{

/// "26.2 %": a share of a step with one decimal, wherever one is told; a dash where it is not
/// known.
QString percentText(double share);

} // namespace triaxis::ui

#pragma once

#include "engine/layout/layout.h"

#include <QString>

namespace triaxis::ui
{

/// "data", "tensor", "pipeline".
QString axisName(Axis axis);

} // namespace triaxis::ui

#pragma once

#include "engine/record/run_plan.h"

#include <QString>

namespace triaxis::ui
{

/// "nats per byte" for text that is read as bytes, else "nats per token".
QString lossUnit(const RunPlan& plan);
/// "2 × 2 × 2".
QString layoutText(const Layout& layout);

} // namespace triaxis::ui

#pragma once

#include "engine/record/run_plan.h"
#include "ui/plan/rank_share.h"
#include "ui/widgets/figure_strip.h"

namespace triaxis::ui
{

/// The seven figures of a plan. All are computed exactly from the plan; none is a prediction of time.
std::vector<Figure> planFigures(const RunPlan& plan, const std::vector<RankShare>& shares,
                                int cores);

/// "nats per byte" for text that is read as bytes, else "nats per token".
QString lossUnit(const RunPlan& plan);
/// "2 × 2 × 2".
QString layoutText(const Layout& layout);

} // namespace triaxis::ui

#pragma once

#include "engine/plan/drawn_prediction.h"
#include "ui/plan/floor_gestures.h"
#include "ui/plan/floor_model.h"

#include <vector>

namespace triaxis::ui
{

/// The floor as its picture takes it. `prediction` null or unknown: without memory.
FloorModel floorModel(const DrawnPlan& plan, const DrawnPrediction* prediction,
                      const MachineFacts& machine, const std::vector<Diagnostic>& findings);

/// Sizes that a gesture may stretch the axes to.
SizeLimits sizeLimits(const DrawnPlan& plan);

/// The plan after a gesture; its data ranks count context ranks too.
DrawnPlan withProposal(const DrawnPlan& plan, const FloorProposal& proposal);

} // namespace triaxis::ui

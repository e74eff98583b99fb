#pragma once

#include "engine/simulate/prediction_columns.h"

#include <vector>

namespace triaxis
{

/// The spans of a column's first ranks, one a stage, as a run would pair them. `tail`: of all
/// `columns`. Begins at 0 with the framework's overhead.
std::vector<Span> columnSpans(const SimulatedPlan& plan, const PredictionOptions& options,
                              const ColumnDurations& durations, const TailTimes& tail, int columns,
                              int column, const PipelineTimes& all);

} // namespace triaxis

#pragma once

#include "engine/compare/compared_run.h"
#include "ui/panels/figure_table.h"

#include <QString>

#include <vector>

namespace triaxis::ui
{

/// A row a metric, a column a run: the median, with the change against the first run.
FigureTable comparedFigures(const std::vector<ComparedRun>& runs);

/// A row a setting, a column a run.
FigureTable comparedSettings(const std::vector<ComparedRun>& runs, bool onlyDifferences);

/// Whether each run computes what the first one does, a sentence for those of which the same is to
/// be said; empty for one run.
QString comparedLosses(const std::vector<ComparedRun>& runs);

} // namespace triaxis::ui

#pragma once

#include "ui/run/run_tail.h"
#include "ui/widgets/log_panel.h"

#include <vector>

namespace triaxis::ui
{

/// What an update says in the log: steps, lines of the ranks, faults, changes of state, standard error of a failed run.
std::vector<LogPanel::Line> logLines(const RunPlan& plan, const RunUpdate& update);

} // namespace triaxis::ui

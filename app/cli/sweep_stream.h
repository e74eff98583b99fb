#pragma once

#include "app/cli/sweep_runs.h"

namespace triaxis::cli
{

/// Tells of a sweep as it goes, one JSON object a line on standard output, each with "event":
/// - "form": "form", "title", "layouts" (how many), "runs" (how many processes will run, trials
///   included), once a form;
/// - "start": "layout", "trial", "steps";
/// - "step": "done" of "steps", at most four a second;
/// - "row": "form", "row" as in the array of --json, without speed-ups;
/// - "table": a form as in that array, when all its layouts have ended.
SweepObserver streamingObserver();
/// The last of these lines.
void streamTable(const SweepTable& table);

} // namespace triaxis::cli

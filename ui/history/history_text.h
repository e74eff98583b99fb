#pragma once

#include "storage/run_summary.h"

#include <QString>

namespace triaxis::ui
{

/// "1 run", "1,234 runs".
QString runsText(std::int64_t count);
/// "12 runs · 310 MiB".
QString totalsText(const RunTotals& totals);
/// "today 14:05", "2026-02-14 14:05": a moment in ISO 8601, in local time. Empty for none.
QString momentText(const std::string& utc);
/// "measured".
QString kindText(RunKind kind);
/// What that means.
QString kindHint(RunKind kind);
/// Its label, or else its id.
QString nameOf(const RunSummary& run);

} // namespace triaxis::ui

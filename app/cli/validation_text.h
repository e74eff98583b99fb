#pragma once

#include "engine/cost/scoreboard.h"

#include <string>

namespace triaxis::cli
{

/// One JSON object a priced case and a line: what was predicted, measured, and of what the step is
/// made.
std::string validationRowsJson(const Validation& validation);
/// {"rows":…,"mape":…,"bias":…,"rank":…,"pick":…,"skipped":…}, percent; null where there is nothing
/// to compare. With the name of the table in front where `named`.
std::string validationSummaryJson(const Validation& validation, bool named);

/// Rows, scores, rows that could not be priced, assumptions and known defects, for people.
std::string validationText(const Validation& validation);

/// One line a table and a total, for people.
std::string scoreboardText(const Scoreboard& board);
/// The total of all tables with the keys of validationSummaryJson, unnamed, and the number of
/// tables.
std::string scoreboardSummaryJson(const Scoreboard& board);

} // namespace triaxis::cli

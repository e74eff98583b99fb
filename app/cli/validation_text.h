#pragma once

#include "engine/cost/validation.h"

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

/// The figure of a target with its unit.
std::string figureText(Quantity quantity, double value);

} // namespace triaxis::cli

#pragma once

#include "engine/record/run_bubble.h"

#include <nlohmann/json.hpp>

namespace triaxis::cli
{

/// The bubble of a run's steady step on standard output: both rates, both windows, measured and
/// closed form, and what the idle time went into. Nothing without spans.
void printBubble(const RunBubble& bubble, const Layout& layout);

/// The same for scripts, by stage: "bubble_by_stage" (idle over makespan), "bubble_detail" with
/// step, rates, closed form, split. Figures that do not exist are null.
void addBubble(nlohmann::ordered_json& json, const RunBubble& bubble, const Layout& layout);

/// Rates of a closed form: "idle_over_ideal", "idle_over_makespan", "own_…", "peak_live",
/// "formula"; null where there is none.
nlohmann::ordered_json closedFormJson(const ClosedForm& form);

} // namespace triaxis::cli

#pragma once

#include "storage/history.h"

#include <nlohmann/json.hpp>

namespace triaxis::cli
{

/// One run of the history for scripts; absent figures are null.
nlohmann::ordered_json summaryJson(const RunSummary& run);

} // namespace triaxis::cli

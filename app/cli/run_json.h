#pragma once

#include "storage/history.h"

#include <nlohmann/json.hpp>

namespace triaxis::cli
{

/// One run of the history for scripts; absent figures are null.
nlohmann::ordered_json summaryJson(const RunSummary& run);
/// On one line; texts that are no UTF-8 are mended.
std::string dumpLine(const nlohmann::ordered_json& json);

} // namespace triaxis::cli

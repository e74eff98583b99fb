#pragma once

#include "storage/sqlite.h"

namespace triaxis
{

/// The step whose spans pruning keeps: of those that as many ranks as of any have spans of, the first one left out where there are
/// others, the one with the median time. −1: the run has no spans.
std::int32_t keptStep(const sqlite::Database& database, const std::string& run);

} // namespace triaxis

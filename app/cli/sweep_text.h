#pragma once

#include "engine/sweep/sweep_table.h"

#include <nlohmann/json.hpp>

namespace triaxis::cli
{

/// One form of a sweep on standard output: notes, the table, and the speed-ups as bars.
void printSweep(const SweepTable& table);
/// The same for scripts; figures that are not known are null.
nlohmann::ordered_json sweepJson(const SweepTable& table);

} // namespace triaxis::cli

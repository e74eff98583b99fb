#pragma once

#include "engine/sweep/sweep_table.h"

namespace triaxis::cli
{

/// One form of a sweep on standard output: notes, the table, and the speed-ups as bars.
void printSweep(const SweepTable& table);

} // namespace triaxis::cli

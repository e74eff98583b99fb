#pragma once

#include "ui/run/run_data.h"
#include "ui/widgets/memory_curves.h"
#include "ui/widgets/memory_grid.h"

#include <optional>

namespace triaxis::ui
{

/// Which bytes: of one category, or all together at once.
using MemoryChoice = std::optional<MemoryCategory>;

/// Of one rank: the most over all steps, or what the step around a moment needed.
std::int64_t memoryBytes(const RunData& run, std::size_t rank, MemoryChoice choice,
                         std::optional<double> moment);
/// The sample that speaks for a moment: of the step it lies in, or the latest before it where there
/// are several a step.
const MemorySample* sampleAt(const RunData& run, std::size_t rank, double moment);

/// Cells by rank; beyond mostMemoryCells by stage and replica, each that of its fullest rank.
inline constexpr int mostMemoryCells = 1024;
std::vector<MemoryGrid::Cell> memoryCells(const RunData& run, MemoryChoice choice,
                                          std::optional<double> moment);

/// One rank over time.
std::vector<MemoryCurves::Point> memoryPoints(const RunData& run, std::size_t rank);

} // namespace triaxis::ui

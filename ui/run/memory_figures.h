#pragma once

#include "ui/run/shown_steps.h"
#include "ui/widgets/memory_curves.h"
#include "ui/widgets/memory_grid.h"

#include <optional>
#include <variant>

namespace triaxis::ui
{

/// Which bytes: of one category, or all together at once.
using MemoryChoice = std::optional<MemoryCategory>;

/// Of when: the peak of the whole run, the peak within some steps, or a moment (seconds).
using MemoryWhen = std::variant<std::monostate, ShownSteps, double>;

/// Of one rank: the most over all steps or some of them, or what the step around a moment needed.
std::int64_t memoryBytes(const RunData& run, std::size_t rank, MemoryChoice choice,
                         const MemoryWhen& when);
/// Of how many of the steps samples are kept.
std::size_t memorySteps(const RunData& run, const ShownSteps& steps);
/// The sample that speaks for a moment: of the step it lies in, or the latest before it where there
/// are several a step.
const MemorySample* sampleAt(const RunData& run, std::size_t rank, double moment);

/// Cells by rank; beyond mostMemoryCells by stage and replica, each that of its fullest rank.
inline constexpr int mostMemoryCells = 1024;
std::vector<MemoryGrid::Cell> memoryCells(const RunData& run, MemoryChoice choice,
                                          const MemoryWhen& when);

/// One rank over time.
std::vector<MemoryCurves::Point> memoryPoints(const RunData& run, std::size_t rank);

} // namespace triaxis::ui

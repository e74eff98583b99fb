#pragma once

#include <filesystem>
#include <optional>

namespace triaxis
{

/// What the spans of a run said before they were pruned; pruned.json of its directory.
struct PrunedFigures
{
    double bubble; ///< RunSummary::bubble; NaN where there was none
};

/// Nothing where the run was not pruned, and where the file is damaged.
std::optional<PrunedFigures> readPruned(const std::filesystem::path& directory);
/// Throws Error.
void writePruned(const std::filesystem::path& directory, const PrunedFigures& figures);

} // namespace triaxis

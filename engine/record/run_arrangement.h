#pragma once

#include "engine/timeline/lane_arrangement.h"

#include <filesystem>
#include <optional>

namespace triaxis
{

/// How a person has arranged the timeline of a run.
struct RunArrangement
{
    LaneArrangement lanes;
    std::optional<Axis> colourBy; ///< none: by what is done
    bool streams = false;         ///< communication stream by stream
    bool operator==(const RunArrangement&) const = default;
};

/// view.json of a run directory; none where there is no such file. Ranks and coordinates that the
/// layout does not have are left out. Throws Error for a file that is damaged or of a later
/// version.
std::optional<RunArrangement> readArrangement(const std::filesystem::path& directory,
                                              const Layout& layout);
/// Replaces view.json atomically. Throws Error; then the old file is as it was.
void writeArrangement(const std::filesystem::path& directory, const RunArrangement& arrangement);

} // namespace triaxis

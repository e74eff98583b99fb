#pragma once

#include "engine/record/run_directory.h"
#include "engine/timeline/span.h"

#include <map>
#include <vector>

namespace triaxis
{

/// Where a step lies in a rank's record file, and how many of its spans were kept.
struct StepPlace
{
    std::int64_t offset = 0;
    std::int64_t spans = 0;
    std::int64_t spanBytes = 0; ///< of the frames that hold them, and the slots of paced ones
};

/// What the history keeps of a stretch of a record file.
struct RecordIndex
{
    std::map<std::int32_t, StepPlace> places; ///< by step
    std::vector<StepResult> results;
    std::int64_t peakBytes = 0;
    std::int64_t end = 0; ///< where the next stretch begins
};

/// Indexes the file from `offset` on. `final`: it will not grow any more.
RecordIndex indexRecord(const std::filesystem::path& file, Rank rank, std::int64_t offset,
                        bool final);

} // namespace triaxis

#pragma once

#include "engine/timeline/lanes.h"

#include <vector>

namespace triaxis
{

/// One thing that a rank does on some communication lane.
struct Activity
{
    double begin = 0;
    double end = 0;
    bool waiting = false; ///< loses against a transfer
    Category category = Category::Wait;
    InstructionId id;
    std::int32_t step = 0;
    std::int64_t bytes = 0;
};

/// Activities that overlap, laid out on one line: at any time the transfer that began first, and a
/// wait only where nothing transfers. Pieces in time order that do not overlap; the same input in
/// another order gives the same pieces.
std::vector<Activity> flatten(std::vector<Activity> activities);

} // namespace triaxis

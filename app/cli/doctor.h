#pragma once

#include <functional>
#include <string>
#include <vector>

namespace triaxis::cli
{

enum class Health {
    Good,
    Note,   ///< works, but slower or with less than it could
    Short   ///< keeps runs from working
};

struct Finding
{
    std::string what;
    Health health = Health::Good;
    std::string found;
    std::string advice; ///< what to do; empty if there is nothing to mend
};

/// What `triaxis doctor` looks at, in order: mpirun, two ranks that exchange a message, shared memory, single copy, BLAS kernel and
/// rate, cores, memory, disk, GPUs and NCCL, window and display. Each takes at most a few seconds.
std::vector<std::function<Finding()>> examinations();

} // namespace triaxis::cli

#pragma once

#include <chrono>

namespace triaxis
{

/// Seconds on a clock that nobody sets.
inline double steadySeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace triaxis

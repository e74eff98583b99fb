#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

namespace triaxis::bench
{

inline double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Seconds of processor time, of all threads together: what a busy machine does not lengthen.
inline double processorNow()
{
    return double(std::clock()) / CLOCKS_PER_SEC;
}

/// Seconds of processor time of the thread that calls.
inline double threadNow()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Seconds of the fastest call: repeated for about `budget` seconds, at least three times, after
/// one that does not count.
template <class Call>
double fastest(double budget, Call&& call)
{
    call();
    double best = 1e30;
    const double end = now() + budget;
    for (int repeat = 0; repeat < 3 || now() < end; ++repeat) {
        const double begin = now();
        call();
        best = std::min(best, now() - begin);
    }
    return best;
}

} // namespace triaxis::bench

#pragma once

namespace triaxis::cli
{

/// Seconds for which the cores of this machine had been busy at a moment.
struct CoreUse
{
    double busy = 0; ///< of all programs
    double own = 0;  ///< of the programs that this one has started and seen end
    double time = 0; ///< on a clock that only grows

    static CoreUse now();
};

/// The share of the cores' time that other programs took between two moments, 0 … 1; 0 where the
/// system does not tell.
double othersShare(const CoreUse& begin, const CoreUse& end, int cores);

} // namespace triaxis::cli

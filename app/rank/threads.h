#pragma once

namespace triaxis::rank
{

/// Threads of this process: `wanted`, or where that is 0 its share of the cores of this host; never
/// more than the cores (affinity mask and quota of the control group) or OMP_NUM_THREADS.
int threadsOfThisRank(int wanted);

} // namespace triaxis::rank

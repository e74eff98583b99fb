#pragma once

namespace triaxis::rank
{

/// Cores that this process may run on.
int usableCores();

/// Ranks of the job on this host, as the launcher of MPI tells before MPI has started; 1 without
/// one.
int ranksOnThisHost();

/// Threads of one rank: `wanted`, or where that is 0 its share of the cores, at least 1; never more
/// than the cores.
int threadsOfRank(int wanted, int cores, int ranks);

} // namespace triaxis::rank

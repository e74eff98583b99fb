#include "app/rank/threads.h"

#include "engine/core/cores.h"

#include <algorithm>
#include <cstdlib>

namespace triaxis::rank
{
namespace
{

/// Ranks of the job on this host, as the launcher of MPI tells before MPI has started; 1 without
/// one.
int ranksOnThisHost()
{
    for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
        if (const char* value = std::getenv(name))
            return std::max(1, std::atoi(value));
    return 1;
}

} // namespace

int threadsOfThisRank(int wanted)
{
    return threadsOfRank(wanted, usableCores(), ranksOnThisHost(), threadLimit());
}

} // namespace triaxis::rank

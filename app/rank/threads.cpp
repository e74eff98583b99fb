#include "app/rank/threads.h"

#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include <thread>

namespace triaxis::rank
{

int usableCores()
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0)
        return CPU_COUNT(&cores);
    return std::max(1, int(std::thread::hardware_concurrency()));
}

int ranksOnThisHost()
{
    for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
        if (const char* value = std::getenv(name))
            return std::max(1, std::atoi(value));
    return 1;
}

int threadsOfRank(int wanted, int cores, int ranks)
{
    const int share = std::max(1, cores / std::max(1, ranks));
    return std::min(cores, wanted > 0 ? wanted : share);
}

} // namespace triaxis::rank

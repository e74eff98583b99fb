#include "kernels/cpu/mpi_session.h"

#include "kernels/cpu/mpi_check.h"
#include "kernels/error.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace triaxis::kernels::mpi
{

namespace
{

bool sharedMemoryAllowed()
{
    const char* setting = std::getenv("TRIAXIS_SHARED_MEMORY");
    return setting == nullptr || std::string_view(setting) != "0";
}

} // namespace

Session::Session(int* argc, char*** argv)
    : m_exceptionsAtStart(std::uncaught_exceptions()), m_sharedMemoryWanted(sharedMemoryAllowed())
{
    int initialized = 0;
    check(MPI_Initialized(&initialized), "asking for the state of MPI");
    if (initialized != 0)
        throw DeviceError("starting MPI: it can be started only once in a process");
    // Open MPI would hand the core over in every progress() of a rank that computes, where ranks
    // outnumber cores; a rank that waits does so by itself (mpi_wait.h).
    setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1);
    int provided = MPI_THREAD_SINGLE;
    check(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided), "starting MPI");
    if (provided < MPI_THREAD_FUNNELED)
        throw DeviceError("starting MPI: this library does not allow threads beside the one that "
                          "communicates (MPI_THREAD_FUNNELED)");
    const HandingOver whileStarting;
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "setting up MPI");
    check(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN), "setting up MPI");
    check(MPI_Comm_rank(MPI_COMM_WORLD, &m_rank), "asking for the rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &m_size), "asking for the number of ranks");
    m_waitPolicy = WaitPolicy::ofThisHost(MPI_COMM_WORLD);
    m_bells = std::make_unique<Bells>(MPI_COMM_WORLD, m_sharedMemoryWanted);
    m_clock.start(MPI_COMM_WORLD, m_waitPolicy);
}

Session::~Session()
{
    if (unwinding())
        return;
    const HandingOver whileEnding;
    MPI_Finalize();
}

bool Session::unwinding() const
{
    return m_size > 1 && std::uncaught_exceptions() > m_exceptionsAtStart;
}

void Session::add(Advancing& part)
{
    m_parts.push_back(&part);
}

void Session::remove(Advancing& part)
{
    m_parts.erase(std::remove(m_parts.begin(), m_parts.end(), &part), m_parts.end());
}

bool Session::progress()
{
    int found = 0;
    check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE),
          "moving messages");
    bool moved = false;
    for (Advancing* part : m_parts)
        moved = part->advance() || moved;
    return moved;
}

} // namespace triaxis::kernels::mpi

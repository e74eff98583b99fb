#include "kernels/cpu/mpi_bells.h"

#include "kernels/cpu/mpi_check.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace triaxis::kernels::mpi
{

namespace
{

constexpr std::size_t partBytes = 4096;

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout)
{
    return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, timeout,
                   nullptr, 0);
}

} // namespace

Bells::Bells(MPI_Comm world, bool want)
{
    int size = 1;
    int rank = 0;
    check(MPI_Comm_size(world, &size), "counting the ranks");
    check(MPI_Comm_rank(world, &rank), "asking for the rank");
    m_bells.resize(static_cast<std::size_t>(size), nullptr);
    MPI_Comm host = MPI_COMM_NULL;
    check(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host),
          "finding the ranks of this host");
    int ranksHere = 1;
    int place = 0;
    check(MPI_Comm_size(host, &ranksHere), "counting the ranks of this host");
    check(MPI_Comm_rank(host, &place), "asking for the rank on this host");
    std::vector<int> worldRanks(static_cast<std::size_t>(ranksHere));
    check(MPI_Allgather(&rank, 1, MPI_INT, worldRanks.data(), 1, MPI_INT, host),
          "naming the ranks of this host");
    if (ranksHere > 1)
        m_segment = SharedSegment::make(host, partBytes, want);
    check(MPI_Comm_free(&host), "releasing a communicator");
    // Zeros, as the segment is made, are a bell that was never rung.
    for (int i = 0; i < ranksHere && m_segment; ++i)
        m_bells[static_cast<std::size_t>(worldRanks[static_cast<std::size_t>(i)])] =
            reinterpret_cast<Bell*>(m_segment->part(i));
    m_own = bell(rank);
}

void Bells::ring(int worldRank) const
{
    Bell* const other = bell(worldRank);
    if (other == nullptr)
        return;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (other->asleep.load(std::memory_order_relaxed) == 0)
        return;
    other->rings.fetch_add(1, std::memory_order_release);
    futex(other->rings, FUTEX_WAKE, 1, nullptr);
}

Bells::Nap::Nap(const Bells& bells)
    : m_bells(bells), m_heard(bells.m_own->rings.load(std::memory_order_acquire))
{
    m_bells.m_own->asleep.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

Bells::Nap::~Nap()
{
    m_bells.m_own->asleep.store(0, std::memory_order_relaxed);
}

bool Bells::Nap::sleep(std::chrono::microseconds longest)
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
    const timespec timeout{.tv_sec = static_cast<std::time_t>(seconds.count()),
                           .tv_nsec = static_cast<long>((longest - seconds).count() * 1000)};
    futex(m_bells.m_own->rings, FUTEX_WAIT, m_heard, &timeout);
    return m_bells.m_own->rings.load(std::memory_order_acquire) != m_heard;
}

} // namespace triaxis::kernels::mpi

#pragma once

#include "kernels/cpu/mpi_shared_segment.h"

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace triaxis::kernels::mpi
{

/// A bell for each rank of this host, in shared memory. A rank that waits may sleep until somebody
/// who has done something for it rings; looking again and again would take the core from ranks that
/// have work to do.
///
///     sleeper: Nap; look once more; sleep()        other rank: do it; ring(sleeper)
///
/// Either the second look sees what was done, or the other rank sees that somebody sleeps: no ring
/// is lost.
class Bells
{
public:
    /// Collective over all ranks. Rings nowhere where ranks do not share memory or one of them does
    /// not `want` it.
    Bells(MPI_Comm world, bool want);

    /// True if a ring of `worldRank` reaches this rank, and the other way round.
    bool reaches(int worldRank) const { return bell(worldRank) != nullptr; }
    /// Wakes that rank if it sleeps; a glance at one cache line if not.
    void ring(int worldRank) const;

    class Nap
    {
    public:
        explicit Nap(const Bells& bells);
        ~Nap();
        Nap(const Nap&) = delete;
        Nap& operator=(const Nap&) = delete;
        /// Until rung since the nap began, which gives true, or until `longest` has passed.
        bool sleep(std::chrono::microseconds longest);

    private:
        const Bells& m_bells;
        std::uint32_t m_heard;
    };

private:
    struct alignas(128) Bell
    {
        std::atomic<std::uint32_t> rings;
        std::atomic<std::uint32_t> asleep;
    };
    static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

    Bell* bell(int worldRank) const { return m_bells[static_cast<std::size_t>(worldRank)]; }

    std::unique_ptr<SharedSegment> m_segment;
    std::vector<Bell*> m_bells; ///< by world rank; null on other hosts
    Bell* m_own = nullptr;
};

} // namespace triaxis::kernels::mpi

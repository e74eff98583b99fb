#pragma once

#include "engine/cost/core_pace.h"
#include "engine/cost/machine_rates.h"

#include <limits>
#include <vector>

namespace triaxis
{

/// Ranks that share the cores of a machine. Ranks that compute slow each other down: from alone to
/// crowded while cores are left, and beyond that each gets its share of the cores (processor
/// sharing). A rank that waits takes no core. Ranks with cores of their own go at the pace of
/// these, a team of threads at that of its slowest; where cores are shared, all go at the mean
/// pace.
class CoreSharing
{
public:
    /// `threads`: of each rank.
    CoreSharing(int ranks, int cores, int threads, const CorePace& pace = CorePace());

    double now() const { return m_now; }
    /// The rank begins to compute. It must not be computing.
    void begin(int rank, const MachineSeconds& work);
    /// The rank does nothing until a moment, which may have passed.
    void sleep(int rank, double until);
    /// Advances to the next moment at which a rank ends what it does, and returns the rank; −1
    /// where all are idle.
    int next();

    /// Seconds that work takes at the quickest while so many ranks compute, itself included.
    double seconds(const MachineSeconds& work, int computing) const;

private:
    struct Activity
    {
        bool computes = false;
        MachineSeconds work;
        double left = 0; ///< share of the work
        double until = std::numeric_limits<double>::infinity();
    };
    double secondsNow(int rank) const;
    void advance(double until);

    int m_cores;
    int m_threads;
    CorePace m_pace;
    bool m_own; ///< each rank has cores of its own
    int m_computing = 0;
    double m_now = 0;
    std::vector<Activity> m_ranks;
};

} // namespace triaxis

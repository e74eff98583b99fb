#pragma once

#include "engine/record/rank_status.h"
#include "launcher/cause.h"

#include <cstdint>
#include <string>
#include <vector>

namespace triaxis
{

/// Notices that nothing has moved for too long. Before the first instruction and after the last
/// step, where nothing is counted, the limit is at least a minute.
class HangWatch
{
public:
    enum class Phase { Starting, Stepping, Ending };
    static constexpr double quietSeconds = 60;

    HangWatch(double limitSeconds, double now);

    /// `finished`: instructions completed by all ranks together. To be called often: a long pause
    /// means that the watcher itself stood still (a suspended machine), and is not counted.
    void look(double now, std::uint64_t finished, Phase phase);
    bool isHung() const { return m_still > limit(); }
    /// The limit that is in force, seconds.
    double limit() const;

private:
    double m_limit;
    double m_last;
    double m_still = 0;
    std::uint64_t m_finished = 0;
    Phase m_phase = Phase::Starting;
};

/// What one rank was doing when nothing moved any more.
struct RankActivity
{
    Rank rank;
    RankStatus status;
    char processState = 0; ///< of /proc/PID/stat; 0 where it is not known
    bool started = false;  ///< false: the rank has not come as far as a status
};

/// One line a rank: "rank 2: step 5, forward of microbatch 3".
std::vector<std::string> activityLines(const std::vector<RankActivity>& ranks);

/// Names the ranks that hold up the others: those that are stopped; else those that have not
/// started; else those in a compute instruction, since whoever waits is not the cause; else those
/// that are behind.
Cause hangCause(const std::vector<RankActivity>& ranks, double seconds);

} // namespace triaxis

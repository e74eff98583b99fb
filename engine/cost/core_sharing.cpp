#include "engine/cost/core_sharing.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr double never = std::numeric_limits<double>::infinity();

} // namespace

CoreSharing::CoreSharing(int ranks, int cores, int threads, const CorePace& pace)
    : m_cores(std::max(1, cores)), m_threads(std::clamp(threads, 1, m_cores)), m_pace(pace),
      m_own(std::int64_t(ranks) * m_threads <= m_cores), m_ranks(std::size_t(std::max(0, ranks)))
{
}

double CoreSharing::seconds(const MachineSeconds& work, int computing) const
{
    const double demand = double(computing) * m_threads;
    if (demand >= m_cores)
        return (computing > 1 ? work.crowded : work.alone) * demand / m_cores;
    const int others = m_cores - m_threads;
    const double crowding = others > 0 ? (demand - m_threads) / others : 0;
    return work.alone + crowding * (work.crowded - work.alone);
}

void CoreSharing::begin(int rank, const MachineSeconds& work)
{
    Activity& activity = m_ranks[std::size_t(rank)];
    activity = {true, work, 1, never};
    ++m_computing;
}

void CoreSharing::sleep(int rank, double until)
{
    m_ranks[std::size_t(rank)] = {false, {}, 0, std::max(until, m_now)};
}

double CoreSharing::secondsNow(int rank) const
{
    const double quickest = seconds(m_ranks[std::size_t(rank)].work, m_computing);
    return quickest * (m_own ? m_pace.slowestOf(rank * m_threads, m_threads, m_now)
                             : m_pace.shared(m_cores, m_now));
}

void CoreSharing::advance(double until)
{
    const double passed = until - m_now;
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
        Activity& activity = m_ranks[rank];
        if (!activity.computes)
            continue;
        const double whole = secondsNow(int(rank));
        activity.left = whole > 0 ? std::max(0.0, activity.left - passed / whole) : 0;
    }
    m_now = until;
}

int CoreSharing::next()
{
    for (;;) {
        int first = -1;
        double soonest = never;
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            const Activity& activity = m_ranks[rank];
            const double end =
                activity.computes ? m_now + activity.left * secondsNow(int(rank)) : activity.until;
            if (end < soonest) {
                soonest = end;
                first = int(rank);
            }
        }
        if (first < 0)
            return first;
        const double change = m_pace.nextChange(m_now);
        if (change < soonest && m_computing > 0) {
            advance(change);
            continue;
        }
        advance(soonest);
        Activity& ended = m_ranks[std::size_t(first)];
        m_computing -= ended.computes ? 1 : 0;
        ended = {};
        return first;
    }
}

} // namespace triaxis

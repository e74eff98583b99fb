#pragma once

#include "engine/search/plan_scan.h"

#include <vector>

namespace triaxis
{

/// The candidates with the smallest bounds of a scan that are larger than those that were dealt
/// with before, in a fixed order (bound, then point).
class CandidatePool
{
public:
    /// Keeps at least `room` candidates (56 bytes each), twice as many for a while.
    explicit CandidatePool(std::size_t room) : m_room(room) {}

    /// False: larger than so many others that it was left out; see isCut.
    bool offer(const PlanCandidate& candidate);
    /// What was kept, in order; the pool is empty afterwards.
    std::vector<PlanCandidate> take();
    /// From now on the pool takes only what comes behind this one.
    void passed(const PlanCandidate& candidate);
    /// Candidates behind these were left out since the last take(): where they matter another scan
    /// must offer them again.
    bool isCut() const { return m_cut; }

private:
    void shrink();

    std::size_t m_room;
    std::vector<PlanCandidate> m_kept;
    PlanCandidate m_largest; ///< that is still taken
    PlanCandidate m_passed;
    bool m_cut = false;
    bool m_anyPassed = false;
};

/// The order in which candidates are priced.
bool comesBefore(const PlanCandidate& a, const PlanCandidate& b);

} // namespace triaxis

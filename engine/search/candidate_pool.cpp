#include "engine/search/candidate_pool.h"

#include <algorithm>
#include <utility>

namespace triaxis
{

bool comesBefore(const PlanCandidate& a, const PlanCandidate& b)
{
    return a.bound != b.bound ? a.bound < b.bound : a.point < b.point;
}

bool CandidatePool::offer(const PlanCandidate& candidate)
{
    if (m_anyPassed && !comesBefore(m_passed, candidate)) {
        return false;
    }
    if (m_cut && comesBefore(m_largest, candidate)) {
        return false;
    }
    m_kept.push_back(candidate);
    if (m_kept.size() >= 2 * m_room) {
        shrink();
    }
    return true;
}

void CandidatePool::shrink()
{
    const auto last = m_kept.begin() + static_cast<std::ptrdiff_t>(m_room - 1);
    std::nth_element(m_kept.begin(), last, m_kept.end(), comesBefore);
    m_largest = *last;
    m_kept.resize(m_room);
    m_cut = true;
}

std::vector<PlanCandidate> CandidatePool::take()
{
    std::sort(m_kept.begin(), m_kept.end(), comesBefore);
    m_cut = false;
    return std::exchange(m_kept, {});
}

void CandidatePool::passed(const PlanCandidate& candidate)
{
    m_passed = candidate;
    m_anyPassed = true;
}

} // namespace triaxis

#include "engine/search/pareto.h"

#include <algorithm>

namespace triaxis
{

bool ParetoFront::covers(double seconds, double memory, int devices) const
{
    return std::any_of(m_members.begin(), m_members.end(), [&](const PricedPoint& member) {
        return member.seconds <= seconds && member.memory <= memory && member.devices <= devices;
    });
}

bool ParetoFront::insert(const PricedPoint& candidate)
{
    if (covers(candidate.seconds, candidate.memory, candidate.devices)) {
        return false;
    }
    std::erase_if(m_members, [&](const PricedPoint& member) {
        return candidate.seconds <= member.seconds && candidate.memory <= member.memory &&
               candidate.devices <= member.devices;
    });
    m_members.push_back(candidate);
    return true;
}

std::vector<PricedPoint> ParetoFront::sorted() const
{
    std::vector<PricedPoint> members = m_members;
    std::sort(members.begin(), members.end(), [](const PricedPoint& a, const PricedPoint& b) {
        return a.devices != b.devices ? a.devices < b.devices : a.before(b);
    });
    return members;
}

} // namespace triaxis

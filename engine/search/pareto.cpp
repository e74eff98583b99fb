#include "engine/search/pareto.h"

#include <iterator>

namespace triaxis
{

bool ParetoFront::covers(double seconds, double memory, int devices) const
{
    for (const auto& [size, members] : m_members) {
        if (size > devices) {
            return false;
        }
        // Of those that are no slower the last takes the least memory.
        const auto behind = members.upper_bound(seconds);
        if (behind != members.begin() && std::prev(behind)->second.memory <= memory) {
            return true;
        }
    }
    return false;
}

bool ParetoFront::insert(const PricedPoint& candidate)
{
    if (covers(candidate.seconds, candidate.memory, candidate.devices)) {
        return false;
    }
    for (auto size = m_members.lower_bound(candidate.devices); size != m_members.end(); ++size) {
        auto& members = size->second;
        auto member = members.lower_bound(candidate.seconds);
        while (member != members.end() && member->second.memory >= candidate.memory) {
            member = members.erase(member);
        }
    }
    m_members[candidate.devices].emplace(candidate.seconds, candidate);
    return true;
}

std::vector<PricedPoint> ParetoFront::sorted() const
{
    std::vector<PricedPoint> all;
    for (const auto& [size, members] : m_members) {
        for (const auto& [seconds, member] : members) {
            all.push_back(member);
        }
    }
    return all;
}

} // namespace triaxis

#pragma once

#include "engine/search/plan_space.h"

#include <map>
#include <vector>

namespace triaxis
{

/// A layout with its exact prices.
struct PricedPoint
{
    PlanPoint point;
    double seconds = 0;
    double memory = 0; ///< bytes of the fullest rank
    int devices = 1;
    double deviceSeconds() const { return seconds * devices; } ///< a step; what it costs follows
    /// Faster first; of equal ones the smaller numbers.
    bool before(const PricedPoint& other) const
    {
        return seconds != other.seconds ? seconds < other.seconds : point < other.point;
    }
};

/// Layouts of which none is better than another in step time, memory and devices at once. What a
/// step costs grows with time and devices, so that none is cheaper and better in all else either.
class ParetoFront
{
public:
    /// Some member is no worse in all of them.
    bool covers(double seconds, double memory, int devices) const;
    /// False where it is covered; drops the members that it covers.
    bool insert(const PricedPoint& candidate);
    /// By devices, then time.
    std::vector<PricedPoint> sorted() const;

private:
    /// By devices, then seconds; the memory falls as the seconds grow.
    std::map<int, std::map<double, PricedPoint>> m_members;
};

} // namespace triaxis

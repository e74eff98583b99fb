#include "engine/timeline/flatten.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace triaxis
{
namespace
{

auto rankOfActivity(const Activity& a)
{
    return std::tuple(a.waiting, a.begin, a.end, a.step, a.id.packed);
}

struct ShownBefore
{
    const std::vector<Activity>* all;
    bool operator()(std::size_t a, std::size_t b) const
    {
        const auto left = rankOfActivity((*all)[a]);
        const auto right = rankOfActivity((*all)[b]);
        return left != right ? left < right : a < b;
    }
};

/// Records count in nanoseconds; what is shorter is rounding.
constexpr double shortest = 0.5e-9;

bool isRounding(const Activity& a)
{
    return !(a.end - a.begin >= shortest);
}

bool continues(const Activity& piece, const Activity& of, double at)
{
    return piece.end == at && piece.id == of.id && piece.step == of.step &&
           piece.waiting == of.waiting && piece.category == of.category;
}

} // namespace

std::vector<Activity> flatten(std::vector<Activity> activities)
{
    std::erase_if(activities, isRounding);
    std::sort(activities.begin(), activities.end(), [](const Activity& a, const Activity& b) {
        return std::tuple(a.begin, rankOfActivity(a)) < std::tuple(b.begin, rankOfActivity(b));
    });

    std::vector<double> borders;
    borders.reserve(activities.size() * 2);
    for (const Activity& a : activities) {
        borders.push_back(a.begin);
        borders.push_back(a.end);
    }
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());

    std::vector<Activity> pieces;
    std::set<std::size_t, ShownBefore> active(ShownBefore{&activities});
    std::size_t next = 0;
    for (std::size_t b = 0; b + 1 < borders.size(); ++b) {
        while (next < activities.size() && activities[next].begin <= borders[b])
            active.insert(next++);
        while (!active.empty() && activities[*active.begin()].end <= borders[b])
            active.erase(active.begin());
        if (active.empty())
            continue;
        const Activity& shown = activities[*active.begin()];
        if (!pieces.empty() && continues(pieces.back(), shown, borders[b])) {
            pieces.back().end = borders[b + 1];
            continue;
        }
        pieces.push_back(shown);
        pieces.back().begin = borders[b];
        pieces.back().end = borders[b + 1];
    }
    std::erase_if(pieces, isRounding);
    return pieces;
}

} // namespace triaxis

#include "engine/timeline/flatten.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace triaxis
{
namespace
{

auto rankOfActivity(const Activity& a)
{
    return std::tuple(a.waiting, a.begin, a.end, a.step, a.id.packed);
}

/// For a heap with what is shown on top.
struct ShownAfter
{
    const std::vector<Activity>* all;
    bool operator()(std::size_t a, std::size_t b) const
    {
        const auto left = rankOfActivity((*all)[a]);
        const auto right = rankOfActivity((*all)[b]);
        return left != right ? right < left : b < a;
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

/// At every time one thing at most.
bool areApart(const std::vector<Activity>& activities)
{
    for (std::size_t i = 1; i < activities.size(); ++i)
        if (activities[i].begin < activities[i - 1].end)
            return false;
    return true;
}

/// Pieces that go on with what the one before shows become one with it.
void addPiece(std::vector<Activity>& pieces, const Activity& shown, double begin, double end)
{
    if (!pieces.empty() && continues(pieces.back(), shown, begin)) {
        pieces.back().end = end;
        return;
    }
    pieces.push_back(shown);
    pieces.back().begin = begin;
    pieces.back().end = end;
}

std::vector<double> bordersOf(const std::vector<Activity>& activities)
{
    std::vector<double> borders;
    borders.reserve(activities.size() * 2);
    for (const Activity& a : activities) {
        borders.push_back(a.begin);
        borders.push_back(a.end);
    }
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    return borders;
}

} // namespace

std::vector<Activity> flatten(std::vector<Activity> activities)
{
    std::erase_if(activities, isRounding);
    const auto earlier = [](const Activity& a, const Activity& b) {
        return std::tuple(a.begin, rankOfActivity(a)) < std::tuple(b.begin, rankOfActivity(b));
    };
    if (!std::is_sorted(activities.begin(), activities.end(), earlier))
        std::sort(activities.begin(), activities.end(), earlier);

    std::vector<Activity> pieces;
    pieces.reserve(activities.size());
    if (areApart(activities)) {
        for (const Activity& a : activities)
            addPiece(pieces, a, a.begin, a.end);
        return pieces;
    }
    const std::vector<double> borders = bordersOf(activities);
    std::priority_queue<std::size_t, std::vector<std::size_t>, ShownAfter> active(
        ShownAfter{&activities});
    std::size_t next = 0;
    for (std::size_t b = 0; b + 1 < borders.size(); ++b) {
        while (next < activities.size() && activities[next].begin <= borders[b])
            active.push(next++);
        while (!active.empty() && activities[active.top()].end <= borders[b])
            active.pop();
        if (!active.empty())
            addPiece(pieces, activities[active.top()], borders[b], borders[b + 1]);
    }
    std::erase_if(pieces, isRounding);
    return pieces;
}

} // namespace triaxis

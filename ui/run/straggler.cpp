#include "ui/run/straggler.h"

#include "ui/base/text.h"
#include "ui/base/words.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::ui
{
namespace
{

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

} // namespace

std::vector<double> computeExcess(const RunData& run, std::size_t leastSteps)
{
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const Layout& layout = run.plan().layout;
    const auto ranks = std::size_t(layout.ranks());
    std::vector<double> excess(ranks, unknown);
    if (run.shares().size() < std::max<std::size_t>(1, leastSteps) || layout.dp * layout.tp == 1)
        return excess;
    std::vector<double> busy(ranks, unknown);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        std::vector<double> seconds;
        for (const StepShares& shares : run.shares())
            if (rank < shares.perRank.size())
                seconds.push_back(shares.perRank[rank].compute);
        if (!seconds.empty())
            busy[rank] = medianOf(std::move(seconds));
    }
    std::vector<std::vector<std::size_t>> byStage(std::size_t(layout.pp));
    for (std::size_t rank = 0; rank < ranks; ++rank)
        if (busy[rank] > 0)
            byStage[std::size_t(coordinatesOf(layout, Rank(int(rank))).pipeline)].push_back(rank);
    for (const std::vector<std::size_t>& stage : byStage)
        for (const std::size_t rank : stage) {
            std::vector<double> peers;
            for (const std::size_t other : stage)
                if (other != rank)
                    peers.push_back(busy[other]);
            if (!peers.empty())
                excess[rank] = busy[rank] / medianOf(std::move(peers)) - 1;
        }
    return excess;
}

std::vector<Straggler> stragglers(const RunData& run)
{
    std::vector<Straggler> found;
    const std::vector<double> excess = computeExcess(run);
    for (std::size_t rank = 0; rank < excess.size(); ++rank)
        if (excess[rank] >= stragglerExcess)
            found.push_back({Rank(int(rank)), excess[rank]});
    std::sort(found.begin(), found.end(),
              [](const Straggler& a, const Straggler& b) { return a.excess > b.excess; });
    return found;
}

QString text(const Straggler& straggler)
{
    return Words::tr("straggler: computes %1%2% longer than its stage")
        .arg(qRound(straggler.excess * 100))
        .arg(thinSpace);
}

QString stragglerRule()
{
    return Words::tr(
               "A straggler computes at least %1%2% longer (median over the last %3 steps with "
               "spans) than the median of the other ranks of its stage.")
        .arg(qRound(stragglerExcess * 100))
        .arg(thinSpace)
        .arg(RunData::sharesKept);
}

} // namespace triaxis::ui

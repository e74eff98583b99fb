#include "engine/timeline/communication_share.h"

#include "engine/timeline/intervals.h"

namespace triaxis
{
namespace
{

/// Collectives at the end of a step.
bool isStepSum(Kind kind)
{
    return isCollective(kind) && kind != Kind::TensorCollective;
}

struct RankTail
{
    Intervals sums;
    Intervals work;
};

} // namespace

CommunicationShare communicationShare(const std::vector<Span>& spansOfStep,
                                      const StepShares& shares, const Layout& layout)
{
    std::vector<RankTail> tails(shares.perRank.size());
    for (const Span& span : spansOfStep) {
        if (span.rank.value < 0 || span.rank.value >= layout.ranks())
            continue;
        RankTail& tail = tails[std::size_t(span.rank.value)];
        if (isStepSum(span.id.kind()) && span.end > span.ready)
            tail.sums.emplace_back(span.ready, span.end);
        else if (isCompute(span.id.kind()) && span.end > span.begin)
            tail.work.emplace_back(span.begin, span.end);
    }
    CommunicationShare mean;
    int ranks = 0;
    double tensor = 0, pipeline = 0, data = 0;
    for (std::size_t r = 0; r < tails.size(); ++r) {
        const LaneShare& share = shares.perRank[r];
        const double window = share.window();
        if (!(window > 0))
            continue;
        const Intervals tail{{shares.end - share.tail, shares.end}};
        const Intervals sums = without(common(united(tails[r].sums), tail), united(tails[r].work));
        tensor += (share.tensorWait + share.tensorTransfer) / window;
        pipeline += share.exposedTransfer / window;
        data += length(sums) / window;
        ++ranks;
    }
    if (ranks > 0)
        mean = {tensor / ranks, pipeline / ranks, data / ranks};
    return mean;
}

} // namespace triaxis

#include "engine/timeline/metrics.h"

#include "engine/timeline/intervals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

bool isModelWork(Kind kind)
{
    return kind == Kind::Forward || kind == Kind::Backward || kind == Kind::BackwardInput ||
           kind == Kind::BackwardWeight;
}

bool isTailWork(Kind kind)
{
    switch (kind) {
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
    case Kind::OptimizerStep:
    case Kind::LossReduce:
        return true;
    case Kind::Forward:
    case Kind::Backward:
    case Kind::BackwardInput:
    case Kind::BackwardWeight:
    case Kind::SendActivation:
    case Kind::ReceiveActivation:
    case Kind::SendGradient:
    case Kind::ReceiveGradient:
    case Kind::Wait:
    case Kind::TensorCollective:
        return false;
    }
    return false;
}

bool isUsable(const Span& span, const Layout& layout)
{
    return span.rank.value >= 0 && span.rank.value < layout.ranks() && std::isfinite(span.ready) &&
           std::isfinite(span.begin) && std::isfinite(span.end) && span.end >= span.begin;
}

/// The spans of one rank, sorted by what they mean for its compute lane.
struct RankSpans
{
    std::vector<const Span*> compute; ///< in order of begin
    Intervals received, receiveWaits, sent, sendWaits;
    double lastTailEnd = -std::numeric_limits<double>::infinity();
    bool any = false;

    void add(const Span& span)
    {
        const Kind kind = span.id.kind();
        any = true;
        if (span.lane == Lane::Compute && kind != Kind::Wait)
            compute.push_back(&span);
        if (isTailWork(kind))
            lastTailEnd = std::max(lastTailEnd, span.end);
        if (isReceive(kind)) {
            received.emplace_back(span.begin, span.end);
            receiveWaits.emplace_back(span.ready, span.begin);
        } else if (isSend(kind)) {
            sent.emplace_back(span.begin, span.end);
            sendWaits.emplace_back(span.ready, span.begin);
        }
    }
};

/// Splits the idle stretches between compute spans by what the lane waited for. A receive explains
/// a stretch before a send does: it is what the next compute span needs.
void attributeGaps(LaneShare& share, const Intervals& gaps, RankSpans& spans)
{
    const Intervals received = common(gaps, united(std::move(spans.received)));
    Intervals rest = without(gaps, received);
    const Intervals receiveWaits = common(rest, united(std::move(spans.receiveWaits)));
    rest = without(rest, receiveWaits);
    const Intervals sent = common(rest, united(std::move(spans.sent)));
    rest = without(rest, sent);
    const Intervals sendWaits = common(rest, united(std::move(spans.sendWaits)));

    share.exposedTransfer += length(received) + length(sent);
    share.peerWait += length(receiveWaits) + length(sendWaits);
    share.steady += length(without(rest, sendWaits));
}

/// Busy seconds of a span of which `seconds` are counted (the rest overlaps something earlier).
void addBusy(LaneShare& share, const Span& span, double seconds)
{
    const double whole = span.end - span.begin;
    const double wait = std::clamp(span.tensorWait, 0.0, whole);
    const double transfer = std::clamp(span.tensorTransfer, 0.0, whole - wait);
    const double counted = seconds / whole;
    share.tensorWait += wait * counted;
    share.tensorTransfer += transfer * counted;
    share.compute += (whole - wait - transfer) * counted;
}

LaneShare shareOf(RankSpans& spans, double begin, double tailBegin, double end)
{
    LaneShare share;
    share.tail = end - tailBegin;
    std::sort(spans.compute.begin(), spans.compute.end(),
              [](const Span* a, const Span* b) { return a->begin < b->begin; });
    Intervals gaps;
    bool first = true;
    double cursor = begin;
    for (const Span* span : spans.compute) {
        const double from = std::max(span->begin, cursor);
        const double to = std::min(span->end, tailBegin);
        if (to <= from)
            continue;
        if (first)
            share.warmUp = from - cursor;
        else if (from > cursor)
            gaps.emplace_back(cursor, from);
        first = false;
        addBusy(share, *span, to - from);
        cursor = to;
    }
    (first ? share.warmUp : share.coolDown) = tailBegin - cursor;
    attributeGaps(share, gaps, spans);
    return share;
}

constexpr double BubbleRates::*allRates[] = {&BubbleRates::overIdeal, &BubbleRates::overMakespan,
                                             &BubbleRates::ownOverIdeal,
                                             &BubbleRates::ownOverMakespan};

double ratio(double part, double whole)
{
    return part > 0 ? part / whole : 0;
}

/// Of nothing the mean is NaN.
void divide(BubbleRates& sums, int count)
{
    for (const auto rate : allRates)
        sums.*rate = count > 0 ? sums.*rate / count : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

double LaneShare::idle() const
{
    return warmUp + steady + peerWait + exposedTransfer + coolDown;
}

double LaneShare::idleOwn() const
{
    return steady + peerWait + exposedTransfer;
}

double LaneShare::busy() const
{
    return compute + tensorWait + tensorTransfer;
}

double LaneShare::window() const
{
    return busy() + idle() + tail;
}

StepShares stepShares(const std::vector<Span>& spansOfStep, const Layout& layout)
{
    constexpr double never = -std::numeric_limits<double>::infinity();
    StepShares result;
    result.perRank.resize(std::size_t(std::max(0, layout.ranks())));
    std::vector<RankSpans> ofRank(result.perRank.size());
    std::vector<double> pipelineEnd(std::size_t(std::max(0, layout.dp)), never);
    double begin = -never;
    double end = never;
    for (const Span& span : spansOfStep) {
        if (!isUsable(span, layout))
            continue;
        ofRank[std::size_t(span.rank.value)].add(span);
        result.step = span.step;
        begin = std::min(begin, span.begin);
        end = std::max(end, span.end);
        if (isModelWork(span.id.kind())) {
            double& latest = pipelineEnd[std::size_t(coordinatesOf(layout, span.rank).data)];
            latest = std::max(latest, span.end);
        }
    }
    if (begin > end)
        return result;
    result.begin = begin;
    result.end = end;
    for (std::size_t r = 0; r < ofRank.size(); ++r) {
        if (!ofRank[r].any)
            continue;
        const int replica = coordinatesOf(layout, Rank(int(r))).data;
        const double worked = std::max(begin, pipelineEnd[std::size_t(replica)]);
        const double tailBegin = ofRank[r].lastTailEnd > worked ? worked : end;
        result.perRank[r] = shareOf(ofRank[r], begin, tailBegin, end);
    }
    return result;
}

std::vector<BubbleRates> bubbleRatesByStage(const StepShares& shares, const Layout& layout)
{
    std::vector<BubbleRates> sums(std::size_t(std::max(0, layout.pp)), BubbleRates{0, 0, 0, 0});
    std::vector<int> ranks(sums.size(), 0);
    for (std::size_t r = 0; r < shares.perRank.size(); ++r) {
        const LaneShare& share = shares.perRank[r];
        if (!(share.window() - share.tail > 0))
            continue;
        const auto stage = std::size_t(coordinatesOf(layout, Rank(int(r))).pipeline);
        sums[stage].overIdeal += ratio(share.idle(), share.busy());
        sums[stage].overMakespan += ratio(share.idle(), share.window() - share.tail);
        sums[stage].ownOverIdeal += ratio(share.idleOwn(), share.busy());
        sums[stage].ownOverMakespan += ratio(share.idleOwn(), share.busy() + share.idleOwn());
        ++ranks[stage];
    }
    for (std::size_t stage = 0; stage < sums.size(); ++stage)
        divide(sums[stage], ranks[stage]);
    return sums;
}

BubbleRates bubbleRates(const StepShares& shares, const Layout& layout)
{
    BubbleRates sum{0, 0, 0, 0};
    int stages = 0;
    for (const BubbleRates& rates : bubbleRatesByStage(shares, layout)) {
        if (!std::isfinite(rates.overMakespan))
            continue;
        for (const auto rate : allRates)
            sum.*rate += rates.*rate;
        ++stages;
    }
    divide(sum, stages);
    return sum;
}

std::vector<double> bubbleByStage(const StepShares& shares, const Layout& layout)
{
    std::vector<double> bubbles;
    for (const BubbleRates& rates : bubbleRatesByStage(shares, layout))
        bubbles.push_back(rates.overMakespan);
    return bubbles;
}

double bubble(const StepShares& shares, const Layout& layout)
{
    return bubbleRates(shares, layout).overMakespan;
}

} // namespace triaxis

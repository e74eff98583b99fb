#include "engine/formats/chrome_trace_lanes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace triaxis
{
namespace
{

constexpr std::int64_t shortestTransfer =
    3; // ns; what ended before it was waited for still has an inside for its flow
constexpr std::int64_t shortOverlap = 1000; // ns; moved instead of spilled to another row

std::int64_t nanoseconds(double seconds)
{
    return std::llround(seconds * 1e9);
}

/// Open slices of one row, outermost first.
class Row
{
public:
    /// Whether [begin, end] lies behind what is there, or inside it where slices may nest; if so it
    /// is taken.
    bool take(std::int64_t begin, std::int64_t end, bool mayNest)
    {
        while (!m_open.empty() && m_open.back() <= begin)
            m_open.pop_back();
        if (!m_open.empty() && (!mayNest || m_open.back() < end))
            return false;
        m_open.push_back(end);
        return true;
    }

private:
    std::vector<std::int64_t> m_open;
};

int rowFor(std::vector<Row>& rows, std::int64_t begin, std::int64_t end, bool mayNest)
{
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].take(begin, end, mayNest))
            return int(r);
    }
    rows.emplace_back();
    rows.back().take(begin, end, mayNest);
    return int(rows.size() - 1);
}

/// Stage at the other end of a transfer's lane; the pipeline closes to a ring for interleaved
/// schedules.
int peerStage(Lane lane, int stage, int stages)
{
    switch (lane) {
    case Lane::SendNext:
    case Lane::ReceiveNext:
        return (stage + 1) % stages;
    case Lane::SendPrevious:
    case Lane::ReceivePrevious:
        return (stage + stages - 1) % stages;
    case Lane::Compute:
    case Lane::Tensor:
    case Lane::Data:
    case Lane::Copy:
        return -1;
    }
    return -1;
}

/// What a send and its receive have in common.
using ChannelKey =
    std::tuple<std::int32_t, int, int, bool, int>; // step, from, to, gradient, microbatch

ChannelKey keyOf(const Span& span, const Layout& layout)
{
    Coordinates peer = coordinatesOf(layout, span.rank);
    peer.pipeline = peerStage(span.lane, peer.pipeline, layout.pp);
    const int other = rankOf(layout, peer).value;
    const Kind kind = span.id.kind();
    const bool gradient = kind == Kind::SendGradient || kind == Kind::ReceiveGradient;
    const int from = isSend(kind) ? span.rank.value : other;
    const int to = isSend(kind) ? other : span.rank.value;
    return {span.step, from, to, gradient, span.id.microbatch().value};
}

bool isTransfer(const TraceSlice& slice, const Layout& layout)
{
    const Span& span = *slice.span;
    return !slice.waiting && slice.end - slice.begin >= shortestTransfer &&
           (isSend(span.id.kind()) || isReceive(span.id.kind())) &&
           peerStage(span.lane, 0, std::max(1, layout.pp)) >= 0;
}

} // namespace

std::vector<TraceSlice> traceSlices(std::vector<const Span*> lane, double origin)
{
    std::sort(lane.begin(), lane.end(), [](const Span* a, const Span* b) {
        return std::tuple(a->begin, -a->end, a->step, a->id.packed) <
               std::tuple(b->begin, -b->end, b->step, b->id.packed);
    });
    std::vector<TraceSlice> slices;
    slices.reserve(lane.size() * 2);
    std::int64_t busyUntil = 0;
    for (const Span* span : lane) {
        const bool computes = span->lane == Lane::Compute;
        std::int64_t begin = nanoseconds(span->begin - origin);
        if (!computes && begin < busyUntil && busyUntil - begin <= shortOverlap)
            begin = busyUntil;
        const std::int64_t end =
            std::max(begin + (computes ? 0 : shortestTransfer), nanoseconds(span->end - origin));
        const std::int64_t ready = std::max(busyUntil, nanoseconds(span->ready - origin));
        if (!computes && ready < begin)
            slices.push_back({ready, begin, true, span, 0});
        slices.push_back({begin, end, false, span, 0});
        busyUntil = std::max(busyUntil, end);
    }
    std::vector<Row> rows;
    for (TraceSlice& slice : slices)
        slice.spill = rowFor(rows, slice.begin, slice.end, slice.span->lane == Lane::Compute);
    return slices;
}

std::vector<TraceFlow> traceFlows(const std::vector<TraceSlice>& slices, const Layout& layout)
{
    std::map<ChannelKey, std::pair<std::vector<const TraceSlice*>, std::vector<const TraceSlice*>>>
        channels;
    for (const TraceSlice& slice : slices) {
        if (!isTransfer(slice, layout))
            continue;
        auto& [sends, receives] = channels[keyOf(*slice.span, layout)];
        (isSend(slice.span->id.kind()) ? sends : receives).push_back(&slice);
    }
    std::vector<TraceFlow> flows;
    for (const auto& [key, ends] : channels) {
        const auto& [sends, receives] = ends;
        for (std::size_t i = 0; i < std::min(sends.size(), receives.size()); ++i) {
            const TraceSlice& send = *sends[i];
            const TraceSlice& receive = *receives[i];
            const TraceFlow flow{send.begin + 1, receive.end - 1, send.span,
                                 receive.span,   send.spill,      receive.spill};
            if (flow.received >= flow.sent)
                flows.push_back(flow);
        }
    }
    return flows;
}

} // namespace triaxis

#pragma once

#include "engine/record/run_plan.h"
#include "engine/timeline/span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace triaxis
{

/// One X event of a trace, in whole nanoseconds since the trace's origin.
struct TraceSlice
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool waiting = false; ///< the wait in front of a transfer
    const Span* span = nullptr;
    int spill = 0; ///< 0: the lane's own row; n: the nth row for what overlaps without nesting
};

/// One point of a flow from a send to its receive.
struct TraceFlow
{
    std::int64_t sent = 0;     ///< inside the send's slice
    std::int64_t received = 0; ///< inside the receive's slice
    const Span* send = nullptr;
    const Span* receive = nullptr;
    int sendSpill = 0;
    int receiveSpill = 0;
};

/// The slices of one lane of one rank in order of begin, parents before children. A wait that
/// begins while its lane is still busy is clipped; slices that overlap go to spill rows, the first
/// that is free. Compute slices may also nest in one row.
std::vector<TraceSlice> traceSlices(std::vector<const Span*> lane, double origin);

/// Pairs sends with receives: the nth of a (step, sender, receiver, kind, microbatch) on either
/// side belong together, since both ends of a channel have the same order. `slices` of all ranks;
/// those shorter than 2 ns have no inside.
std::vector<TraceFlow> traceFlows(const std::vector<TraceSlice>& slices, const Layout& layout);

} // namespace triaxis

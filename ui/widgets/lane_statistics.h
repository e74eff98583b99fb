#pragma once

#include "engine/timeline/lanes.h"
#include "ui/widgets/time_window.h"

#include <QString>

namespace triaxis::ui
{

/// What a measured range of a timeline holds, over all ranks.
struct RangeStatistics
{
    double seconds = 0;
    double busy = 0;          ///< share of the compute tracks that is not idle
    std::size_t spans = 0;    ///< of the compute tracks that touch the range
};
RangeStatistics measure(const Lanes& lanes, const TimeWindow& range);
/// "Δ 34.2 ms · 61.0 % busy · 22 spans".
QString toText(const RangeStatistics& statistics);

/// First and last step that a window shows a part of; {0, −1} if none.
std::pair<int, int> stepsWithin(const Lanes& lanes, const TimeWindow& window);

/// One painted span by position.
struct SpanPlace
{
    std::size_t lane = 0;        ///< into Lanes::ranks()
    bool communication = false;
    std::size_t index = 0;       ///< into the track
    bool operator==(const SpanPlace&) const = default;
};
const Track& trackOf(const Lanes& lanes, const SpanPlace& place);
/// "rank 3 · dp0 · pp1 · tp1", "backward of microbatch 5", "1.84 ms, begins 12.3 ms into step 147": lines of a tooltip.
QString describe(const Lanes& lanes, const SpanPlace& place);

} // namespace triaxis::ui

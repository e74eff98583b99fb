#pragma once

#include "engine/timeline/span_place.h"
#include "ui/widgets/time_window.h"

#include <QString>

namespace triaxis::ui
{

/// What a range of a timeline holds, over all ranks. Times of compute spans are those within the
/// range.
struct RangeStatistics
{
    double seconds = 0;
    double busy = 0;       ///< share of the compute tracks that is not idle
    std::size_t spans = 0; ///< of the compute tracks that touch the range
    double sum = 0;        ///< seconds of those spans
    double shortest = 0;   ///< whole span, not only what lies in the range
    double longest = 0;
    double mean() const { return spans > 0 ? sum / double(spans) : 0; }
    double idle() const { return 1 - busy; }
};
RangeStatistics measure(const Lanes& lanes, const TimeWindow& range);
/// "Δ 34.2 ms · 61.0 % busy · 39.0 % idle · 22 spans · sum 41.7 ms · mean 1.9 ms · min 1.1 ms ·
/// max 2.4 ms".
QString toText(const RangeStatistics& statistics, const Lanes& lanes);

/// First and last step that a window shows a part of; {0, −1} if none.
std::pair<int, int> stepsWithin(const Lanes& lanes, const TimeWindow& window);

/// The steps that a window is about: those it shows a part of, without neighbours that only reach
/// over its edge, by little of the window and by less than half of themselves. {0, −1} if none.
std::pair<int, int> stepsShown(const Lanes& lanes, const TimeWindow& window);

/// "24.7 ms (+3.1 %)": a predicted duration against the measured one.
QString durationAgainst(double predicted, double measured);
/// "8 ms later than predicted", "as predicted".
QString lateText(double late);
/// "rank 3 · dp0 · pp1 · tp1", "backward of microbatch 5", "1.84 ms, begins 12.3 ms into step 147":
/// lines of a tooltip.
QString describe(const Lanes& lanes, const SpanPlace& place);

} // namespace triaxis::ui

#pragma once

#include "ui/run/run_data.h"
#include "ui/widgets/time_window.h"

#include <QString>

namespace triaxis::ui
{

/// The steps that a range of time is about, as ViewRange names them: those it shows a part of,
/// neighbours left out that only reach over its edge. Figures that are told of whole steps are told
/// of these.
struct ShownSteps
{
    std::int32_t first = 0;
    std::int32_t last = -1;

    bool any() const { return last >= first; }
    bool has(std::int32_t step) const { return step >= first && step <= last; }
    /// "step 7", "steps 3–9"; empty for none.
    QString text() const;
    bool operator==(const ShownSteps&) const = default;
};
ShownSteps shownSteps(const Lanes& lanes, const TimeWindow& range);

/// The step that stands for a run (SteadyStep); −1 without spans.
std::int32_t steadyStepOf(const Lanes& lanes);

/// What is kept of these steps.
std::vector<StepShares> sharesOf(const RunData& run, const ShownSteps& steps);
std::vector<StepTraffic> trafficOf(const RunData& run, const ShownSteps& steps);
std::vector<Span> spansOf(const RunData& run, const ShownSteps& steps);
/// "steps 3–90", "steps 3–90, 41 of 88 kept": what such figures are of.
QString basisText(const ShownSteps& steps, std::size_t kept);

} // namespace triaxis::ui

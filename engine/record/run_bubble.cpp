#include "engine/record/run_bubble.h"

#include "engine/core/units.h"
#include "engine/timeline/measured_times.h"
#include "engine/timeline/steady_step.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace triaxis
{
namespace
{

constexpr const char* evenTimes = "for F = I = W";

double meanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// Seconds of a whole share: a table holds one entry for it, or one for each of its virtual stages.
double shareOf(const std::vector<double>& slots, const Layout& layout)
{
    return meanOf(slots) * (slots.size() > 1 ? layout.virtualStages : 1);
}

std::string textOf(const MeasuredTimes& measured)
{
    const ShareTimes& t = measured.times;
    if (!measured.split)
        return "for the measured F " + units::seconds(t.forward) + " and B " +
               units::seconds(t.backward());
    return "for the measured F " + units::seconds(t.forward) + ", I " + units::seconds(t.input) +
           " and W " + units::seconds(t.weight);
}

/// Times are never equal when they are measured; a form that needs equal ones is still what the
/// schedule aims at.
void addClosedForm(RunBubble& bubble, const ScheduleRequest& request)
{
    const std::optional<MeasuredTimes> measured = measuredTimes(bubble.spans);
    if (measured) {
        bubble.form = closedForm(request, measured->times);
        bubble.assumes = textOf(*measured);
        if (!bubble.form.idle.empty())
            return;
    }
    const double third = measured ? (measured->times.forward + measured->times.backward()) / 3 : 1;
    ClosedForm even = closedForm(request, {third, third, third});
    if (measured && even.idle.empty())
        return;
    bubble.form = std::move(even);
    bubble.assumes = evenTimes;
}

/// Of the steps that as many ranks as of any have spans of, ascending.
std::vector<StepBubble> bubblesOf(const std::vector<Span>& spans, const Layout& layout)
{
    std::map<std::int32_t, std::vector<Span>> steps;
    for (const Span& span : spans)
        steps[span.step].push_back(span);
    std::map<std::int32_t, std::size_t> ranksOf;
    std::size_t most = 0;
    for (const auto& [step, of] : steps) {
        std::set<Rank> ranks;
        for (const Span& span : of)
            ranks.insert(span.rank);
        ranksOf[step] = ranks.size();
        most = std::max(most, ranks.size());
    }
    std::vector<StepBubble> bubbles;
    for (const auto& [step, of] : steps)
        if (ranksOf[step] == most)
            bubbles.push_back({step, bubble(stepShares(of, layout), layout)});
    return bubbles;
}

} // namespace

PlanClosedForm planClosedForm(const RunPlan& plan)
{
    const PacePlan& pace = plan.execution.pace;
    if (!pace.active() || pace.input.empty() || pace.weight.empty())
        return {closedForm(scheduleRequest(plan)), evenTimes};
    const ShareTimes times{shareOf(pace.forward, plan.layout), shareOf(pace.input, plan.layout),
                           shareOf(pace.weight, plan.layout)};
    return {closedForm(scheduleRequest(plan), times), "for the slots of the pace"};
}

RunBubble runBubble(const RunPlan& plan, const std::vector<Span>& spans)
{
    RunBubble bubble;
    bubble.kept = keptBubble(bubblesOf(spans, plan.layout));
    bubble.step = steadyStep(spans);
    if (bubble.step >= 0) {
        bubble.spans = spansOfStep(spans, bubble.step);
        bubble.shares = stepShares(bubble.spans, plan.layout);
        bubble.byStage = bubbleRatesByStage(bubble.shares, plan.layout);
        bubble.mean = bubbleRates(bubble.shares, plan.layout);
    }
    addClosedForm(bubble, scheduleRequest(plan));
    return bubble;
}

double closedBubble(const ClosedForm& form)
{
    return form.idleOverMakespan().value_or(std::numeric_limits<double>::quiet_NaN());
}

} // namespace triaxis

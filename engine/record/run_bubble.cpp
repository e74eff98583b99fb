#include "engine/record/run_bubble.h"

#include "engine/core/units.h"
#include "engine/timeline/measured_times.h"
#include "engine/timeline/steady_step.h"

#include <algorithm>
#include <limits>

namespace triaxis
{
namespace
{

constexpr const char* evenTimes = "for F = I = W";

ScheduleRequest requestOf(const RunPlan& plan)
{
    ScheduleRequest request;
    request.name = plan.training.schedule;
    request.stages = plan.layout.pp;
    request.microbatches = plan.training.batch.microbatches(std::max(1, plan.layout.dp));
    request.virtualStages = plan.layout.virtualStages;
    return request;
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

} // namespace

PlanClosedForm planClosedForm(const RunPlan& plan)
{
    return {closedForm(requestOf(plan)), evenTimes};
}

RunBubble runBubble(const RunPlan& plan, const std::vector<Span>& spans)
{
    RunBubble bubble;
    bubble.step = steadyStep(spans);
    if (bubble.step >= 0) {
        bubble.spans = spansOfStep(spans, bubble.step);
        bubble.shares = stepShares(bubble.spans, plan.layout);
        bubble.byStage = bubbleRatesByStage(bubble.shares, plan.layout);
        bubble.mean = bubbleRates(bubble.shares, plan.layout);
    }
    addClosedForm(bubble, requestOf(plan));
    return bubble;
}

double closedBubble(const ClosedForm& form)
{
    return form.idleOverMakespan().value_or(std::numeric_limits<double>::quiet_NaN());
}

} // namespace triaxis

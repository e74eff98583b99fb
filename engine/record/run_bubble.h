#pragma once

#include "engine/record/run_plan.h"
#include "engine/schedule/closed_forms.h"
#include "engine/timeline/kept_bubble.h"
#include "engine/timeline/metrics.h"

#include <string>
#include <vector>

namespace triaxis
{

/// The closed form of a plan's schedule before anything is measured: the times of its slots where
/// the run is paced, else F = I = W.
struct PlanClosedForm
{
    ClosedForm form;
    std::string assumes; ///< "for F = I = W": what it was worked out for; empty where the form does
                         ///< not depend on it
};
PlanClosedForm planClosedForm(const RunPlan& plan);

/// The bubble of a run, that of the step that stands for it (SteadyStep) in detail, measured, and
/// the closed form beside it.
struct RunBubble
{
    KeptBubble kept;         ///< of the run
    std::int32_t step = -1;  ///< −1: no spans, and nothing below
    std::vector<Span> spans; ///< of the step
    StepShares shares;
    std::vector<BubbleRates> byStage; ///< [P]
    BubbleRates mean;                 ///< over the stages
    /// For F, I, W as measured; outside its domain for F = I = W of the same sum, if it has a form
    /// there.
    ClosedForm form;
    std::string assumes; ///< "for the measured F 12 ms, I 11 ms, W 10 ms", "for F = I = W"
};
/// `spans`: of any steps, paired.
RunBubble runBubble(const RunPlan& plan, const std::vector<Span>& spans);

/// The bubble (BubbleRates::overMakespan) that the closed form gives; NaN where there is none.
double closedBubble(const ClosedForm& form);

} // namespace triaxis

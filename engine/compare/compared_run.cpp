#include "engine/compare/compared_run.h"

#include "engine/record/run_json.h"
#include "engine/timeline/bubble_phases.h"
#include "engine/timeline/communication_share.h"
#include "engine/timeline/steady_step.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace triaxis
{
namespace
{

std::string sizesOf(const Layout& layout)
{
    return std::to_string(layout.dp) + "×" + std::to_string(layout.tp) + "×" +
           std::to_string(layout.pp);
}

/// What tells ids of one day apart.
std::string endOf(const std::string& id)
{
    return id.size() > 4 ? id.substr(id.size() - 4) : id;
}

/// Steps in order, the last result of each where one was written twice.
std::vector<StepResult> eachOnce(const std::vector<StepResult>& steps)
{
    std::map<std::int32_t, StepResult> byNumber;
    for (const StepResult& step : steps)
        byNumber[step.step] = step;
    std::vector<StepResult> result;
    for (const auto& [number, step] : byNumber)
        result.push_back(step);
    return result;
}

void addStepFigures(ComparedRun& run)
{
    std::vector<double> seconds, rates;
    for (std::size_t i = run.steps.size() > 1 ? 1 : 0; i < run.steps.size(); ++i) {
        const StepResult& step = run.steps[i];
        if (!(step.seconds > 0))
            continue;
        seconds.push_back(step.seconds);
        rates.push_back(double(step.tokens) / step.seconds);
    }
    run.stepSeconds = spreadOf(std::move(seconds));
    run.tokensPerSecond = spreadOf(std::move(rates));
    if (!run.steps.empty()) {
        run.finalLoss = run.steps.back().loss;
        run.finalGradientNorm = run.steps.back().gradientNorm;
    }
}

void addShares(ComparedRun& run, const std::vector<Span>& spans)
{
    const Layout& layout = run.plan.layout;
    std::map<std::int32_t, std::vector<Span>> byStep;
    for (const Span& span : spans)
        byStep[span.step].push_back(span);
    if (byStep.size() > 1)
        byStep.erase(byStep.begin()); // pays for what is made once
    if (byStep.empty())
        return;
    run.firstKept = byStep.begin()->first;
    run.lastKept = byStep.rbegin()->first;
    run.keptSteps = byStep.size();
    std::vector<double> bubbles, communication;
    for (const auto& [step, ofStep] : byStep) {
        const StepShares shares = stepShares(ofStep, layout);
        bubbles.push_back(bubble(shares, layout));
        communication.push_back(communicationShare(ofStep, shares, layout).total());
    }
    run.bubble = spreadOf(std::move(bubbles));
    run.communication = spreadOf(std::move(communication));
}

void addTimeline(ComparedRun& run, const std::vector<Span>& spans)
{
    run.spansStep = steadyStep(spans);
    run.spans = spansOfStep(spans, run.spansStep);
    double begin = std::numeric_limits<double>::infinity();
    for (const Span& span : run.spans)
        if (span.lane == Lane::Compute)
            begin = std::min(begin, span.begin);
    if (!std::isfinite(begin))
        return;
    for (Span& span : run.spans) {
        span.ready -= begin;
        span.begin -= begin;
        span.end -= begin;
    }
}

} // namespace

const char* toText(FigureSource source)
{
    switch (source) {
    case FigureSource::Measured:
        return "measured";
    case FigureSource::Predicted:
        return "predicted";
    }
    return "";
}

std::string letteredName(const std::vector<ComparedRun>& runs, std::size_t index)
{
    std::string letter(1, char('A' + index % 26));
    if (index >= 26)
        letter += std::to_string(index / 26);
    return letter + " · " + runs[index].name;
}

ComparedRun comparedRun(const std::string& id, const RunPlan& plan,
                        const RunEnvironment& environment, RunState state,
                        const RunRecords& records)
{
    ComparedRun run;
    run.id = id;
    run.name = plan.label.empty() ? sizesOf(plan.layout) + " · " + endOf(id) : plan.label;
    run.state = state;
    run.plan = plan;
    run.environment = environment;
    run.spansLayout = plan.layout;
    run.settings = toJson(plan);
    run.settings["environment"] = toJson(environment);
    run.steps = eachOnce(records.all.steps);
    addStepFigures(run);
    addShares(run, records.all.spans);
    addTimeline(run, records.all.spans);
    for (const MemorySample& sample : records.all.memory) {
        const auto bytes = double(sample.peakTotal);
        run.peakBytes = std::isfinite(run.peakBytes) ? std::max(run.peakBytes, bytes) : bytes;
    }
    return run;
}

ComparedRun comparedRun(const RunDirectory& run)
{
    return comparedRun(run.id(), run.plan(), run.environment(), run.status().state, readRun(run));
}

} // namespace triaxis

#include "engine/core/units.h"
#include "engine/formats/run_report_sections.h"
#include "engine/record/step_figures.h"
#include "engine/schedule/generators.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double stragglerExcess =
    0.1; // a rank that computes so much longer than its peers is called out

ReportFigure stateFigure(const ReportInput& input)
{
    const std::int64_t done =
        std::max(input.status.lastStep,
                 input.facts.steps.empty() ? 0 : std::int64_t(input.facts.steps.back().step));
    return {
        "State", toText(input.status.state),
        filled("step %1 of %2", {std::to_string(done), std::to_string(input.plan.training.steps)})};
}

std::string bestLossText(const ReportInput& input)
{
    const double best = input.plan.data.bestLoss;
    return best >= 0 ? filled("best reachable %1", {figureText(best)}) : std::string();
}

ReportFigure lossFigure(const ReportInput& input)
{
    const std::string best = bestLossText(input);
    return {"Loss", figureText(input.facts.finalLoss),
            unitOfLoss(input.plan) + (best.empty() ? "" : ", " + best)};
}

ReportFigure speedFigure(const ReportInput& input)
{
    return {
        "Tokens / s", units::count(input.facts.tokensPerSecond),
        std::isfinite(input.facts.flopsPerSecond)
            ? filled("%1 of model arithmetic", {units::flopsPerSecond(input.facts.flopsPerSecond)})
            : "no step timed"};
}

ReportFigure timeFigure(const ReportInput& input)
{
    const auto steps = std::int64_t(input.facts.steps.size());
    return {"Step time", units::seconds(input.facts.stepSeconds),
            steps > 1 ? countedText("median of %n steps, first left out",
                                    "median of %n step, first left out", steps - 1)
                      : countedText("%n steps", "%n step", steps)};
}

ReportFigure bubbleFigure(const ReportInput& input)
{
    const RunBubble& bubble = input.facts.bubble;
    const double closed = closedBubble(bubble.form);
    const std::string form =
        std::isfinite(closed) ? filled("closed form %1", {shareText(closed)}) : "no closed form";
    return {"Bubble", shareText(bubble.kept.bubble),
            (bubble.kept.steps > 1 ? countedText("mean of %n steps", "mean of %n step",
                                                 std::int64_t(bubble.kept.steps)) +
                                         ", "
                                   : std::string()) +
                form};
}

ReportFigure slowestFigure(const ReportInput& input)
{
    const std::string name = "Slowest rank";
    if (!input.facts.slowest)
        return {name, "–", "nothing to compare with"};
    const SlowestRank& slowest = *input.facts.slowest;
    const bool straggles = slowest.excess >= stragglerExcess;
    std::string meaning = straggles ? "over the mean of all" : "no straggler";
    if (slowest.againstStage)
        meaning = straggles ? "over the mean of its stage" : "no straggler in its stage";
    return {name, rankText(slowest.rank) + " · +" + fixedText(100 * slowest.excess, 0) + "\u202f%",
            meaning};
}

ReportFigure memoryFigure(const ReportInput& input)
{
    const std::string name = "Memory";
    if (input.facts.memory.empty())
        return {name, "–", "no samples"};
    const auto fullest = std::max_element(
        input.facts.memory.begin(), input.facts.memory.end(),
        [](const RankMemory& a, const RankMemory& b) { return a.peakTotal < b.peakTotal; });
    std::int64_t sum = 0;
    for (const RankMemory& memory : input.facts.memory)
        sum += memory.peakTotal;
    return {name, units::bytes(fullest->peakTotal),
            filled("peak, rank %1; %2 on all",
                   {std::to_string(fullest->rank.value), units::bytes(sum)})};
}

std::string titleOf(const RunPlan& plan)
{
    std::string name = plan.label.empty() ? plan.model.name : plan.label;
    if (name.empty())
        name = "Training run";
    return name + " · " + axesText(plan.layout);
}

} // namespace

void setHeader(ReportDocument& report, const ReportInput& input)
{
    const RunEnvironment& environment = input.environment;
    std::string where = environment.id;
    const auto add = [&where](const std::string& text) {
        where += (where.empty() ? "" : " · ") + text;
    };
    if (!environment.startedUtc.empty())
        add(filled("started %1", {environment.startedUtc}));
    if (!input.status.endedUtc.empty())
        add(filled("ended %1", {input.status.endedUtc}));
    if (!environment.host.empty())
        add(filled("on %1", {environment.host}));
    report.title = titleOf(input.plan);

    report.dateUtc = environment.startedUtc;
    report.subtitle = {filled("%1, %2, schedule %3. All figures are measured unless they "
                              "say otherwise.",
                              {toText(input.plan.layout),
                               countedText("%n ranks", "%n rank", input.plan.layout.ranks()),
                               scheduleTitle(input.plan.training.schedule)}),
                       where};
}

void addFailure(ReportSections& sections, const ReportInput& input)
{
    const RunStatus& status = input.status;
    if (status.state != RunState::Failed)
        return;
    ReportSection section{status.failedRank ? filled("The run failed on rank %1",
                                                     {std::to_string(status.failedRank->value)})
                                            : "The run failed",
                          {}};
    section.alarm = true;
    section.blocks.emplace_back(ReportParagraph{
        status.reason.empty() ? "No reason was recorded. See stderr.log in the run's directory."
                              : status.reason});
    sections.push_back(std::move(section));
}

void addFigures(ReportSections& sections, const ReportInput& input)
{
    ReportSection section;
    section.blocks.emplace_back(
        ReportFigures{{stateFigure(input), lossFigure(input), speedFigure(input), timeFigure(input),
                       bubbleFigure(input), slowestFigure(input), memoryFigure(input)}});
    sections.push_back(std::move(section));
}

} // namespace triaxis

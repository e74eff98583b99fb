#include "engine/core/units.h"
#include "engine/formats/html_report_sections.h"
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

struct Figure
{
    std::string name;
    std::string value;
    std::string meaning;
};

Figure stateFigure(const ReportInput& input)
{
    const std::int64_t done =
        std::max(input.status.lastStep,
                 input.facts.steps.empty() ? 0 : std::int64_t(input.facts.steps.back().step));
    return {"State", toText(input.status.state),
            "step " + std::to_string(done) + " of " + std::to_string(input.plan.training.steps)};
}

Figure lossFigure(const ReportInput& input)
{
    const double best = input.plan.data.bestLoss;
    std::string meaning = unitOfLoss(input.plan);
    if (best >= 0)
        meaning += ", best reachable " + figureText(best);
    return {"Loss", figureText(input.facts.finalLoss), meaning};
}

Figure speedFigure(const ReportInput& input)
{
    return {"Tokens / s", units::count(input.facts.tokensPerSecond),
            std::isfinite(input.facts.flopsPerSecond)
                ? units::flopsPerSecond(input.facts.flopsPerSecond) + " of model arithmetic"
                : "no step timed"};
}

Figure timeFigure(const ReportInput& input)
{
    return {"Step time", units::seconds(input.facts.stepSeconds),
            input.facts.steps.size() > 1
                ? "median of " + std::to_string(input.facts.steps.size() - 1) + ", first left out"
                : std::to_string(input.facts.steps.size()) + " steps"};
}

std::string percentText(double fraction)
{
    return std::isfinite(fraction) ? fixedText(100 * fraction, 1) + "\u202f%" : "–";
}

Figure bubbleFigure(const ReportInput& input)
{
    const RunBubble& bubble = input.facts.bubble;
    const double closed = closedBubble(bubble.form);
    const std::size_t steps = bubble.kept.steps;
    return {"Bubble", percentText(bubble.kept.bubble),
            (steps > 1 ? "mean of " + std::to_string(steps) + " steps, " : std::string()) +
                (std::isfinite(closed) ? "closed form " + percentText(closed) : "no closed form")};
}

Figure slowestFigure(const ReportInput& input)
{
    if (!input.facts.slowest)
        return {"Slowest rank", "–", "nothing to compare with"};
    const SlowestRank& slowest = *input.facts.slowest;
    const std::string excess = fixedText(100 * slowest.excess, 0);
    std::string meaning =
        slowest.againstStage ? "over the mean of its stage" : "over the mean of all";
    if (slowest.excess < stragglerExcess)
        meaning = slowest.againstStage ? "no straggler in its stage" : "no straggler";
    return {"Slowest rank",
            "rank " + std::to_string(slowest.rank.value) + " · +" + excess + "\u202f%", meaning};
}

Figure memoryFigure(const ReportInput& input)
{
    if (input.facts.memory.empty())
        return {"Memory", "–", "no samples"};
    const auto fullest = std::max_element(
        input.facts.memory.begin(), input.facts.memory.end(),
        [](const RankMemory& a, const RankMemory& b) { return a.peakTotal < b.peakTotal; });
    std::int64_t sum = 0;
    for (const RankMemory& memory : input.facts.memory)
        sum += memory.peakTotal;
    return {"Memory", units::bytes(fullest->peakTotal),
            "peak, rank " + std::to_string(fullest->rank.value) + "; " + units::bytes(sum) +
                " on all"};
}

std::string html(const Figure& figure)
{
    return "<div><dt>" + escapedXml(figure.name) + "</dt><dd>" + escapedXml(figure.value) +
           "</dd><dd>" + escapedXml(figure.meaning) + "</dd></div>\n";
}

} // namespace

std::string figureText(double value, int decimals)
{
    return std::isfinite(value) ? fixedText(value, decimals) : "–";
}

std::string axesText(const Layout& layout)
{
    return std::to_string(layout.dp) + " × " + std::to_string(layout.tp) + " × " +
           std::to_string(layout.pp);
}

std::string reportTitle(const RunPlan& plan)
{
    std::string name = plan.label.empty() ? plan.model.name : plan.label;
    if (name.empty())
        name = "Training run";
    return name + " · " + axesText(plan.layout);
}

std::string panel(const std::string& title, const std::string& remark, const std::string& body)
{
    return "<section class=\"panel\"><div class=\"head\"><h2>" + escapedXml(title) + "</h2><span>" +
           escapedXml(remark) + "</span></div>\n" + body + "</section>\n";
}

std::string paragraph(const std::string& text, const char* kind)
{
    return (kind ? "<p class=\"" + std::string(kind) + "\">" : "<p>") + escapedXml(text) + "</p>\n";
}

std::string headerSection(const ReportInput& input)
{
    const RunEnvironment& environment = input.environment;
    std::string where = environment.id;
    const auto add = [&where](const std::string& text) {
        if (!text.empty())
            where += (where.empty() ? "" : " · ") + text;
    };
    if (!environment.startedUtc.empty())
        add("started " + environment.startedUtc);
    if (!input.status.endedUtc.empty())
        add("ended " + input.status.endedUtc);
    if (!environment.host.empty())
        add("on " + environment.host);
    return "<header><h1>" + escapedXml(reportTitle(input.plan)) + "</h1>" +
           paragraph(toText(input.plan.layout) + ", " + std::to_string(input.plan.layout.ranks()) +
                     (input.plan.layout.ranks() == 1 ? " rank" : " ranks") + ", schedule " +
                     scheduleTitle(input.plan.training.schedule) + ". All figures are measured" +
                     " unless they say otherwise.") +
           paragraph(where) + "</header>\n";
}

std::string failureSection(const ReportInput& input)
{
    const RunStatus& status = input.status;
    if (status.state != RunState::Failed)
        return {};
    std::string title = "The run failed";
    if (status.failedRank)
        title += " on rank " + std::to_string(status.failedRank->value);
    const std::string reason =
        status.reason.empty() ? "No reason was recorded. See stderr.log in the run's directory."
                              : status.reason;
    return "<section class=\"panel alarm\" role=\"alert\"><h2>" + escapedXml(title) + "</h2>" +
           paragraph(reason) + "</section>\n";
}

std::string figuresSection(const ReportInput& input)
{
    std::string body = "<dl class=\"figures\" style=\"margin:0\">\n";
    for (const Figure& figure :
         {stateFigure(input), lossFigure(input), speedFigure(input), timeFigure(input),
          bubbleFigure(input), slowestFigure(input), memoryFigure(input)})
        body += html(figure);
    return "<section class=\"panel\">" + body + "</dl></section>\n";
}

} // namespace triaxis

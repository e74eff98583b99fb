#include "engine/core/units.h"
#include "engine/formats/glossary.h"
#include "engine/formats/run_report_sections.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr std::size_t mostLogLines = 50;

std::string clockText(const ReportInput& input)
{
    if (input.plan.layout.ranks() == 1)
        return "One rank, one clock.";
    if (!(input.records.clockError > 0) || !std::isfinite(input.records.clockError))
        return "All ranks are shown on rank 0's clock; how well they agree "
               "was not recorded.";
    if (isOneClock(input.records.clockError))
        return "All ranks share the clock of one host.";
    return filled("All ranks are shown on rank 0's clock; the worst error is "
                  "±%1. What is shorter than this may lie before or after "
                  "its neighbour on another rank.",
                  {units::seconds(input.records.clockError)});
}

std::string spanText(const ReportInput& input)
{
    const ExecutionPlan& execution = input.plan.execution;
    std::string text =
        filled("%1 spans of %2 steps.", {units::count(double(input.records.all.spans.size())),
                                         units::count(double(input.facts.stepsWithSpans))});
    if (input.records.all.droppedSpans > 0)
        text += " " +
                filled("%1 spans were thinned away: the first and last %2 steps "
                       "are kept whole, and every %3th between.",
                       {units::count(double(input.records.all.droppedSpans)),
                        std::to_string(execution.wholeSteps), std::to_string(execution.everyStep)});
    else
        text += " None was thinned away.";
    if (input.records.all.tornBytes > 0)
        text += " " + filled("%1 at the end of record files were torn and are left "
                             "out.",
                             {units::bytes(input.records.all.tornBytes)});
    return text;
}

std::string steadyText(const ReportInput& input)
{
    if (input.facts.bubble.step < 0)
        return "No step has spans.";
    return filled("Step %1: of the steps whose spans are whole, without the "
                  "first, the one of median duration. The timeline, the "
                  "bubble and the slowest rank are of this step.",
                  {std::to_string(input.facts.bubble.step)});
}

std::string lineOf(const LogRecord& log)
{
    const std::string level = log.level == LogLevel::Error ? "error" : "warning";
    return units::seconds(log.time) + "  " + rankText(log.rank) + "  " + level + "  " + log.text +
           "\n";
}

std::string lineOf(const FaultRecord& fault)
{
    return units::seconds(fault.time) + "  " + rankText(fault.rank) + "  " +
           filled("gave up in step %1, %2: %3",
                  {std::to_string(fault.step), toText(fault.id), fault.reason}) +
           "\n";
}

} // namespace

void addLog(ReportSections& sections, const ReportInput& input)
{
    std::string lines;
    for (const FaultRecord& fault : input.records.all.faults)
        lines += lineOf(fault);
    std::vector<LogRecord> notable;
    std::copy_if(input.records.all.logs.begin(), input.records.all.logs.end(),
                 std::back_inserter(notable),
                 [](const LogRecord& log) { return log.level != LogLevel::Info; });
    std::stable_sort(notable.begin(), notable.end(),
                     [](const LogRecord& a, const LogRecord& b) { return a.time < b.time; });
    const std::size_t first = notable.size() > mostLogLines ? notable.size() - mostLogLines : 0;
    for (std::size_t i = first; i < notable.size(); ++i)
        lines += lineOf(notable[i]);
    if (lines.empty())
        return;
    ReportSection section{"Warnings and errors",
                          first > 0 ? filled("last %1 of %2", {std::to_string(mostLogLines),
                                                               std::to_string(notable.size())})
                                    : "time since the start"};
    section.blocks.emplace_back(ReportLines{lines});
    sections.push_back(std::move(section));
}

void addMethod(ReportSections& sections, const ReportInput& input)
{
    ReportTerms terms;
    const auto add = [&terms](const std::string& term, const std::string& meaning) {
        terms.terms.emplace_back(term, meaning);
    };
    add("Steady step", steadyText(input));
    for (const char* id : {"wait-and-transfer", "bubble", "step-time", "tokens-per-second",
                           "model-work", "slowest-rank", "memory", "loss"})
        terms.terms.push_back(definedTerm(id));
    add("Spans", spanText(input));
    add("Clocks", clockText(input));
    for (const char* id : {"units", "timeline-picture"})
        terms.terms.push_back(definedTerm(id));
    ReportSection section{"How each figure was made", ""};
    section.blocks.emplace_back(std::move(terms));
    sections.push_back(std::move(section));
}

} // namespace triaxis

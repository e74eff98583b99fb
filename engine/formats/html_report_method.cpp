#include "engine/core/units.h"
#include "engine/formats/html_report_sections.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr std::size_t mostLogLines = 50;

std::string entry(const std::string& name, const std::string& text)
{
    return "<dt>" + escapedXml(name) + "</dt><dd>" + escapedXml(text) + "</dd>\n";
}

std::string clockText(const ReportInput& input)
{
    if (input.plan.layout.ranks() == 1)
        return "One rank, one clock.";
    if (!(input.records.clockError > 0) || !std::isfinite(input.records.clockError))
        return "All ranks are shown on rank 0's clock; how well they agree was not recorded.";
    if (isOneClock(input.records.clockError))
        return "All ranks share the clock of one host.";
    return "All ranks are shown on rank 0's clock; the worst error is ±" +
           units::seconds(input.records.clockError) +
           ". What is shorter than this may lie before or after its neighbour on another rank.";
}

std::string spanText(const ReportInput& input)
{
    const ExecutionPlan& execution = input.plan.execution;
    std::string text = units::count(double(input.records.all.spans.size())) + " spans of " +
                       units::count(double(input.facts.stepsWithSpans)) + " steps.";
    if (input.records.all.droppedSpans > 0)
        text += " " + units::count(double(input.records.all.droppedSpans)) +
                " spans were thinned away: the first and last " +
                std::to_string(execution.wholeSteps) + " steps are kept whole, and every " +
                std::to_string(execution.everyStep) + "th between.";
    else
        text += " None was thinned away.";
    if (input.records.all.tornBytes > 0)
        text += " " + units::bytes(input.records.all.tornBytes) +
                " at the end of record files were torn and are left out.";
    return text;
}

std::string steadyText(const ReportInput& input)
{
    if (input.facts.bubble.step < 0)
        return "No step has spans.";
    return "Step " + std::to_string(input.facts.bubble.step) +
           ": of the steps whose spans are whole, without the first, the one of median duration. "
           "The "
           "timeline, the bubble and the slowest rank are of this step.";
}

std::string lineOf(const LogRecord& log)
{
    const char* level = log.level == LogLevel::Error ? "error  " : "warning";
    return units::seconds(log.time) + "  rank " + std::to_string(log.rank.value) + "  " + level +
           "  " + log.text + "\n";
}

std::string lineOf(const FaultRecord& fault)
{
    return units::seconds(fault.time) + "  rank " + std::to_string(fault.rank.value) +
           "  gave up  step " + std::to_string(fault.step) + ", " + toText(fault.id) + ": " +
           fault.reason + "\n";
}

} // namespace

std::string logSection(const ReportInput& input)
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
        return {};
    const std::string remark =
        first > 0 ? "last " + std::to_string(mostLogLines) + " of " + std::to_string(notable.size())
                  : "time since the start";
    return panel("Warnings and errors", remark, "<pre>" + escapedXml(lines) + "</pre>\n");
}

std::string methodSection(const ReportInput& input)
{
    std::string body = "<dl class=\"how\" style=\"margin:0\">\n";
    body += entry("Steady step", steadyText(input));
    body += entry("Wait and transfer", "A transfer or collective begins when the last of its "
                                       "partners is ready; what a rank waits before that is "
                                       "waiting, what follows is transfer. A receive is ready when "
                                       "its consumer starts to wait for it.");
    body += entry("Bubble", "Idle time of a rank's compute lane from the begin of the step to the "
                            "end of the last forward or backward of "
                            "its replica, as a share of that time; mean over the ranks of a stage. "
                            "Warm-up lies before a rank's first "
                            "compute span, cool-down after its last; between them idle time counts "
                            "as waiting for a peer or as exposed "
                            "transfer where a transfer explains it. The tail (gradient reduction, "
                            "norm, optimizer, loss) follows and does "
                            "not count. Time in tensor collectives is neither busy nor idle.");
    body += entry("Step time and tokens / s",
                  "Median over the steps, measured on rank 0, the first step left out. Model "
                  "arithmetic counts forward and "
                  "backward once (no recomputation), causal attention half.");
    body += entry("Slowest rank", "Most compute time in the steady step, without tensor "
                                  "collectives, against the mean of the ranks of its "
                                  "stage, or of all ranks where a stage has one.");
    body += entry("Memory", "Live bytes as the rank's allocator counts them, highest of all steps. "
                            "What libraries allocate by "
                            "themselves is not in it.");
    body +=
        entry("Loss",
              "Mean over the tokens of the global batch, in nats, before the update of the step.");
    body += entry("Spans", spanText(input));
    body += entry("Clocks", clockText(input));
    body += entry("Timeline picture",
                  "Where spans are narrower than a pixel, each pixel takes the category that is "
                  "owed most, idle included: "
                  "painted shares are right within 0.1 points of the picture's width.");
    return panel("How each figure was made", "", body + "</dl>\n");
}

} // namespace triaxis

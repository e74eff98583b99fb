#include "engine/core/units.h"
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
    add("Wait and transfer", "A transfer or collective begins when the last of its partners is "
                             "ready; what a rank waits before that is waiting, what follows is "
                             "transfer. A receive is ready when its consumer starts to wait for "
                             "it.");
    add("Bubble", "Idle time of a rank's compute lane from the begin of the step to "
                  "the end of the last forward or backward of its replica, as a share "
                  "of that time; mean over the ranks of a stage. Warm-up lies before a "
                  "rank's first compute span, cool-down after its last; between them "
                  "idle time counts as waiting for a peer or as exposed transfer where "
                  "a transfer explains it. The tail (gradient reduction, norm, "
                  "optimizer, loss) follows and does not count. Time in tensor "
                  "collectives is neither busy nor idle.");
    add("Step time and tokens / s",
        "Median over the steps, measured on rank 0, the first step left out. "
        "Model arithmetic counts forward and backward once (no "
        "recomputation), causal attention half.");
    add("Slowest rank", "Most compute time in the steady step, without tensor collectives, "
                        "against the mean of the ranks of its stage, or of all ranks where a "
                        "stage has one.");
    add("Memory", "Live bytes as the rank's allocator counts them, highest of all "
                  "steps. What libraries allocate by themselves is not in it.");
    add("Loss", "Mean over the tokens of the global batch, in nats, before the "
                "update of the step.");
    add("Spans", spanText(input));
    add("Clocks", clockText(input));
    add("Units", "s, ms and µs are seconds; KiB, MiB and GiB are powers of 1,024 "
                 "bytes, GB/s is 10⁹ bytes a second; a nat is 1.443 bits. Tables as "
                 "CSV are in seconds, bytes and shares of 1.");
    add("Timeline picture", "Where spans are narrower than a pixel, each pixel takes the "
                            "category that is owed most, idle included: painted shares are right "
                            "within 0.1 points of the picture's width.");
    ReportSection section{"How each figure was made", ""};
    section.blocks.emplace_back(std::move(terms));
    sections.push_back(std::move(section));
}

} // namespace triaxis

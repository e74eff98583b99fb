#include "ui/run/run_log.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/base/count_text.h"
#include "ui/base/language.h"

#include <algorithm>

namespace triaxis::ui
{
namespace
{

LogPanel::Line lineOf(const StepResult& result)
{
    LogPanel::Line line;
    line.time = result.begin + result.seconds;
    line.rank = 0;
    const double rate = result.seconds > 0 ? double(result.tokens) / result.seconds : 0;
    line.text = Words::tr("step %1  loss %2  gradient norm %3  %4  %5 tokens/s")
                    .arg(result.step)
                    .arg(lossText(result.loss), spoken(QString::number(result.gradientNorm, 'g', 4)),
                         spoken(units::seconds(result.seconds)), countText(rate));
    return line;
}

LogPanel::Line lineOf(const FaultRecord& fault)
{
    LogPanel::Line line;
    line.time = fault.time;
    line.rank = fault.rank.value;
    line.level = LogLevel::Error;
    line.text = Words::tr("gave up in step %1: %2").arg(fault.step).arg(spoken(fault.reason));
    return line;
}

LogPanel::Line lineOf(const RunStatus& status)
{
    LogPanel::Line line;
    line.time = -1;
    line.level = status.state == RunState::Failed ? LogLevel::Error : LogLevel::Info;
    line.text = spoken(toText(status.state));
    if (!status.reason.empty())
        line.text += QStringLiteral(": ") + spoken(status.reason);
    return line;
}

LogPanel::Line lineOf(const HelloRecord& hello)
{
    LogPanel::Line line;
    line.time = 0;
    line.rank = hello.rank.value;
    line.text = Words::tr("on %1, process %2, %3, %4")
                    .arg(toQString(hello.host))
                    .arg(hello.pid)
                    .arg(toQString(hello.device), toQString(hello.blas));
    return line;
}

} // namespace

std::vector<LogPanel::Line> logLines(const RunPlan& plan, const RunUpdate& update)
{
    std::vector<LogPanel::Line> timed;
    for (const HelloRecord& hello : update.hellos) {
        if (hello.rank.value < plan.layout.ranks())
            timed.push_back(lineOf(hello));
    }
    for (const StepResult& result : update.steps)
        timed.push_back(lineOf(result));
    for (const LogRecord& record : update.logs) {
        LogPanel::Line line;
        line.time = record.time;
        line.rank = record.rank.value;
        line.level = record.level;
        line.text = spoken(record.text);
        timed.push_back(line);
    }
    for (const FaultRecord& fault : update.faults)
        timed.push_back(lineOf(fault));
    std::stable_sort(timed.begin(), timed.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    for (const std::string& text : update.errorLines) {
        LogPanel::Line line;
        line.time = -1;
        line.level = LogLevel::Warning;
        line.text = toQString(text);
        timed.push_back(line);
    }
    if (!update.status)
        return timed;
    // A final state comes after everything that led to it, any other one before what follows from it.
    if (isFinal(update.status->state))
        timed.push_back(lineOf(*update.status));
    else
        timed.insert(timed.begin(), lineOf(*update.status));
    return timed;
}

} // namespace triaxis::ui

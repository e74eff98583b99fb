#include "app/cli/self_check.h"

#include "app/cli/commands.h"
#include "app/cli/run_session.h"
#include "engine/core/error.h"
#include "engine/record/parity.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace triaxis::cli
{
namespace
{

constexpr std::int64_t checkedSteps = 3;

Layout parseReference(const std::string& text)
{
    Layout layout;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%dx%dx%d%c", &layout.dp, &layout.tp, &layout.pp, &rest) != 3)
        throw Error("cannot read --check-against", "'" + text + "'",
                    "give data x tensor x pipeline sizes, such as 1x1x1");
    return layout;
}

RunDirectory runPart(RunPlan plan, const std::string& label, bool json)
{
    plan.label = label;
    plan.training.steps = std::min(plan.training.steps, checkedSteps);
    plan.execution.saveGradients = true;
    RunDirectory run = makeRun(triaxisHome(), plan);
    if (!json)
        std::printf("%s: %s\n", label.c_str(), toText(plan.layout).c_str());
    std::fflush(stdout);
    const RunStatus status = runToEnd(run, *makeQuietPrinter());
    if (status.state != RunState::Finished)
        throw Error("cannot finish the self-check", label + " (run " + run.id() + ")", status.reason);
    return run;
}

void printJson(const ParityReport& report, const RunDirectory& run, const RunDirectory& reference)
{
    for (const LossParity& p : report.losses) {
        const nlohmann::ordered_json line{{"check", "step"}, {"step", p.step}, {"loss_error", p.lossError},
                                          {"loss_bound", p.lossBound}, {"norm_error", p.normError},
                                          {"norm_bound", p.normBound}, {"within", p.within()}};
        std::printf("%s\n", line.dump().c_str());
    }
    for (const TensorParity& p : report.tensors) {
        const nlohmann::ordered_json line{{"check", "gradient"}, {"tensor", p.name}, {"error", p.error},
                                          {"bound", p.bound}, {"shuffled", p.shuffled}, {"within", p.within()}};
        std::printf("%s\n", line.dump().c_str());
    }
    const nlohmann::ordered_json last{{"check", "result"}, {"within", report.within()}, {"run", run.id()},
                                      {"reference", reference.id()}};
    std::printf("%s\n", last.dump().c_str());
}

const char* mark(bool within)
{
    return within ? "ok" : "TOO LARGE";
}

void printTable(const ParityReport& report)
{
    std::printf("\n%6s  %12s  %12s  %10s  %10s  %10s  %10s\n", "step", "loss", "reference", "error", "bound",
                "norm error", "bound");
    for (const LossParity& p : report.losses)
        std::printf("%6d  %12.8f  %12.8f  %10.1e  %10.1e  %10.1e  %10.1e  %s\n", p.step, p.loss, p.referenceLoss,
                    p.lossError, p.lossBound, p.normError, p.normBound, mark(p.within()));
    std::printf("\nGradients of step 1, relative error against the reference; 'rolled' is the same against the reference\n"
                "shifted by one element, to show that the comparison would notice.\n");
    std::size_t width = 6;
    for (const TensorParity& p : report.tensors)
        width = std::max(width, p.name.size());
    std::printf("%-*s  %10s  %10s  %10s\n", int(width), "tensor", "error", "bound", "rolled");
    for (const TensorParity& p : report.tensors)
        std::printf("%-*s  %10.1e  %10.1e  %10.1e  %s\n", int(width), p.name.c_str(), p.error, p.bound, p.shuffled,
                    mark(p.within()));
}

/// The reference computes the same whatever its schedule: one that does not fit its layout gives way to 1F1B.
void simplifySchedule(RunPlan& reference)
{
    try {
        if (reference.layout.virtualStages == 1 && reference.training.scheduleCsv.empty()) {
            generate(scheduleRequest(reference));
            return;
        }
    } catch (const Error&) {
        // It does not exist for the layout.
    }
    reference.training.schedule = "1f1b";
    reference.training.scheduleCsv.clear();
    reference.training.microbatchGroup = 0;
    reference.layout.virtualStages = 1;
    reference.execution.pace = {};
}

} // namespace

int checkAgainst(const RunPlan& plan, const std::string& referenceText, bool json)
{
    RunPlan reference = plan;
    reference.layout = parseReference(referenceText);
    simplifySchedule(reference);
    if (!reportDiagnostics(reference))
        return BadUsage;
    const RunDirectory run = runPart(plan, "self-check", json);
    const RunDirectory other = runPart(reference, "self-check reference", json);
    const ParityReport report = compareRuns(run, other);
    if (json) {
        printJson(report, run, other);
    } else {
        printTable(report);
        const auto worst = std::max_element(
            report.tensors.begin(), report.tensors.end(),
            [](const TensorParity& a, const TensorParity& b) { return a.error / a.bound < b.error / b.bound; });
        if (worst != report.tensors.end())
            std::printf("\n%s: the worst gradient, %s, is at %.0f %% of its bound.\n",
                        report.within() ? "The layouts agree" : "The layouts differ", worst->name.c_str(),
                        100 * worst->error / worst->bound);
    }
    return report.within() ? Success : RunFailed;
}

} // namespace triaxis::cli

#include "app/cli/commands.h"
#include "app/cli/export_file.h"
#include "app/cli/run_session.h"
#include "engine/formats/exports.h"
#include "engine/data/complete_data.h"
#include "engine/record/demo_plan.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <ostream>

namespace triaxis::cli
{
namespace
{

int demo(const std::string& output, std::int64_t steps)
{
    RunPlan plan = demoPlan();
    if (steps > 0)
        plan.training.steps = steps;
    if (!reportDiagnostics(plan))
        return BadUsage;
    completeData(plan);
    RunDirectory run = makeRun(triaxisHome(), plan);
    const RunStatus status = runToEnd(run, *makeTablePrinter());
    const std::filesystem::path report = output.empty() ? run.path() / "report.html" : std::filesystem::path(output);
    writeFile(report, [&](std::ostream& out) {
        out << htmlReport(run.plan(), run.environment(), run.status(), readRun(run));
    });
    std::printf("report: %s\n", std::filesystem::absolute(report).c_str());
    return exitCodeOf(status);
}

} // namespace

void addDemoCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand("demo", "Train a small model on 8 ranks for about a minute and write a report");
    const auto output = std::make_shared<std::string>();
    const auto steps = std::make_shared<std::int64_t>(0);
    command->add_option("-o,--output", *output, "Report file (default: in the run directory)");
    command->add_option("--steps", *steps, "Another number of steps")->check(CLI::PositiveNumber);
    command->callback([output, steps, &exitCode] { exitCode = demo(*output, *steps); });
}

} // namespace triaxis::cli

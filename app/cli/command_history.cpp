#include "app/cli/commands.h"
#include "app/cli/run_json.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "storage/history.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace triaxis::cli
{
namespace
{

struct HistoryOptions
{
    std::string text;
    std::string state;
    std::string order = "started";
    int limit = 20;
    bool rebuild = false;
    bool json = false;
};

std::string orDash(double value, const std::string& text)
{
    return std::isfinite(value) && value > 0 ? text : "–";
}

/// At most, and at least, `width` characters of UTF-8, not bytes.
std::string column(const std::string& text, int width)
{
    std::string shown;
    int characters = 0;
    for (const char letter : text) {
        characters += (static_cast<unsigned char>(letter) & 0xc0) != 0x80;
        if (characters > width)
            break;
        shown += letter;
    }
    return shown + std::string(std::size_t(std::max(0, width - characters)), ' ');
}

void printRow(const RunSummary& run)
{
    char loss[32] = "         –";
    if (std::isfinite(run.finalLoss))
        std::snprintf(loss, sizeof loss, "%10.4f", run.finalLoss);
    std::printf("%-22s  %-9s  %s  %s  %s  %6lld  %s  %s  %s\n", run.id.c_str(), toText(run.state),
                column(run.model, 14).c_str(), column(run.layout, 8).c_str(), column(run.schedule, 12).c_str(),
                static_cast<long long>(run.steps), loss,
                column(orDash(run.stepSeconds, units::seconds(run.stepSeconds)), 9).c_str(), run.label.c_str());
}

int listRuns(const HistoryOptions& options)
{
    RunQuery query;
    query.text = options.text;
    query.limit = options.limit;
    query.orderBy = options.order;
    if (!options.state.empty()) {
        query.state = runStateFromText(options.state);
        if (!query.state)
            throw Error("cannot filter the history", "'" + options.state + "' is no state of a run",
                        "use starting, running, finished, failed or stopped");
    }
    History history(triaxisHome());
    const int found = history.refresh(options.rebuild);
    printNotes(history);
    if (options.rebuild && !options.json)
        std::printf("rebuilt from %d run directories\n", found);
    const std::vector<RunSummary> runs = history.runs(query);
    if (options.json) {
        for (const RunSummary& run : runs)
            std::printf("%s\n", summaryJson(run).dump().c_str());
        return Success;
    }
    if (runs.empty()) {
        std::printf("No run matches. Start one: triaxis demo, or triaxis run --help\n");
        return Success;
    }
    std::printf("%-22s  %-9s  %-14s  %-8s  %-12s  %6s  %10s  %-9s  %s\n", "run", "state", "model", "layout", "schedule",
                "steps", "loss", "step time", "label");
    for (const RunSummary& run : runs)
        printRow(run);
    const int total = history.count(query);
    if (total > int(runs.size()))
        std::printf("%d of %d runs; more with --limit\n", int(runs.size()), total);
    return Success;
}

} // namespace

void addHistoryCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand("history", "List the stored runs");
    const auto options = std::make_shared<HistoryOptions>();
    command->add_option("text", options->text, "Only runs with this in id, label, model, layout or schedule");
    command->add_option("--state", options->state, "Only runs in this state: running, finished, failed, stopped, …");
    command->add_option("--order", options->order, "started, loss, step_time, tokens_per_second or bubble")
        ->check(CLI::IsMember({"started", "loss", "step_time", "tokens_per_second", "bubble"}))
        ->capture_default_str();
    command->add_option("--limit", options->limit, "At most so many")->check(CLI::PositiveNumber)->capture_default_str();
    command->add_flag("--rebuild", options->rebuild, "Make the history anew from the run directories");
    command->add_flag("--json", options->json, "One JSON object a run");
    command->callback([options, &exitCode] { exitCode = listRuns(*options); });
}

} // namespace triaxis::cli

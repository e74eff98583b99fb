#include "app/cli/commands.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "storage/history.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace triaxis::cli
{
namespace
{

struct DeleteOptions
{
    std::vector<std::string> runs;
    bool forGood = false;
    bool all = false;
};

/// All are found before the first is touched.
std::vector<RunSummary> found(const History& history, const std::vector<std::string>& runs,
                              bool deleted)
{
    std::vector<RunSummary> all;
    for (const std::string& run : runs)
        all.push_back(history.run(run, deleted));
    return all;
}

int moveToTrash(History& history, const DeleteOptions& options)
{
    for (const RunSummary& run : found(history, options.runs, false)) {
        history.remove(run.id);
        std::printf("deleted %s; back with: triaxis restore %s\n", run.id.c_str(), run.id.c_str());
    }
    return Success;
}

int deleteForGood(History& history, const DeleteOptions& options)
{
    std::vector<RunSummary> runs = found(history, options.runs, true);
    if (options.all) {
        RunQuery query;
        query.deleted = true;
        query.limit = -1;
        runs = history.runs(query);
    }
    std::int64_t bytes = 0;
    for (const RunSummary& run : runs) {
        history.purge(run.id);
        bytes += run.bytes;
    }
    std::printf("deleted %zu runs of the trash for good: %s\n", runs.size(),
                units::bytes(bytes).c_str());
    return Success;
}

int deleteRuns(const DeleteOptions& options)
{
    if (options.runs.empty() && !options.all)
        throw CLI::RequiredError("runs");
    if (options.all && (!options.forGood || !options.runs.empty()))
        throw CLI::ValidationError("--all", "goes with --for-good, and without runs");
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    return options.forGood ? deleteForGood(history, options) : moveToTrash(history, options);
}

int restoreRuns(const std::vector<std::string>& ids)
{
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    for (const RunSummary& run : found(history, ids, true)) {
        history.restore(run.id);
        std::printf("restored %s\n", run.id.c_str());
    }
    return Success;
}

} // namespace

void addDeleteCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "delete", "Move stored runs to the trash, or delete those in the trash for good");
    const auto options = std::make_shared<DeleteOptions>();
    command->add_option("runs", options->runs, "Ids, beginnings of them, or 'last'");
    command->add_flag(
        "--for-good", options->forGood,
        "The named runs of the trash, see triaxis history --deleted; nothing brings them back");
    command->add_flag("--all", options->all, "With --for-good: empty the trash");
    command->callback([options, &exitCode] { exitCode = deleteRuns(*options); });
}

void addRestoreCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand("restore", "Take deleted runs back from the trash");
    const auto runs = std::make_shared<std::vector<std::string>>();
    command->add_option("runs", *runs, "Ids, beginnings of them, or 'last'")->required();
    command->callback([runs, &exitCode] { exitCode = restoreRuns(*runs); });
}

} // namespace triaxis::cli

#include "app/cli/commands.h"
#include "engine/core/units.h"
#include "storage/history.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace triaxis::cli
{
namespace
{

struct BundleOptions
{
    std::string run = "last";
    std::string output;
};

int bundleRun(const BundleOptions& options)
{
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    const RunSummary run = history.run(options.run);
    const std::string file = options.output.empty() ? run.id + ".triaxis-run" : options.output;
    history.exportRun(run.id, file);
    std::printf("wrote %s, %s\n", file.c_str(),
                units::bytes(std::int64_t(std::filesystem::file_size(file))).c_str());
    return Success;
}

const char* outcomeText(ImportOutcome outcome)
{
    switch (outcome) {
    case ImportOutcome::Imported:
    case ImportOutcome::Renamed:
        return "imported";
    case ImportOutcome::Known:
        return "kept";
    case ImportOutcome::Restored:
        return "restored";
    }
    return "";
}

int importRuns(const std::vector<std::string>& files)
{
    History history(triaxisHome());
    printNotes(history);
    for (const std::string& file : files) {
        const ImportedRun run = history.importRun(file);
        std::printf("%s %s%s%s\n", outcomeText(run.outcome), run.id.c_str(),
                    run.note.empty() ? "" : ": ", run.note.c_str());
    }
    return Success;
}

} // namespace

void addBundleCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "bundle", "Write a stored run to one file, for another machine or a colleague");
    const auto options = std::make_shared<BundleOptions>();
    command->add_option("run", options->run, "Id, the beginning of one, or 'last'")
        ->capture_default_str();
    command->add_option("-o,--output", options->output,
                        "The file; else RUN.triaxis-run in this folder");
    command->callback([options, &exitCode] { exitCode = bundleRun(*options); });
}

void addImportCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "import", "Take in runs from bundles: all is checked before anything is seen of them");
    const auto files = std::make_shared<std::vector<std::string>>();
    command->add_option("files", *files, "Files made by triaxis bundle")->required();
    command->callback([files, &exitCode] { exitCode = importRuns(*files); });
}

} // namespace triaxis::cli

#include "app/cli/commands.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>

namespace
{

constexpr const char* description =
    "Triaxis: draw how a language model is spread over GPUs along the data, tensor and pipeline "
    "axes,\n"
    "run it for real, watch the pipeline, and keep every run.\n\n"
    "First steps:  triaxis doctor    is this machine ready?\n"
    "              triaxis demo      a small real run with a report\n"
    "              triaxis gui       the window";

/// The first word if it names no command; the option parser would only say that one is missing.
const char* unknownCommand(const CLI::App& app, int argc, char** argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return nullptr;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (command->get_name() == argv[1])
            return nullptr;
    return argv[1];
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    CLI::App app{description, "triaxis"};
    app.set_version_flag("--version", "triaxis " TRIAXIS_VERSION);
    app.require_subcommand(1);
    app.failure_message([](const CLI::App* all, const CLI::Error& error) {
        const auto taken = all->get_subcommands();
        const std::string command = taken.empty() ? "" : taken.front()->get_name() + " ";
        return "triaxis: " + std::string(error.what()) + "; see triaxis " + command + "--help\n";
    });

    using namespace triaxis::cli;
    int exitCode = Success;
    addRunCommand(app, exitCode);
    addDemoCommand(app, exitCode);
    addSweepCommand(app, exitCode);
    addHistoryCommand(app, exitCode);
    addShowCommand(app, exitCode);
    addCompareCommand(app, exitCode);
    addEditCommand(app, exitCode);
    addDeleteCommand(app, exitCode);
    addRestoreCommand(app, exitCode);
    addBundleCommand(app, exitCode);
    addImportCommand(app, exitCode);
    addPruneCommand(app, exitCode);
    addExportCommand(app, exitCode);
    addScheduleCommand(app, exitCode);
    addSearchCommand(app, exitCode);
    addSimulateCommand(app, exitCode);
    addValidateCommand(app, exitCode);
    addDoctorCommand(app, exitCode);
    addCalibrateCommand(app, exitCode);
    addGuiCommand(app, exitCode);
    if (const char* word = unknownCommand(app, argc, argv)) {
        std::fprintf(stderr, "triaxis: there is no command '%s'; see triaxis --help\n", word);
        return BadUsage;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? Success : BadUsage;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "triaxis: %s\n", error.what());
        return RunFailed;
    }
    return exitCode;
}

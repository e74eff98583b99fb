#pragma once

namespace CLI
{
class App;
}

namespace triaxis
{
class History;
}

namespace triaxis::cli
{

/// Exit codes of the command line.
enum ExitCode : int {
    Success = 0,
    RunFailed = 1,   ///< the run, or whatever was asked for, failed; one line on standard error says why
    BadUsage = 2,    ///< wrong options, or a plan that cannot run
    Interrupted = 130
};

/// Each adds one subcommand; its callback stores the exit code.
void addRunCommand(CLI::App& app, int& exitCode);
void addDemoCommand(CLI::App& app, int& exitCode);
void addHistoryCommand(CLI::App& app, int& exitCode);
void addEditCommand(CLI::App& app, int& exitCode);
void addDeleteCommand(CLI::App& app, int& exitCode);
void addRestoreCommand(CLI::App& app, int& exitCode);
void addBundleCommand(CLI::App& app, int& exitCode);
void addImportCommand(CLI::App& app, int& exitCode);
void addPruneCommand(CLI::App& app, int& exitCode);
void addShowCommand(CLI::App& app, int& exitCode);
void addExportCommand(CLI::App& app, int& exitCode);
void addDoctorCommand(CLI::App& app, int& exitCode);
void addScheduleCommand(CLI::App& app, int& exitCode);
void addSearchCommand(CLI::App& app, int& exitCode);
void addSimulateCommand(CLI::App& app, int& exitCode);
void addCalibrateCommand(CLI::App& app, int& exitCode);
void addValidateCommand(CLI::App& app, int& exitCode);
void addSweepCommand(CLI::App& app, int& exitCode);
void addCompareCommand(CLI::App& app, int& exitCode);
void addGuiCommand(CLI::App& app, int& exitCode);

/// Prints what the history has to say of itself (it was damaged, runs were skipped) on standard error.
void printNotes(History& history);

} // namespace triaxis::cli

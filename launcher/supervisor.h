#pragma once

#include "engine/record/records.h"
#include "engine/record/run_directory.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace triaxis
{

/// Where the programs of a build or an installation lie: beside the running executable.
struct ProgramPaths
{
    std::filesystem::path triaxis;
    std::filesystem::path rank;
    std::filesystem::path window;
};
ProgramPaths findPrograms();

/// Argument vector and environment of the mpirun that runs a plan. No shell anywhere.
struct LaunchCommand
{
    std::vector<std::string> arguments;    ///< arguments[0] is mpirun's path
    std::vector<std::string> environment;  ///< "NAME=value", complete
    std::filesystem::path input;           ///< standard input; empty: none
    bool tagged = false;                   ///< output comes with tags (engine/record/record_route.h)
};
/// Root, oversubscription, binding, BLAS threads (never more than the cores) and MCA options handled.
/// Throws Error if there is no mpirun.
LaunchCommand launchCommand(const RunDirectory& run, const ProgramPaths& programs);

/// The same of a job on this machine that trains nothing: `ranks` ranks of `threads` threads, bound and given their threads as those
/// of a run would be. `arguments`: of the rank program.
LaunchCommand measuringCommand(int ranks, int threads, const std::vector<std::string>& arguments, const ProgramPaths& programs);

struct RunObserver
{
    std::function<void(const RunStatus&)> status;
    std::function<void(const RecordBatch&)> records;   ///< from all ranks, as they come
};

/// Runs the plan of `run` to its end: starts mpirun, follows the records, writes heartbeat and state, finds hangs, and ends
/// only when every rank is gone; what mpirun leaves behind is killed. Returns the final status. `stop` set, or the file
/// stopRequest(), ends the run as Stopped.
RunStatus superviseRun(RunDirectory& run, const ProgramPaths& programs, const RunObserver& observer,
                       const std::atomic<bool>& stop);

} // namespace triaxis

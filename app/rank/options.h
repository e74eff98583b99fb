#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace triaxis::rank
{

enum class Task {
    Run,     ///< take part in the run of a directory
    Devices, ///< print what this host has
    Probe    ///< measure this machine
};

struct Options
{
    Task task = Task::Run;
    std::filesystem::path directory; ///< of the run
};

/// Throws Error for anything but --run DIRECTORY, --devices or --probe.
Options parseOptions(const std::vector<std::string>& arguments);

} // namespace triaxis::rank

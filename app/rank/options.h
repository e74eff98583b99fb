#pragma once

#include "app/rank/calibrate.h"

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace triaxis::rank
{

enum class Task {
    Run,      ///< take part in the run of a directory
    Devices,  ///< print what this host has
    Probe,    ///< measure this machine in a second or two
    Calibrate ///< measure it thoroughly
};

struct Options
{
    Task task = Task::Run;
    std::filesystem::path directory; ///< of the run
    CalibrationPart part = CalibrationPart::Compute;
    bool quick = false;                                    ///< calibration: a coarse grid
    double most = std::numeric_limits<double>::infinity(); ///< calibration: seconds, about
};

/// Throws Error for anything but --run DIRECTORY, --devices, --probe or --calibrate
/// compute|messages|pace [--quick] [--seconds S].
Options parseOptions(const std::vector<std::string>& arguments);

} // namespace triaxis::rank

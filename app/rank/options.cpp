#include "app/rank/options.h"

#include "engine/core/error.h"

namespace triaxis::rank
{
namespace
{

/// --calibrate PART [--quick]; false for anything else.
bool takeCalibration(const std::vector<std::string>& arguments, Options& options)
{
    options.task = Task::Calibrate;
    options.quick = arguments.size() == 3 && arguments[2] == "--quick";
    if (arguments.size() != (options.quick ? 3U : 2U))
        return false;
    for (const CalibrationPart part : 
         {CalibrationPart::Compute, CalibrationPart::Messages, CalibrationPart::Pace})
        if (arguments[1] == toText(part)) {
            options.part = part;
            return true;
        }
    return false;
}

} // namespace

Options parseOptions(const std::vector<std::string>& arguments)
{
    Options options;
    if (arguments.size() == 2 && arguments[0] == "--run") {
        options.directory = arguments[1];
        return options;
    }
    if (arguments.size() == 1 && arguments[0] == "--devices") {
        options.task = Task::Devices;
        return options;
    }
    if (arguments.size() == 1 && arguments[0] == "--probe") {
        options.task = Task::Probe;
        return options;
    }
    if (arguments.size() >= 2 && arguments[0] == "--calibrate" && takeCalibration(arguments, options))
        return options;
    throw Error("cannot start the rank program",
                arguments.empty() ? "it has no arguments" : arguments[0],
                "triaxis starts it; by hand: triaxis-rank --run DIRECTORY | --devices | --probe | "
                "--calibrate compute|messages|pace [--quick]");
}

} // namespace triaxis::rank

#include "app/rank/options.h"

#include "engine/core/error.h"

#include <charconv>
#include <system_error>

namespace triaxis::rank
{
namespace
{

/// What stands behind the part: [--quick] [--seconds S].
bool takeLimits(const std::vector<std::string>& arguments, Options& options)
{
    for (std::size_t i = 2; i < arguments.size(); ++i) {
        if (arguments[i] == "--quick") {
            options.quick = true;
        } else if (arguments[i] == "--seconds" && i + 1 < arguments.size()) {
            const std::string& text = arguments[++i];
            const char* const end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, options.most);
            if (read.ec != std::errc() || read.ptr != end || !(options.most >= 0))
                return false;
        } else {
            return false;
        }
    }
    return true;
}

/// --calibrate PART [--quick] [--seconds S]; false for anything else.
bool takeCalibration(const std::vector<std::string>& arguments, Options& options)
{
    options.task = Task::Calibrate;
    for (const CalibrationPart part :
         {CalibrationPart::Compute, CalibrationPart::Messages, CalibrationPart::Pace})
        if (arguments[1] == toText(part)) {
            options.part = part;
            return takeLimits(arguments, options);
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
    if (arguments.size() >= 2 && arguments[0] == "--calibrate" &&
        takeCalibration(arguments, options))
        return options;
    throw Error("cannot start the rank program",
                arguments.empty() ? "it has no arguments" : arguments[0],
                "triaxis starts it; by hand: triaxis-rank --run DIRECTORY | --devices | --probe | "
                "--calibrate compute|messages|pace [--quick] [--seconds S]");
}

} // namespace triaxis::rank

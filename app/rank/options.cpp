#include "app/rank/options.h"

#include "engine/core/error.h"

namespace triaxis::rank
{

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
    throw Error("cannot start the rank program",
                arguments.empty() ? "it has no arguments" : arguments[0],
                "triaxis starts it; by hand: triaxis-rank --run DIRECTORY | --devices | --probe");
}

} // namespace triaxis::rank

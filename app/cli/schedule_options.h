#pragma once

#include "engine/record/run_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace triaxis::cli
{

/// What a person typed about the order of work in a pipeline, and about slots.
struct ScheduleOptions
{
    std::optional<std::string> schedule; ///< a name, or the path of a CSV file
    std::optional<int> virtualStages;
    std::optional<int> group;
    std::optional<double> memory; ///< of "auto": microbatches that a stage may hold at once
    std::optional<std::string> pace;
    std::vector<std::string> links;
};

/// Adds the options to `command`, grouped for --help.
void addScheduleOptions(CLI::App& command, ScheduleOptions& options);

/// Sets schedule and slots of a plan whose layout, model and batch are complete. What is filled in or changed on the way (chunks a
/// stage, halved microbatches) is said in the result, a sentence each. Throws Error.
std::vector<std::string> applySchedule(const ScheduleOptions& options, RunPlan& plan);

/// Whether a schedule is named by a file that is there.
bool namesScheduleFile(const std::string& path);

/// "20ms", "5us", "1.5s", a bare number in seconds. Throws Error for anything else.
double parseSeconds(const std::string& text);
/// "25GB/s", "900MB/s", "10Gbit/s", a bare number in bytes per second. Throws Error for anything else.
double parseBandwidth(const std::string& text);

} // namespace triaxis::cli

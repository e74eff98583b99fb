#include "app/cli/schedule_options.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/units.h"
#include "engine/schedule/schedule_csv.h"
#include "engine/search/auto_plan.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

namespace triaxis::cli
{
namespace
{

namespace fs = std::filesystem;

struct Unit
{
    const char* name;
    double factor;
};

/// A number with one of the units behind it; a bare number counts in the last unit.
std::optional<double> quantity(const std::string& text, const std::vector<Unit>& units)
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc() || !(value >= 0))
        return std::nullopt;
    const std::string unit(rest, end);
    for (const Unit& known : units)
        if (unit == known.name)
            return value * known.factor;
    return std::nullopt;
}

std::vector<std::string> parts(const std::string& text, char separator)
{
    std::vector<std::string> all;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        all.push_back(part);
    return all;
}

bool isKnown(const std::string& name)
{
    const std::vector<std::string> names = scheduleNames();
    return std::find(names.begin(), names.end(), name) != names.end();
}

void takeFile(const std::string& path, RunPlan& plan)
{
    const std::string text = readFile(path, 16 << 20, "cannot read the schedule");
    const ComputeProgram program = programFromCsv(text, "custom");
    plan.training.schedule = "custom";
    plan.training.scheduleCsv = text;
    plan.layout.virtualStages = program.chunks / program.replicas;
}

/// Chunks a stage where the person named none: what the schedule needs.
void chooseVirtualStages(const ScheduleInfo& info, RunPlan& plan, std::vector<std::string>& notes)
{
    if (info.name == "auto")
        return; // the search tries both
    int& chosen = plan.layout.virtualStages;
    const int before = chosen;
    if (chosen < info.minimumVirtual || (chosen == 1 && info.maximumVirtual > 1))
        chosen = std::max(2, info.minimumVirtual);
    chosen = std::min(chosen, info.maximumVirtual);
    if (chosen != before)
        notes.push_back(info.title + " works with " + std::to_string(chosen) +
                        (chosen == 1 ? " chunk a stage" : " chunks a stage"));
}

/// A stage of a bidirectional schedule holds two chunks, one of each direction; V counts those of one.
void countDirections(const ScheduleInfo& info, RunPlan& plan, std::vector<std::string>& notes)
{
    plan.layout.virtualStages = 1;
    notes.push_back("the two chunks a stage of " + info.title + " are its two directions");
}

/// Backward halving runs forwards on whole microbatches and backwards on halves of them.
void halveMicrobatches(RunPlan& plan, std::vector<std::string>& notes)
{
    int& size = plan.training.batch.microbatch;
    if (size % 2 != 0) {
        plan.training.schedule = "chimera";
        notes.push_back("backward halving needs microbatches of an even number of sequences, and they have " +
                        std::to_string(size) + ": running Chimera with direct concatenation");
        return;
    }
    size /= 2;
    notes.push_back("backward halving: forwards run on two microbatches of " + std::to_string(size) +
                    (size == 1 ? " sequence" : " sequences") + " in a row, backwards on one");
}

/// Searches the order for the plan's costs. A layout that cannot hold the model is left to the plan's findings.
void searchOrder(const ScheduleOptions& options, RunPlan& plan, std::vector<std::string>& notes)
{
    if (hasErrors(checkLayout(plan.layout, plan.model, plan.training.batch)))
        return;
    const AutoSchedule found = chooseSchedule(plan, options.memory.value_or(0));
    std::string note = "the order found takes " + units::percent(found.gap()) + " longer than any order must";
    if (!found.bestNamed.empty())
        note += ", and " + units::percent(1 - found.makespan / found.bestNamedMakespan) + " less than " +
                scheduleInfo(found.bestNamed).title + ", the best by name";
    notes.push_back(note);
}

/// One time, three (F, I, W), or a JSON file.
void applyPace(const std::string& text, PacePlan& pace)
{
    if (namesScheduleFile(text)) {
        const nlohmann::json json =
            parseJson(readFile(text, 1 << 20, "cannot read the slots"), "cannot read the slots", text);
        pace = pacePlanFromJson(JsonFields(json, "cannot read the slots", text));
        return;
    }
    const std::vector<std::string> times = parts(text, ',');
    if (times.size() != 1 && times.size() != 3)
        throw Error("cannot read --pace", "'" + text + "'",
                    "give the time of a forward (20ms), three for forward, backward for the input and backward for the "
                    "weights (20ms,22ms,18ms), or a JSON file");
    pace.forward = {parseSeconds(times[0])};
    pace.input = {times.size() == 3 ? parseSeconds(times[1]) : pace.forward[0]};
    pace.weight = {times.size() == 3 ? parseSeconds(times[2]) : pace.forward[0]};
}

/// "pipeline=5us,25GB/s".
void applyLink(const std::string& text, PacePlan& pace)
{
    const std::size_t equals = text.find('=');
    const std::string axis = text.substr(0, equals);
    const std::vector<std::string> values =
        parts(equals == std::string::npos ? "" : text.substr(equals + 1), ',');
    PacedLink* link = axis == "pipeline" ? &pace.pipeline
                      : axis == "tensor" ? &pace.tensor
                      : axis == "data"   ? &pace.data
                                         : nullptr;
    if (!link || values.empty() || values.size() > 2)
        throw Error("cannot read --link", "'" + text + "'",
                    "give pipeline, tensor or data with latency and bandwidth, such as pipeline=5us,25GB/s");
    link->latency = parseSeconds(values[0]);
    link->bandwidth = values.size() == 2 ? parseBandwidth(values[1]) : 0;
}

} // namespace

double parseSeconds(const std::string& text)
{
    const auto seconds =
        quantity(text, {{"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"ns", 1e-9}, {"s", 1}, {"", 1}});
    if (!seconds)
        throw Error("cannot read a time", "'" + text + "'", "give a number with us, ms or s, such as 20ms");
    return *seconds;
}

double parseBandwidth(const std::string& text)
{
    const auto bandwidth = quantity(text, {{"GB/s", 1e9},
                                           {"MB/s", 1e6},
                                           {"kB/s", 1e3},
                                           {"GiB/s", 1024.0 * 1024 * 1024},
                                           {"MiB/s", 1024.0 * 1024},
                                           {"Gbit/s", 1e9 / 8},
                                           {"Mbit/s", 1e6 / 8},
                                           {"B/s", 1},
                                           {"", 1}});
    if (!bandwidth)
        throw Error("cannot read a bandwidth", "'" + text + "'", "give a number with its unit, such as 25GB/s");
    return *bandwidth;
}

bool namesScheduleFile(const std::string& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

void addScheduleOptions(CLI::App& command, ScheduleOptions& o)
{
    std::string names;
    for (const std::string& name : scheduleNames())
        if (name != "custom")
            names += (names.empty() ? "" : ", ") + name;
    const char* layout = "Layout";
    command.add_option("--schedule", o.schedule,
                       "Pipeline schedule: " + names + ", or a CSV file (default 1f1b); see triaxis schedule")
        ->group(layout);
    command.add_option("--virtual", o.virtualStages, "Chunks a stage, for schedules that have them")->group(layout);
    command
        .add_option("--group", o.group,
                    "Interleaved: microbatches that a chunk takes before the next one (default: the smallest that idles least)")
        ->group(layout);
    command.add_option("--memory", o.memory, "Schedule auto: microbatches that a stage may hold at once (default: as 1f1b)")
        ->group(layout);

    const char* pace = "Pacing: real work in slots of a given length, so that a laptop shows a true pipeline";
    command
        .add_option("--pace", o.pace,
                    "Time of a stage's forward (20ms; a backward takes twice that), or of forward, backward for the input and for "
                    "the weights (20ms,22ms,18ms), or a JSON file with a table a stage")
        ->group(pace);
    command.add_option("--link", o.links, "AXIS=LATENCY[,BANDWIDTH] of pipeline, tensor or data, such as pipeline=5us,25GB/s; may be repeated")
        ->group(pace);
}

std::vector<std::string> applySchedule(const ScheduleOptions& options, RunPlan& plan)
{
    std::vector<std::string> notes;
    if (options.virtualStages)
        plan.layout.virtualStages = *options.virtualStages;
    if (options.group)
        plan.training.microbatchGroup = *options.group;
    if (options.schedule) {
        if (!isKnown(*options.schedule) && namesScheduleFile(*options.schedule))
            takeFile(*options.schedule, plan);
        else
            plan.training.schedule = *options.schedule;
        if (plan.training.schedule == "chimera-halving")
            halveMicrobatches(plan, notes);
        if (isKnown(*options.schedule)) {
            const ScheduleInfo& info = scheduleInfo(plan.training.schedule);
            if (!options.virtualStages)
                chooseVirtualStages(info, plan, notes);
            else if (info.replicas == 2 && plan.layout.virtualStages == 2 && info.maximumVirtual == 1)
                countDirections(info, plan, notes);
        }
    }
    if (options.pace)
        applyPace(*options.pace, plan.execution.pace);
    for (const std::string& link : options.links)
        applyLink(link, plan.execution.pace);
    if (!options.links.empty() && !plan.execution.pace.active())
        throw Error("cannot use --link", "the run is not paced", "give the slots, too: --pace 20ms");
    if (options.schedule == "auto")
        searchOrder(options, plan, notes);
    return notes;
}

} // namespace triaxis::cli

#include "app/cli/search_options.h"

#include "engine/core/error.h"

#include <CLI/CLI.hpp>
#include <limits>
#include <sstream>

namespace triaxis::cli
{
namespace
{

std::vector<std::string> split(const std::string& text)
{
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
        parts.push_back(part);
    return parts;
}

std::vector<int> sizes(const std::string& text, const std::string& option)
{
    std::vector<int> values;
    if (text.empty())
        return values;
    for (const std::int64_t value : parseSizes(text, option)) {
        if (value > std::numeric_limits<int>::max())
            throw Error("cannot read " + option, std::to_string(value), "use smaller sizes");
        values.push_back(static_cast<int>(value));
    }
    return values;
}

int oneSize(const std::string& text, const std::string& option)
{
    return sizes(text, option).at(0);
}

template <class Value>
Value oneOf(const std::vector<Value>& values, const std::string& text, const std::string& option)
{
    std::string known;
    for (const Value value : values) {
        if (text == toText(value))
            return value;
        known += (known.empty() ? "" : ", ") + std::string(toText(value));
    }
    throw Error("cannot read " + option, '"' + text + '"', "use one of " + known);
}

ZeroStage zeroOf(const std::string& text, const std::string& option)
{
    return oneOf<ZeroStage>(
        {ZeroStage::None, ZeroStage::Optimizer, ZeroStage::Gradients, ZeroStage::Parameters},
        text == "0" ? "none" : text, option);
}

Recompute recomputeOf(const std::string& text, const std::string& option)
{
    return oneOf<Recompute>({Recompute::None, Recompute::Selective, Recompute::Full}, text, option);
}

bool onOrOff(const std::string& text, const std::string& option)
{
    if (text == "on" || text == "off")
        return text == "on";
    throw Error("cannot read " + option, '"' + text + '"', "use on or off");
}

void setPart(ParallelPlan& plan, const std::string& name, const std::string& value, bool& dpGiven)
{
    const std::string option = "--explain " + name;
    if (name == "dp") {
        plan.dp = oneSize(value, option);
        dpGiven = true;
    } else if (name == "tp")
        plan.tp = oneSize(value, option);
    else if (name == "cp")
        plan.cp = oneSize(value, option);
    else if (name == "pp")
        plan.pp = oneSize(value, option);
    else if (name == "v" || name == "virtual")
        plan.virtualStages = oneSize(value, option);
    else if (name == "ep")
        plan.ep = oneSize(value, option);
    else if (name == "etp")
        plan.expertTp = oneSize(value, option);
    else if (name == "mb" || name == "microbatch")
        plan.microbatch = oneSize(value, option);
    else if (name == "schedule")
        plan.schedule = value;
    else if (name == "zero")
        plan.zero = zeroOf(value, option);
    else if (name == "recompute")
        plan.recompute = recomputeOf(value, option);
    else if (name == "sp")
        plan.sequenceParallel = onOrOff(value, option);
    else
        throw Error("cannot read --explain", '"' + name + '"',
                    "use dp, tp, cp, pp, v, ep, etp, mb, schedule, zero, recompute, sp");
}

} // namespace

PlanLimits limitsFrom(const SearchOptions& o)
{
    PlanLimits limits;
    limits.dp = sizes(o.dp, "--dp");
    limits.tp = sizes(o.tp, "--tp");
    limits.cp = sizes(o.cp, "--cp");
    limits.pp = sizes(o.pp, "--pp");
    limits.virtualStages = sizes(o.virtualStages, "--virtual");
    limits.ep = sizes(o.ep, "--ep");
    limits.expertTp = sizes(o.expertTp, "--expert-tp");
    limits.microbatch = sizes(o.microbatch, "--microbatch");
    limits.mostTp = o.mostTp;
    limits.mostCp = o.mostCp;
    limits.mostPp = o.mostPp;
    limits.schedules = split(o.schedules);
    for (const std::string& name : split(o.zero))
        limits.zero.push_back(zeroOf(name, "--zero"));
    for (const std::string& name : split(o.recompute))
        limits.recompute.push_back(recomputeOf(name, "--recompute"));
    if (!o.sequenceParallel.empty())
        limits.sequenceParallel = onOrOff(o.sequenceParallel, "--sequence-parallel");
    limits.memoryBytes = o.memoryGib * 1024 * 1024 * 1024;
    return limits;
}

ParallelPlan planFromText(const std::string& text, const TrainingJob& job)
{
    ParallelPlan plan;
    bool dpGiven = false;
    for (const std::string& part : split(text)) {
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos)
            throw Error("cannot read --explain", '"' + part + '"',
                        "write name=value with commas, such as tp=8,pp=4,mb=2");
        setPart(plan, part.substr(0, equals), part.substr(equals + 1), dpGiven);
    }
    const double others = static_cast<double>(plan.tp) * plan.cp * plan.pp;
    if (!dpGiven && others <= job.devices)
        plan.dp = job.devices / static_cast<int>(others);
    return plan;
}

void addSearchOptions(CLI::App& command, SearchOptions& o)
{
    addJobOptions(command, o.job, true);
    const char* space = "What the search may choose from (lists and doubling ranges; default: all)";
    command.add_option("--dp", o.dp, "Data-parallel sizes")->group(space);
    command.add_option("--tp", o.tp, "Tensor-parallel sizes")->group(space);
    command.add_option("--cp", o.cp, "Context-parallel sizes")->group(space);
    command.add_option("--pp", o.pp, "Pipeline stages")->group(space);
    command.add_option("--virtual", o.virtualStages, "Chunks a stage")->group(space);
    command.add_option("--ep", o.ep, "Expert-parallel sizes")->group(space);
    command.add_option("--expert-tp", o.expertTp, "Tensor-parallel sizes of experts")->group(space);
    command.add_option("--microbatch", o.microbatch, "Sequences a microbatch")->group(space);
    command.add_option("--max-tp", o.mostTp, "Largest tensor-parallel size")
        ->check(CLI::Range(1, 1 << 20))
        ->group(space);
    command.add_option("--max-cp", o.mostCp, "Largest context-parallel size")
        ->check(CLI::Range(1, 1 << 20))
        ->group(space);
    command.add_option("--max-pp", o.mostPp, "Most pipeline stages")
        ->check(CLI::Range(1, 1 << 20))
        ->group(space);
    command.add_option("--schedules", o.schedules, "Names with commas; see triaxis schedule")
        ->group(space);
    command.add_option("--zero", o.zero, "none, 1, 2, 3")->group(space);
    command.add_option("--recompute", o.recompute, "none, selective, full")->group(space);
    command.add_option("--sequence-parallel", o.sequenceParallel, "on or off")->group(space);
    command.add_option("--memory", o.memoryGib, "GiB a device may take (default: all it has)")
        ->check(CLI::Range(1e-3, 1e9))
        ->group(space);
    const char* asked = "What is asked";
    command.add_option("--top", o.top, "Layouts to show")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str()
        ->group(asked);
    command.add_option("--price", o.price, "Of one device for one hour")
        ->check(CLI::Range(0.0, 1e9))
        ->group(asked);
    command.add_flag("--pareto", o.front, "Also the front of time, memory and devices")
        ->group(asked);
    command
        .add_option("--explain", o.explain, "Why this layout loses: tp=8,pp=4,mb=2,schedule=1f1b,…")
        ->group(asked);
    auto* smallest =
        command.add_flag("--smallest-cluster", o.smallestCluster,
                         "The fewest devices that fit, up to the largest number of --devices");
    smallest->group(asked);
    command
        .add_flag("--best-batch", o.bestBatch,
                  "The batch of --batch with most tokens a second (a range, such as 64..4096)")
        ->excludes(smallest)
        ->group(asked);
    command.add_flag("--json", o.json, "One JSON object")->group(asked);
}

} // namespace triaxis::cli

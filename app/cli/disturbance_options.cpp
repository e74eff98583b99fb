#include "app/cli/disturbance_options.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/cost/memory.h"
#include "engine/cost/step_estimate.h"
#include "engine/simulate/job_program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <set>

namespace triaxis::cli
{
namespace
{

[[noreturn]] void refuseOption(const char* option, const std::string& text, const char* remedy)
{
    throw Error(std::string("cannot read ") + option, "'" + text + "'", remedy);
}

template <class Number>
bool readNumber(const std::string& text, Number& value)
{
    const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && rest == text.data() + text.size();
}

/// "12=1.5"
SlowRank slowRankFrom(const std::string& text)
{
    const std::size_t equals = text.find('=');
    SlowRank slow;
    if (equals == std::string::npos || !readNumber(text.substr(0, equals), slow.rank.value) ||
        !readNumber(text.substr(equals + 1), slow.factor))
        refuseOption("--slow-rank", text,
                     "give a rank and how many times as long it computes, such as 12=1.5");
    return slow;
}

/// "3-7=4", "3=2"
SlowLink slowLinkFrom(const std::string& text)
{
    const std::size_t equals = text.find('=');
    const std::string ends = text.substr(0, equals);
    const std::size_t dash = ends.find('-');
    SlowLink slow;
    if (equals == std::string::npos || !readNumber(ends.substr(0, dash), slow.from.value) ||
        (dash != std::string::npos && !readNumber(ends.substr(dash + 1), slow.to.value)) ||
        (dash != std::string::npos && slow.to.value < 0) ||
        !readNumber(text.substr(equals + 1), slow.factor))
        refuseOption("--slow-link", text,
                     "give two ranks, or one for all of its links, and how many times as long "
                     "they take, such as 3-7=4 or 3=2");
    return slow;
}

/// How many times as long it takes on another device.
struct DeviceFactors
{
    double passes = 1;
    double update = 1;
    double links = 1; ///< transfers to other stages
};

DeviceFactors deviceFactors(const TrainingJob& job, const ParallelPlan& plan,
                            const DeviceSpec& device)
{
    TrainingJob other = job;
    other.cluster = withDevice(job.cluster, device);
    const UnitCosts usual = unitCosts(job, plan), there = unitCosts(other, plan);
    const auto passes = [](const UnitCosts& unit) {
        return unit.denseLayer.all() + unit.expertLayer.all();
    };
    const auto hop = [&](const TrainingJob& on) { return stageCosts(on, plan, usual).transfer; };
    return {passes(there) / passes(usual),
            job.cluster.device.memoryBandwidth / device.memoryBandwidth,
            plan.pp > 1 && hop(job) > 0 ? std::max(1.0, hop(other) / hop(job)) : 1};
}

/// Ranks that sit on another device.
struct OtherDevice
{
    int first = 0;
    int last = 0;
    DeviceSpec device;
};

/// "8-15=a100-40gb", "3=l4"
OtherDevice otherDeviceFrom(const std::string& text, const ParallelPlan& plan)
{
    const std::size_t equals = text.find('=');
    const std::string ends = text.substr(0, equals);
    const std::size_t dash = ends.find('-');
    int first = 0;
    int last = 0;
    bool read = equals != std::string::npos && readNumber(ends.substr(0, dash), first);
    last = first;
    if (dash != std::string::npos)
        read = read && readNumber(ends.substr(dash + 1), last);
    if (!read || first < 0 || last < first || last >= plan.devices())
        refuseOption("--device-of", text,
                     "give ranks of the layout and a device, such as 8-15=a100-40gb or 3=l4");
    return {first, last, devicePreset(text.substr(equals + 1))};
}

void addOtherDevices(Perturbations& perturbations, const std::string& text, const TrainingJob& job,
                     const ParallelPlan& plan)
{
    const OtherDevice other = otherDeviceFrom(text, plan);
    const DeviceFactors factors = deviceFactors(job, plan, other.device);
    for (int rank = other.first; rank <= other.last; ++rank) {
        perturbations.slowRanks.push_back({Rank(rank), factors.passes, factors.update});
        if (factors.links > 1)
            perturbations.slowLinks.push_back({Rank(rank), Rank(-1), factors.links});
    }
}

} // namespace

std::vector<Diagnostic> deviceFindings(const DisturbanceOptions& options, const TrainingJob& job,
                                       const ParallelPlan& plan)
{
    std::vector<Diagnostic> findings;
    const std::vector<MemoryParts> memory = memoryByStage(job, plan);
    const Layout layout = layoutOf(job, plan);
    for (const std::string& text : options.devicesOf) {
        const OtherDevice other = otherDeviceFrom(text, plan);
        std::set<int> stages;
        for (int rank = other.first; rank <= other.last; ++rank)
            stages.insert(coordinatesOf(layout, Rank(rank)).pipeline);
        for (const int stage : stages) {
            const double needed = memory[std::size_t(stage)].total();
            if (needed > double(other.device.memoryBytes))
                findings.push_back(
                    {Severity::Warning,
                     "stage " + std::to_string(stage) + " does not fit on " + other.device.title +
                         ": it needs " + units::bytes(std::int64_t(needed)) + " of " +
                         units::bytes(other.device.memoryBytes),
                     "--device-of", "a rank's share of its stage must fit its device",
                     "use another device there, more stages, or recompute"});
        }
    }
    return findings;
}

PredictionOptions predictionOptions(const DisturbanceOptions& options, const TrainingJob& job,
                                    const ParallelPlan& plan)
{
    PredictionOptions prediction;
    for (const std::string& text : options.devicesOf)
        addOtherDevices(prediction.perturbations, text, job, plan);
    for (const std::string& text : options.slowRanks)
        prediction.perturbations.slowRanks.push_back(slowRankFrom(text));
    for (const std::string& text : options.slowLinks)
        prediction.perturbations.slowLinks.push_back(slowLinkFrom(text));
    prediction.perturbations.jitter = options.jitter;
    prediction.perturbations.seed = options.seed;
    if (options.rendezvous)
        prediction.transfers = TransferRule::Rendezvous;
    prediction.sharedLinks = options.sharedLinks;
    return prediction;
}

void addDisturbanceOptions(CLI::App& command, DisturbanceOptions& o)
{
    const char* group = "What disturbs it";
    command
        .add_option("--slow-rank", o.slowRanks,
                    "RANK=FACTOR: a rank that computes FACTOR times as long; may be repeated")
        ->group(group);
    command
        .add_option(
            "--slow-link", o.slowLinks,
            "A-B=FACTOR: a link between two ranks that takes FACTOR times as long; A=FACTOR: "
            "all links of a rank to other stages and replicas; may be repeated")
        ->group(group);
    command
        .add_option(
            "--device-of", o.devicesOf,
            "RANKS=DEVICE: ranks that sit on another device, with its rates, memory and links, "
            "such as 8-15=a100-40gb; may be repeated")
        ->group(group);
    command
        .add_flag("--shared-links", o.sharedLinks,
                  "Transfers of different pipelines that share a link slow each other")
        ->group(group);
    command
        .add_option("--jitter", o.jitter,
                    "Standard deviation of each instruction's time, as a share of it (0.02)")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
    command.add_option("--seed", o.seed, "Of the jitter")->capture_default_str()->group(group);
    command
        .add_flag("--rendezvous", o.rendezvous,
                  "Transfers move only when both ends have come to them, as triaxis runs them")
        ->group(group);
}

} // namespace triaxis::cli

#include "app/cli/commands.h"
#include "app/cli/run_json.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "storage/history.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>

namespace triaxis::cli
{
namespace
{

struct PruneOptions
{
    std::vector<std::string> runs;
    double olderThanDays = 0;
    std::string largerThan;
    std::string downTo;
    PruneRules rules;
    bool yes = false;
    bool json = false;
};

/// "500", "20kB", "1.5GB" (10⁹), "2GiB" (2³⁰).
std::int64_t bytesFromText(const std::string& text)
{
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string unit(code == std::errc() ? end : text.data(), text.data() + text.size());
    const std::pair<const char*, double> units[] = {
        {"", 1},      {"B", 1},      {"kB", 1e3},      {"MB", 1e6},         {"GB", 1e9},
        {"TB", 1e12}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1099511627776}};
    for (const auto& [name, factor] : units)
        if (code == std::errc() && unit == name && value >= 0 && value * factor < 1e18)
            return std::int64_t(std::llround(value * factor));
    throw Error("cannot prune", "'" + text + "' is no size", "write it as 500MB or 2GiB");
}

PruneRules rulesOf(const PruneOptions& options)
{
    PruneRules rules = options.rules;
    rules.olderThanSeconds = options.olderThanDays * 86400;
    rules.largerThanBytes = options.largerThan.empty() ? 0 : bytesFromText(options.largerThan);
    rules.downToBytes = options.downTo.empty() ? -1 : bytesFromText(options.downTo);
    return rules;
}

PrunePlan planOf(const History& history, const PruneOptions& options)
{
    if (options.runs.empty())
        return history.prunePlan(rulesOf(options));
    PrunePlan plan;
    plan.bytesBefore = history.storage().bytes;
    for (const std::string& id : options.runs) {
        const RunSummary run = history.run(id);
        if (!isFinal(run.state))
            throw Error("cannot prune the run", run.id + ": it has not ended", "wait for its end");
        plan.runs.push_back(run);
        plan.freedBytes += run.prunableBytes;
    }
    return plan;
}

/// Why there is nothing to do, and which option would change it.
void printWhyNothing(const PrunePlan& plan, const PruneRules& rules)
{
    const PruneLeft& left = plan.left;
    if (left.all() == 0) {
        std::printf("There are no runs.\n");
        return;
    }
    std::printf("Nothing to prune among %d run%s, %s:\n", left.all(), left.all() == 1 ? "" : "s",
                units::bytes(plan.bytesBefore).c_str());
    const auto line = [](int count, const std::string& why) {
        if (count > 0)
            std::printf("%6d  %s\n", count, why.c_str());
    };
    line(left.newest, "among the " + std::to_string(rules.keepNewest) +
                          " newest, which stay whole (--keep)");
    line(left.enough, "not needed to get down to the size (--down-to)");
    line(left.going, "not over yet");
    line(left.starred, "with a star (--also-starred)");
    line(left.young, "started later than that (--older-than)");
    line(left.slight, rules.largerThanBytes > 0 ? "with less to free than that (--larger-than)"
                                                : "with no spans to drop");
}

void printPlan(const PrunePlan& plan)
{
    for (const RunSummary& run : plan.runs)
        std::printf("%-22s  %s of %s  %s\n", run.id.c_str(),
                    units::bytes(run.prunableBytes).c_str(), units::bytes(run.bytes).c_str(),
                    run.label.c_str());
    std::printf("%zu runs, %s of %s would be free. Steps, losses, memory and one step of each "
                "timeline stay.\n",
                plan.runs.size(), units::bytes(plan.freedBytes).c_str(),
                units::bytes(plan.bytesBefore).c_str());
}

int prune(const PruneOptions& options)
{
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    const PrunePlan plan = planOf(history, options);
    std::int64_t freed = 0;
    if (options.yes)
        for (const RunSummary& run : plan.runs)
            freed += history.prune(run.id);
    if (options.json) {
        nlohmann::ordered_json json{{"done", options.yes},
                                    {"freed_bytes", options.yes ? freed : plan.freedBytes},
                                    {"bytes_before", plan.bytesBefore}};
        json["runs"] = nlohmann::ordered_json::array();
        for (const RunSummary& run : plan.runs)
            json["runs"].push_back({{"run", run.id}, {"prunable_bytes", run.prunableBytes}});
        const PruneLeft& left = plan.left;
        json["left"] = {{"newest", left.newest},   {"enough", left.enough},
                        {"going", left.going},     {"starred", left.starred},
                        {"young", left.young},     {"slight", left.slight}};
        std::printf("%s\n", dumpLine(json).c_str());
    } else if (plan.runs.empty()) {
        printWhyNothing(plan, rulesOf(options));
    } else if (options.yes) {
        std::printf("pruned %zu runs: %s freed\n", plan.runs.size(), units::bytes(freed).c_str());
    } else {
        printPlan(plan);
        std::printf("Nothing was changed. This cannot be undone; to do it: --yes\n");
    }
    return Success;
}

} // namespace

void addPruneCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command =
        app.add_subcommand("prune", "Drop the spans of old runs, all but one step; says what that "
                                    "would free, and does it with --yes");
    const auto options = std::make_shared<PruneOptions>();
    const auto runs = command->add_option("runs", options->runs,
                                          "These runs, instead of those that the rules choose");
    const auto older = command->add_option("--older-than", options->olderThanDays,
                                           "Only runs started so many days ago, or more");
    older->check(CLI::NonNegativeNumber)->excludes(runs);
    command
        ->add_option("--larger-than", options->largerThan,
                     "Only runs where it frees more than so much: 100MB")
        ->excludes(runs);
    command
        ->add_option("--down-to", options->downTo,
                     "The oldest first, until all runs take no more than so much: 2GB")
        ->excludes(runs);
    command
        ->add_option("--keep", options->rules.keepNewest, "So many of the newest runs stay whole")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->excludes(runs);
    command->add_flag("--also-starred", options->rules.alsoStarred, "Also runs with a star")
        ->excludes(runs);
    command->add_flag("--yes", options->yes, "Do it; it cannot be undone");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &exitCode] { exitCode = prune(*options); });
}

} // namespace triaxis::cli

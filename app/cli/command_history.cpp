#include "app/cli/commands.h"
#include "app/cli/history_filter.h"
#include "app/cli/run_json.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "storage/history.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace triaxis::cli
{
namespace
{

struct HistoryOptions
{
    HistoryFilter filter;
    std::string order = "started";
    bool ascending = false;
    int limit = 20;
    int offset = 0;
    bool deleted = false;
    bool facets = false;
    bool storage = false;
    bool rebuild = false;
    bool json = false;
};

std::string orDash(double value, const std::string& text)
{
    return std::isfinite(value) && value > 0 ? text : "–";
}

/// At most, and at least, `width` characters of UTF-8, not bytes.
std::string column(const std::string& text, int width)
{
    std::string shown;
    int characters = 0;
    for (const char letter : text) {
        characters += (static_cast<unsigned char>(letter) & 0xc0) != 0x80;
        if (characters > width)
            break;
        shown += letter;
    }
    return shown + std::string(std::size_t(std::max(0, width - characters)), ' ');
}

std::string remarks(const RunSummary& run)
{
    std::string text = run.starred ? "★ " + run.label : run.label;
    for (const std::string& tag : run.tags)
        text += (text.empty() ? "#" : " #") + tag;
    return text;
}

void printRow(const RunSummary& run)
{
    char loss[32] = "         –";
    if (std::isfinite(run.finalLoss))
        std::snprintf(loss, sizeof loss, "%10.4f", run.finalLoss);
    std::printf("%-22s  %-9s  %s  %s  %s  %6lld  %s  %s  %s  %s\n", run.id.c_str(), toText(run.state),
                column(run.model, 14).c_str(), column(run.layout, 8).c_str(), column(run.schedule, 12).c_str(),
                static_cast<long long>(run.steps), loss,
                column(orDash(run.stepSeconds, units::seconds(run.stepSeconds)), 9).c_str(),
                column(units::bytes(run.bytes), 8).c_str(), remarks(run).c_str());
}

void printTable(const History& history, const HistoryOptions& options, const RunQuery& query)
{
    const std::vector<RunSummary> runs = history.runs(query);
    const int total = history.count(query);
    if (runs.empty()) {
        std::printf("%s\n", options.deleted ? "No deleted run matches."
                            : total > 0     ? "No run lies so far back; use a smaller --offset"
                                            : "No run matches. Start one: triaxis demo, or triaxis run --help");
        return;
    }
    std::printf("%-22s  %-9s  %-14s  %-8s  %-12s  %6s  %10s  %-9s  %-8s  %s\n", "run", "state", "model", "layout",
                "schedule", "steps", "loss", "step time", "size", "label, #tags");
    for (const RunSummary& run : runs)
        printRow(run);
    if (total > int(runs.size()))
        std::printf("%d of %d runs; more with --limit and --offset\n", int(runs.size()), total);
}

void printFacets(const char* title, const std::vector<RunFacet>& facets)
{
    if (facets.empty())
        return;
    std::printf("%-9s", title);
    for (const RunFacet& facet : facets)
        std::printf("  %s (%d)", facet.value.c_str(), facet.count);
    std::printf("\n");
}

nlohmann::ordered_json facetJson(const std::vector<RunFacet>& facets)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const RunFacet& facet : facets)
        json[facet.value] = facet.count;
    return json;
}

void showFacets(const RunFacets& facets, bool json)
{
    const std::pair<const char*, const std::vector<RunFacet>*> all[] = {
        {"state", &facets.states}, {"model", &facets.models}, {"layout", &facets.layouts},
        {"schedule", &facets.schedules}, {"tag", &facets.tags}, {"dp", &facets.dp},
        {"tp", &facets.tp}, {"pp", &facets.pp}, {"ranks", &facets.ranks}, {"kind", &facets.kinds}};
    if (json) {
        nlohmann::ordered_json object;
        for (const auto& [title, list] : all)
            object[title] = facetJson(*list);
        object["starred"] = facets.starred;
        std::printf("%s\n", dumpLine(object).c_str());
        return;
    }
    for (const auto& [title, list] : all)
        printFacets(title, *list);
    std::printf("%-9s  %d\n", "starred", facets.starred);
}

void showStorage(const StorageUse& use, bool json)
{
    if (json) {
        std::printf("%s\n", nlohmann::ordered_json{{"runs", use.runs},
                                                   {"bytes", use.bytes},
                                                   {"prunable_bytes", use.prunableBytes},
                                                   {"deleted_runs", use.deletedRuns},
                                                   {"deleted_bytes", use.deletedBytes}}
                                .dump()
                                .c_str());
        return;
    }
    std::printf("%d runs: %s, of which %s are spans that can be pruned (triaxis prune)\n", use.runs,
                units::bytes(use.bytes).c_str(), units::bytes(use.prunableBytes).c_str());
    std::printf("%d deleted runs: %s (triaxis delete --for-good)\n", use.deletedRuns,
                units::bytes(use.deletedBytes).c_str());
}

int listRuns(const HistoryOptions& options)
{
    RunQuery query = queryOf(options.filter);
    query.limit = options.limit;
    query.offset = options.offset;
    query.orderBy = options.order;
    query.descending = !options.ascending;
    query.deleted = options.deleted;
    History history(triaxisHome());
    const int found = history.refresh(options.rebuild);
    printNotes(history);
    if (options.rebuild && !options.json)
        std::printf("rebuilt from %d run directories\n", found);
    if (options.storage) {
        showStorage(history.storage(), options.json);
    } else if (options.facets) {
        showFacets(history.facets(query), options.json);
    } else if (options.json) {
        for (const RunSummary& run : history.runs(query))
            std::printf("%s\n", dumpLine(summaryJson(run)).c_str());
    } else {
        printTable(history, options, query);
    }
    return Success;
}

} // namespace

void addHistoryCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand("history", "List, search and count the stored runs");
    const auto options = std::make_shared<HistoryOptions>();
    addFilterOptions(*command, options->filter);
    command->add_option("--order", options->order, "The column to sort by; what is missing comes last")
        ->check(CLI::IsMember(runOrders()))
        ->capture_default_str();
    command->add_flag("--ascending", options->ascending, "Smallest, or oldest, first");
    command->add_option("--limit", options->limit, "At most so many")->check(CLI::PositiveNumber)->capture_default_str();
    command->add_option("--offset", options->offset, "Leave out so many first")->check(CLI::NonNegativeNumber);
    command->add_flag("--deleted", options->deleted, "Those in the trash instead");
    const auto facets = command->add_flag("--counts", options->facets,
                                          "How many runs have each state, model, layout, schedule and tag");
    command->add_flag("--storage", options->storage, "What all runs take on the disk")->excludes(facets);
    command->add_flag("--rebuild", options->rebuild, "Make the history anew from the run directories");
    command->add_flag("--json", options->json, "One JSON object a run, or one for --counts and --storage");
    command->callback([options, &exitCode] { exitCode = listRuns(*options); });
}

} // namespace triaxis::cli

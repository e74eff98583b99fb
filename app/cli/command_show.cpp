#include "app/cli/bubble_text.h"
#include "app/cli/commands.h"
#include "app/cli/pace_text.h"
#include "app/cli/run_json.h"
#include "engine/core/units.h"
#include "engine/record/records.h"
#include "storage/history.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

namespace triaxis::cli
{
namespace
{

struct ShowOptions
{
    std::string run = "last";
    bool json = false;
};

std::map<int, std::int64_t> peakByRank(const std::vector<MemorySample>& samples)
{
    std::map<int, std::int64_t> peaks;
    for (const MemorySample& sample : samples)
        peaks[sample.rank.value] = std::max(peaks[sample.rank.value], sample.peakTotal);
    return peaks;
}

nlohmann::ordered_json detailJson(const RunSummary& summary, const RunPlan& plan,
                                  const RunEnvironment& environment, const RunRecords& records)
{
    nlohmann::ordered_json json = summaryJson(summary);
    json["blas"] = environment.blas;
    json["mpi"] = environment.mpi;
    json["host"] = environment.host;
    json["clock_error"] = records.clockError;
    json["torn_bytes"] = records.all.tornBytes;
    json["dropped_spans"] = records.all.droppedSpans;
    std::map<int, std::int64_t> spansByRank;
    for (const Span& span : records.all.spans)
        ++spansByRank[span.rank.value];
    json["spans_by_rank"] = nlohmann::json::array();
    for (int rank = 0; rank < plan.layout.ranks(); ++rank)
        json["spans_by_rank"].push_back(spansByRank[rank]);
    json["peak_by_rank"] = nlohmann::json::array();
    auto peaks = peakByRank(records.all.memory);
    for (int rank = 0; rank < plan.layout.ranks(); ++rank)
        json["peak_by_rank"].push_back(peaks[rank]);
    if (!records.all.spans.empty())
        addBubble(json, runBubble(plan, records.all.spans), plan.layout);
    addPace(json, records.all);
    addLive(json, plan, records.all);
    json["plan"] = toJson(plan);
    return json;
}

void printMemory(const std::vector<MemorySample>& samples)
{
    const auto peaks = peakByRank(samples);
    if (peaks.empty())
        return;
    std::printf("\npeak memory by rank (tracked allocations)\n");
    for (const auto& [rank, bytes] : peaks)
        std::printf("  rank %d  %s\n", rank, units::bytes(bytes).c_str());
}

std::string clockText(const RunPlan& plan, const RunRecords& records)
{
    if (plan.layout.ranks() == 1 || !(records.clockError > 0))
        return {};
    if (isOneClock(records.clockError))
        return ", which all share one host clock";
    return ", clocks good to ± " + units::seconds(records.clockError);
}

void printText(const RunSummary& summary, const RunPlan& plan, const RunEnvironment& environment,
               const RunRecords& records)
{
    std::printf("run %s%s%s\n", summary.id.c_str(), summary.label.empty() ? "" : " · ",
                summary.label.c_str());
    std::printf("%s%s%s\n", toText(summary.state), summary.reason.empty() ? "" : ": ",
                summary.reason.c_str());
    std::printf("%s · %s · %s · started %s on %s\n", summary.model.c_str(),
                toText(plan.layout).c_str(), summary.schedule.c_str(), summary.startedUtc.c_str(),
                environment.host.c_str());
    std::printf("%s · %s\n", environment.blas.c_str(), environment.mpi.c_str());
    std::printf("%lld steps", static_cast<long long>(summary.steps));
    if (std::isfinite(summary.finalLoss))
        std::printf(" · loss %.5f", summary.finalLoss);
    if (summary.stepSeconds > 0)
        std::printf(" · step %s · %s tokens/s", units::seconds(summary.stepSeconds).c_str(),
                    units::count(summary.tokensPerSecond).c_str());
    if (std::isfinite(summary.bubble))
        std::printf(" · bubble %s, mean of the kept steps", units::percent(summary.bubble).c_str());
    std::printf("\n%zu spans of %d ranks%s\n", records.all.spans.size(), plan.layout.ranks(),
                clockText(plan, records).c_str());
    if (records.all.droppedSpans > 0)
        std::printf("%s spans of steps between were not kept (--whole-steps, --every-step)\n",
                    units::count(double(records.all.droppedSpans)).c_str());
    if (records.all.tornBytes > 0)
        std::printf("%s of damaged records were skipped\n",
                    units::bytes(records.all.tornBytes).c_str());
    printBubble(runBubble(plan, records.all.spans), plan.layout);
    printPace(plan, records.all);
    printLive(plan, records.all);
    printMemory(records.all.memory);
    std::printf("\n%s\n", summary.directory.c_str());
}

int show(const ShowOptions& options)
{
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    const RunSummary summary = history.run(options.run);
    const RunDirectory run = RunDirectory::open(summary.directory);
    const RunPlan plan = run.plan();
    const RunRecords records = readRun(run);
    if (options.json)
        std::printf("%s\n", detailJson(summary, plan, run.environment(), records).dump().c_str());
    else
        printText(summary, plan, run.environment(), records);
    return Success;
}

} // namespace

void addShowCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command =
        app.add_subcommand("show", "Show one stored run: state, figures, bubble, memory");
    const auto options = std::make_shared<ShowOptions>();
    command->add_option("run", options->run, "Id, the beginning of one, or 'last'")
        ->capture_default_str();
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &exitCode] { exitCode = show(*options); });
}

} // namespace triaxis::cli

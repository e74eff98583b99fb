#include "app/cli/commands.h"
#include "app/cli/search_options.h"
#include "app/cli/search_text.h"
#include "engine/core/error.h"
#include "engine/search/cluster_search.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <unistd.h>

namespace triaxis::cli
{
namespace
{

/// A line on standard error after the first second, for people who wait.
class ProgressLine
{
public:
    ~ProgressLine()
    {
        if (m_shown)
            std::fputs("\r\033[K", stderr);
    }
    bool show(const ScanProgress& progress)
    {
        using namespace std::chrono;
        const auto now = steady_clock::now();
        if (m_terminal && now - m_last > milliseconds(m_shown ? 200 : 1000)) {
            std::fprintf(stderr, "\r\033[Ksearching: %.0f %%, %lld layouts", 100 * progress.share,
                         static_cast<long long>(progress.layouts));
            if (progress.best > 0)
                std::fprintf(stderr, ", best step %.4g s", progress.best);
            m_last = now;
            m_shown = true;
        }
        return true;
    }

private:
    bool m_terminal = isatty(STDERR_FILENO) != 0;
    bool m_shown = false;
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

SearchRequest requestFrom(const SearchOptions& options)
{
    SearchRequest request;
    request.job = jobFrom(options.job);
    request.limits = limitsFrom(options);
    request.keep = options.top;
    request.front = options.front;
    const auto line = std::make_shared<ProgressLine>();
    request.progress = [line](const ScanProgress& progress) { return line->show(progress); };
    return request;
}

/// Every number of devices with every batch.
std::vector<SizedResult> searchAll(const SearchOptions& options, SearchRequest request)
{
    std::vector<SizedResult> all;
    for (const std::int64_t devices : parseSizes(options.job.devices, "--devices")) {
        for (const std::int64_t batch : parseSizes(options.job.batch, "--batch")) {
            JobOptions one = options.job;
            one.devices = std::to_string(devices);
            one.batch = std::to_string(batch);
            request.job = jobFrom(one);
            all.push_back({request.job, searchPlans(request)});
        }
    }
    return all;
}

std::vector<SizedResult> smallest(const SearchOptions& options, const SearchRequest& request)
{
    const std::vector<std::int64_t> sizes = parseSizes(options.job.devices, "--devices");
    const std::int64_t most = *std::max_element(sizes.begin(), sizes.end());
    std::optional<SizedResult> found =
        smallestCluster(request, static_cast<int>(std::min<std::int64_t>(most, 1 << 20)));
    if (!found)
        throw Error("no cluster is large enough",
                    request.job.model.name + " does not fit " + std::to_string(most) +
                        " devices of " + request.job.cluster.device.title,
                    "raise --devices, or choose devices with more memory");
    return {std::move(*found)};
}

double tokensPerSecond(const SizedResult& sized)
{
    return sized.result.best.empty() ? 0
                                     : static_cast<double>(sized.job.globalBatch) *
                                           sized.job.sequence / sized.result.best[0].seconds;
}

int search(const SearchOptions& options)
{
    const SearchRequest request = requestFrom(options);
    std::vector<SizedResult> all =
        options.smallestCluster ? smallest(options, request) : searchAll(options, request);
    if (options.bestBatch)
        std::stable_sort(all.begin(), all.end(), [](const SizedResult& a, const SizedResult& b) {
            return tokensPerSecond(a) > tokensPerSecond(b);
        });
    std::optional<ParallelPlan> explained;
    if (!options.explain.empty())
        explained = planFromText(options.explain, all.front().job);
    if (options.json) {
        nlohmann::ordered_json json = searchJson(all, request.limits, options.price);
        if (explained)
            json["explained"] = explainedJson(all.front(), request.limits, *explained);
        std::printf("%s\n", json.dump().c_str());
    } else {
        for (const SizedResult& sized : all)
            printSearch(sized, request.limits, options.price);
        if (explained)
            printExplained(all.front(), request.limits, *explained);
    }
    const bool found = std::any_of(all.begin(), all.end(), [](const SizedResult& sized) {
        return !sized.result.best.empty();
    });
    if (!found) {
        std::fflush(stdout);
        const ScanCounts& counts = all.front().result.counts;
        std::fprintf(stderr, "triaxis: %s%s\n",
                     refusalText(all.front().job, request.limits, counts).c_str(),
                     counts.layouts > 0 ? " (--smallest-cluster finds how many)" : "");
    }
    return found ? Success : RunFailed;
}

} // namespace

void addSearchCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "search", "Find the best layouts of a training job: sizes, schedule, sharding, recompute");
    const auto options = std::make_shared<SearchOptions>();
    addSearchOptions(*command, *options);
    command->callback([options, &exitCode] { exitCode = search(*options); });
}

} // namespace triaxis::cli

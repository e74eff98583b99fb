#include "bench_timer.h"

#include "engine/formats/model_shape.h"
#include "engine/search/plan_search.h"

#include <cstdio>

using namespace triaxis;
using namespace triaxis::bench;

namespace
{

TrainingJob job(const char* model, const char* cluster, int devices, int batch)
{
    TrainingJob job;
    job.model = findModelShape(model);
    job.cluster = clusterPreset(cluster);
    job.software = softwareProfile("megatron-core-2024");
    job.devices = devices;
    job.globalBatch = batch;
    job.sequence = 2048;
    return job;
}

/// Closed forms only: every layout of the space with its bounds.
void measureScan(const TrainingJob& job)
{
    ScanCounts counts;
    const double seconds = fastest(2, [&] {
        counts = {};
        ScanCalls calls;
        calls.take = [](const PlanCandidate&) { return false; };
        scanPlans(job, {}, calls, counts);
    });
    std::printf("%-12s %6d devices: %9lld layouts by closed form in %7.3f s: %6.2f M/s\n",
                job.model.name.c_str(), job.devices, static_cast<long long>(counts.layouts),
                seconds, double(counts.layouts) / seconds * 1e-6);
}

void measureSearch(const TrainingJob& job, bool front)
{
    SearchRequest request;
    request.job = job;
    request.front = front;
    SearchResult result;
    const double seconds = fastest(2, [&] { result = searchPlans(request); });
    std::printf("%-12s %6d devices: best of all axes in %6.3f s%s, %lld priced exactly; step "
                "%.4f s\n",
                job.model.name.c_str(), job.devices, seconds, front ? " with the front" : "",
                static_cast<long long>(result.exact),
                result.best.empty() ? 0 : result.best[0].seconds);
}

} // namespace

int main()
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::printf(
        "wanted: >= 1 M layouts/s by closed form, best of gpt3-175b on 512 devices < 2 s\n");
    const TrainingJob gpt3 = job("gpt3-175b", "dgx-a100", 512, 1536);
    measureScan(gpt3);
    measureSearch(gpt3, false);
    measureSearch(gpt3, true);
    measureScan(job("llama3-8b", "dgx-h100", 64, 512));
    TrainingJob llama = job("llama3-405b", "dgx-h100", 16384, 2048);
    measureSearch(llama, false);
    measureSearch(llama, true);
    llama.sequence = 8192;
    measureSearch(llama, false);
    return 0;
}

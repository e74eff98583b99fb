#include "app/cli/search_text.h"

#include "engine/core/units.h"
#include "engine/cost/memory.h"
#include "engine/cost/step_estimate.h"

#include <algorithm>
#include <cstdio>

namespace triaxis::cli
{
namespace
{

constexpr std::size_t longestFront = 30;

std::string bytes(double value)
{
    return units::bytes(static_cast<std::int64_t>(std::min(value, 9e18)));
}

/// What the estimate adds to the search's prices: rates and parts.
StepEstimate partsOf(const TrainingJob& job, const PricedPlan& priced)
{
    return estimateStep(job, priced.plan);
}

double utilisation(const TrainingJob& job, const StepEstimate& estimate)
{
    return estimate.modelFlopsPerDevice / job.cluster.device.peakOf(job.precision);
}

double costOf(double deviceSeconds, double price)
{
    return deviceSeconds / 3600 * (price > 0 ? price : 1);
}

std::string splitText(const ParallelPlan& plan)
{
    std::string text;
    for (const int layers : plan.layersPerStage)
        text += (text.empty() ? "  layers " : ",") + std::to_string(layers);
    return text;
}

void printRow(int place, const TrainingJob& job, const PricedPlan& priced, double price)
{
    const ParallelPlan& p = priced.plan;
    const StepEstimate e = partsOf(job, priced);
    std::printf("%3d %5d %4d %3d %4d %3d", place, p.dp, p.tp, p.cp, p.pp, p.virtualStages);
    if (job.model.expert.experts > 0)
        std::printf(" %4d %3d", p.ep, p.expertTp);
    std::printf(" %4d  %-17s %-4s %-9s %-3s %10.4f %12.0f %5.1f %8.1f %6.1f %7.1f %11.4g%s\n",
                p.microbatch, p.schedule.c_str(), toText(p.zero), toText(p.recompute),
                p.sequenceParallel ? "on" : "off", priced.seconds, e.tokensPerSecond,
                100 * utilisation(job, e), priced.memory / (1024.0 * 1024 * 1024),
                100 * e.bubble / e.seconds,
                100 * (e.exposed + e.tail.gradients + e.tail.gathers) / e.seconds,
                costOf(priced.seconds * job.devices, price), splitText(p).c_str());
}

void printHead(const TrainingJob& job, double price)
{
    std::printf("%3s %5s %4s %3s %4s %3s", "", "dp", "tp", "cp", "pp", "V");
    if (job.model.expert.experts > 0)
        std::printf(" %4s %3s", "ep", "etp");
    std::printf(" %4s  %-17s %-4s %-9s %-3s %10s %12s %5s %8s %6s %7s %11s\n", "mb", "schedule",
                "ZeRO", "recompute", "SP", "step s", "tokens/s", "MFU %", "mem GiB", "idle %",
                "comm %", price > 0 ? "cost/step" : "device-h");
}

void printCounts(const SearchResult& result)
{
    std::printf("\nlooked at %lld layouts in %.2f s: all by closed form, %lld exactly, %lld uneven "
                "splits\n",
                static_cast<long long>(result.counts.layouts), result.seconds,
                static_cast<long long>(result.exact), static_cast<long long>(result.refined));
    for (std::size_t index = 0; index < rejections; ++index) {
        const auto reason = static_cast<Rejection>(index);
        const std::int64_t count = result.counts.rejected[index];
        const std::string what = countsShapes(reason) ? "shape" : "layout";
        if (count > 0)
            std::printf("%12lld %-8s %s\n", static_cast<long long>(count),
                        (count == 1 ? what : what + "s").c_str(), toText(reason));
    }
}

void printThumb(const TrainingJob& job, const SearchResult& result)
{
    if (!result.thumb) {
        std::printf("rule of thumb: no layout of tensor ranks within a node fits\n");
        return;
    }
    const ParallelPlan& p = result.thumb->plan;
    std::printf("rule of thumb (tensor and pipeline as small as fit, the rest data): dp %d, tp %d, "
                "pp %d, recompute %s: %s, %s",
                p.dp, p.tp, p.pp, toText(p.recompute),
                units::seconds(result.thumb->seconds).c_str(), bytes(result.thumb->memory).c_str());
    const double loss = result.thumb->seconds / result.best[0].seconds - 1;
    std::printf("; %.1f %% slower than the best\n", 100 * loss);
    std::printf("predicted with \"%s\": expected error ± %.0f %%\n", job.software.title.c_str(),
                100 * expectedErrorOf(job, result.best[0].plan));
}

void printFront(const SizedResult& sized, double price)
{
    const std::vector<PricedPoint>& front = sized.result.front;
    if (front.empty())
        return;
    std::printf("\nfront of step time and memory: %zu layouts\n", front.size());
    const std::size_t stride = (front.size() + longestFront - 1) / longestFront;
    for (std::size_t index = 0; index < front.size(); index += stride) {
        const PricedPoint& point = front[index];
        printRow(static_cast<int>(index + 1), sized.job,
                 {planOf(point.point), point.seconds, point.memory}, price);
    }
}

nlohmann::ordered_json planJson(const TrainingJob& job, const PricedPlan& priced, double price)
{
    const ParallelPlan& p = priced.plan;
    const StepEstimate e = partsOf(job, priced);
    return {
        {"dp", p.dp},
        {"tp", p.tp},
        {"cp", p.cp},
        {"pp", p.pp},
        {"virtual_stages", p.virtualStages},
        {"ep", p.ep},
        {"expert_tp", p.expertTp},
        {"microbatch", p.microbatch},
        {"schedule", p.schedule},
        {"sequence_parallel", p.sequenceParallel},
        {"zero", toText(p.zero)},
        {"recompute", toText(p.recompute)},
        {"layers_per_stage", p.layersPerStage},
        {"seconds", priced.seconds},
        {"memory_bytes", priced.memory},
        {"tokens_per_second", e.tokensPerSecond},
        {"mfu", utilisation(job, e)},
        {"bubble_seconds", e.bubble},
        {"exposed_seconds", e.exposed},
        {"tail_seconds", e.tail.total()},
        {"expected_error", e.expectedError},
        {"device_hours", priced.seconds * job.devices / 3600},
        {price > 0 ? "cost" : "cost_in_device_hours", costOf(priced.seconds * job.devices, price)}};
}

nlohmann::ordered_json oneJson(const SizedResult& sized, const PlanLimits& limits, double price)
{
    const SearchResult& result = sized.result;
    nlohmann::ordered_json json{{"model", sized.job.model.name},
                                {"cluster", sized.job.cluster.name},
                                {"devices", sized.job.devices},
                                {"batch", sized.job.globalBatch},
                                {"sequence", sized.job.sequence},
                                {"memory_limit_bytes", memoryLimit(sized.job, limits)},
                                {"best", nlohmann::ordered_json::array()},
                                {"front", nlohmann::ordered_json::array()}};
    for (const PricedPlan& priced : result.best)
        json["best"].push_back(planJson(sized.job, priced, price));
    for (const PricedPoint& point : result.front)
        json["front"].push_back(
            planJson(sized.job, {planOf(point.point), point.seconds, point.memory}, price));
    json["rule_of_thumb"] =
        result.thumb ? planJson(sized.job, *result.thumb, price) : nlohmann::ordered_json();
    for (std::size_t index = 0; index < rejections; ++index)
        json["rejected"][toText(static_cast<Rejection>(index))] = result.counts.rejected[index];
    json["layouts"] = result.counts.layouts;
    json["exact"] = result.exact;
    json["uneven_splits"] = result.refined;
    json["seconds"] = result.seconds;
    return json;
}

void printPart(const char* name, double here, double best)
{
    std::printf("  %-34s %12s %12s %+12.4f s\n", name, units::seconds(here).c_str(),
                units::seconds(best).c_str(), here - best);
}

} // namespace

void printSearch(const SizedResult& sized, const PlanLimits& limits, double price)
{
    const TrainingJob& job = sized.job;
    std::printf("%s on %d × %s (%s), %lld sequences of %d tokens a step, %s, up to %s a device\n\n",
                job.model.name.c_str(), job.devices, job.cluster.device.title.c_str(),
                job.cluster.title.c_str(), static_cast<long long>(job.globalBatch), job.sequence,
                toText(job.precision), bytes(memoryLimit(job, limits)).c_str());
    if (!sized.result.best.empty()) {
        printHead(job, price);
        int place = 0;
        for (const PricedPlan& priced : sized.result.best)
            printRow(++place, job, priced, price);
        std::printf("\n");
        printThumb(job, sized.result);
        printFront(sized, price);
    }
    printCounts(sized.result);
    std::printf("\n");
}

void printExplained(const SizedResult& sized, const PlanLimits& limits, const ParallelPlan& plan)
{
    const TrainingJob& job = sized.job;
    std::printf("dp %d, tp %d, cp %d, pp %d, V %d, microbatch %d, %s:\n", plan.dp, plan.tp, plan.cp,
                plan.pp, plan.virtualStages, plan.microbatch, plan.schedule.c_str());
    const std::vector<Diagnostic> findings = checkPlan(job, plan);
    for (const Diagnostic& finding : findings)
        std::printf("  %s\n", toText(finding).c_str());
    if (hasErrors(findings))
        return;
    const double memory = peakMemory(job, plan);
    const double limit = memoryLimit(job, limits);
    if (memory > limit)
        std::printf("  does not fit: its fullest rank takes %s, %s more than there is\n",
                    bytes(memory).c_str(), bytes(memory - limit).c_str());
    if (sized.result.best.empty())
        return;
    const StepEstimate here = estimateStep(job, plan);
    const StepEstimate best = estimateStep(job, sized.result.best[0].plan);
    std::printf("  %.2f %% slower than the best layout found\n",
                100 * (here.seconds / best.seconds - 1));
    std::printf("  %-34s %12s %12s %14s\n", "", "here", "best", "loses");
    printPart("compute of the busiest stage", here.compute, best.compute);
    printPart("exposed communication", here.exposed, best.exposed);
    printPart("bubble and transfers", here.bubble, best.bubble);
    printPart("gradient reduction", here.tail.gradients, best.tail.gradients);
    printPart("parameter gathers", here.tail.gathers, best.tail.gathers);
    printPart("update, overhead, tied embedding",
              here.tail.optimizer + here.tail.overhead + here.tail.embedding,
              best.tail.optimizer + best.tail.overhead + best.tail.embedding);
    printPart("step", here.seconds, best.seconds);
}

nlohmann::ordered_json explainedJson(const SizedResult& sized, const PlanLimits& limits,
                                     const ParallelPlan& plan)
{
    const TrainingJob& job = sized.job;
    nlohmann::ordered_json json{{"diagnostics", nlohmann::ordered_json::array()}};
    const std::vector<Diagnostic> findings = checkPlan(job, plan);
    for (const Diagnostic& finding : findings)
        json["diagnostics"].push_back(toText(finding));
    json["plan"] = nullptr;
    if (hasErrors(findings))
        return json;
    const StepEstimate here = estimateStep(job, plan);
    json["plan"] = planJson(job, {plan, here.seconds, here.memory}, 0);
    json["fits"] = here.memory <= memoryLimit(job, limits);
    if (sized.result.best.empty())
        return json;
    const StepEstimate best = estimateStep(job, sized.result.best[0].plan);
    json["slower_by"] = here.seconds / best.seconds - 1;
    json["loses_seconds"] = {{"compute", here.compute - best.compute},
                             {"exposed", here.exposed - best.exposed},
                             {"bubble", here.bubble - best.bubble},
                             {"gradients", here.tail.gradients - best.tail.gradients},
                             {"gathers", here.tail.gathers - best.tail.gathers},
                             {"update", here.tail.optimizer + here.tail.overhead +
                                            here.tail.embedding - best.tail.optimizer -
                                            best.tail.overhead - best.tail.embedding}};
    return json;
}

nlohmann::ordered_json searchJson(const std::vector<SizedResult>& all, const PlanLimits& limits,
                                  double price)
{
    nlohmann::ordered_json json{{"searches", nlohmann::ordered_json::array()}};
    for (const SizedResult& sized : all)
        json["searches"].push_back(oneJson(sized, limits, price));
    return json;
}

} // namespace triaxis::cli

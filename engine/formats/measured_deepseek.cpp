#include "engine/formats/measured_models.h"
#include "engine/formats/measured_readers.h"

#include <charconv>
#include <cmath>

namespace triaxis
{
namespace
{

/// DeepSeek-V3 as its report sets it (arXiv:2412.19437, sections 3.2 and 4.2).
MeasuredCase pretraining(const MeasuredRow& row, const std::string& label, int devices)
{
    MeasuredCase run = caseOf(row, label);
    run.job.devices = devices;
    run.job.sequence = 4096;
    run.job.globalBatch = 15360;
    run.job.model = measuredModel("DeepSeek V3", run);
    run.job.precision = NumberFormat::Fp8;
    run.job.cluster = clusterPreset("h800-ib");
    run.job.software = row.profile("megatron-core-2025");
    ParallelPlan& plan = run.plan;
    plan.pp = 16;
    plan.ep = 64;
    plan.schedule = "dualpipe";
    plan.zero = ZeroStage::Optimizer;
    plan.recompute = Recompute::Selective;
    fillDataParallel(run);
    assume(run, "as the model's report sets it: 16 stages under DualPipe, 64 ways of expert "
                "parallelism, ZeRO-1, no tensor parallelism, FP8, norms and up-projections "
                "recomputed, 15,360 sequences of 4,096");
    return run;
}

/// "2048 H800" → 2048.
int devicesOf(const MeasuredRow& row)
{
    const std::string text = row.text("gpus");
    int devices = 0;
    const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), devices);
    if (fault != std::errc() || devices < 1 || devices > (1 << 20))
        throw RowProblem("gpus is \"" + text.substr(0, 40) + "\", not a number of GPUs");
    if (!row.contains("gpus", "h800"))
        throw RowProblem("gpus is \"" + text.substr(0, 40) + "\": H800 are known here only");
    return devices;
}

void addMetric(MeasuredCase& run, const MeasuredRow& row, const std::string& metric,
               const char* column)
{
    if (metric == "time_per_step_s")
        addTarget(run, Quantity::StepSeconds, row, column);
    else if (metric == "tokens_per_day_B")
        addTarget(run, Quantity::TokensPerSecond, row, column, 1e9 / 86400);
    else if (metric == "TFLOPS_causal")
        addFlops(run, row, column, FlopConvention::Model);
    else if (metric == "TFLOPS_non_causal")
        addFlops(run, row, column, FlopConvention::ModelFullAttention);
    else
        throw RowProblem("a part of the step, or a share of the peak of another number format: "
                         "whole steps are priced");
}

/// Insights into DeepSeek-V3, Table 4: one metric a row, both networks.
std::vector<MeasuredCase> readStep(const MeasuredRow& row)
{
    const std::string metric = row.text("metric");
    std::vector<MeasuredCase> runs;
    for (const char* column : {"MPFT", "MRFT"}) {
        if (!row.has(column))
            continue;
        MeasuredCase run = pretraining(row, metric + ", " + column, devicesOf(row));
        addMetric(run, row, metric, column);
        runs.push_back(std::move(run));
    }
    return runs;
}

/// A figure with its unit, "2.788M" or "14.8T".
double scaled(const std::string& text)
{
    double value = 0;
    const char* last = text.data() + text.size();
    const auto [end, fault] = std::from_chars(text.data(), last, value);
    const char unit = end == last ? ' ' : *end;
    const double factor = unit == 'T' ? 1e12 : unit == 'B' ? 1e9 : unit == 'M' ? 1e6 : 1;
    if (fault != std::errc() || !(value > 0) || !std::isfinite(value))
        throw RowProblem("\"" + text.substr(0, 40) + "\" is no figure");
    return value * factor;
}

/// GPU hours of a stated number of tokens.
std::vector<MeasuredCase> readTotals(const MeasuredRow& row)
{
    const std::string metric = row.text("metric");
    const std::size_t on = metric.find(" on ");
    if (metric.rfind("H800 GPU hours", 0) != 0 || on == std::string::npos ||
        metric.find(" tokens", on) == std::string::npos)
        throw RowProblem("the number of tokens is not stated");
    const double hours = scaled(row.text("value")), tokens = scaled(metric.substr(on + 4));
    MeasuredCase run = pretraining(row, metric, 2048);
    assume(run, "2,048 GPUs, as the report says");
    run.targets.push_back(
        {Quantity::TokensPerDeviceSecond, "value", tokens / (hours * 3600), true});
    return {run};
}

} // namespace

std::vector<MeasuredFormat> deepSeekFormats()
{
    return {{"deepseek-step",
             {"metric", "MPFT", "MRFT", "gpus"},
             readStep,
             {"one step, by metric: rows that tell of the same step are not independent"}},
            {"deepseek-totals", {"metric", "value"}, readTotals, {}}};
}

} // namespace triaxis

#include "engine/compare/metric_rows.h"

#include "engine/core/units.h"
#include "engine/timeline/number_text.h"

#include <cmath>

namespace triaxis
{
namespace
{

Spread single(double value)
{
    return spreadOf({value});
}

Spread valueOf(const ComparedRun& run, Metric metric)
{
    switch (metric) {
    case Metric::StepSeconds:
        return run.stepSeconds;
    case Metric::TokensPerSecond:
        return run.tokensPerSecond;
    case Metric::Bubble:
        return run.bubble;
    case Metric::Communication:
        return run.communication;
    case Metric::PeakMemory:
        return single(run.peakBytes);
    case Metric::FinalLoss:
        return single(run.finalLoss);
    case Metric::GradientNorm:
        return single(run.finalGradientNorm);
    case Metric::Steps:
        return run.source == FigureSource::Measured ? single(double(run.steps.size())) : Spread{};
    }
    return {};
}

bool overlap(const Spread& a, const Spread& b)
{
    const bool spread = a.values > 1 && b.values > 1;
    return spread && a.lower <= b.upper && b.lower <= a.upper;
}

} // namespace

const char* toText(Metric metric)
{
    switch (metric) {
    case Metric::StepSeconds:
        return "step time";
    case Metric::TokensPerSecond:
        return "tokens/s";
    case Metric::Bubble:
        return "bubble";
    case Metric::Communication:
        return "communication";
    case Metric::PeakMemory:
        return "peak memory";
    case Metric::FinalLoss:
        return "final loss";
    case Metric::GradientNorm:
        return "gradient norm";
    case Metric::Steps:
        return "steps";
    }
    return "";
}

const char* definitionOf(Metric metric)
{
    switch (metric) {
    case Metric::StepSeconds:
        return "Median over the steps, the first one left out.";
    case Metric::TokensPerSecond:
        return "Median of tokens over time of each step, the first one left out.";
    case Metric::Bubble:
        return "Idle share of the compute lanes over the step without its tail, mean over the "
               "stages; median over the steps whose spans are kept.";
    case Metric::Communication:
        return "Share of a step in which a rank does nothing but communicate, mean over the ranks; "
               "median over the steps whose spans are kept.";
    case Metric::PeakMemory:
        return "Most that the fullest rank held at once, of what Triaxis allocates.";
    case Metric::FinalLoss:
        return "Mean over the last step's batch, before its update.";
    case Metric::GradientNorm:
        return "Of the last step, over all parameters, before clipping.";
    case Metric::Steps:
        return "Steps that were finished.";
    }
    return "";
}

std::vector<MetricRow> metricRows(const std::vector<ComparedRun>& runs)
{
    std::vector<MetricRow> rows;
    for (int m = 0; m < metricCount; ++m) {
        MetricRow row;
        row.metric = Metric(m);
        bool any = false;
        for (const ComparedRun& run : runs) {
            MetricValue value;
            value.spread = valueOf(run, row.metric);
            any = any || value.spread.values > 0;
            row.values.push_back(value);
        }
        if (!any)
            continue;
        const Spread& first = row.values.front().spread;
        for (std::size_t i = 1; i < row.values.size(); ++i) {
            MetricValue& value = row.values[i];
            value.change = value.spread.middle - first.middle;
            if (first.middle != 0)
                value.relative = value.change / std::abs(first.middle);
            value.withinSpread = overlap(value.spread, first);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string metricText(Metric metric, double value)
{
    if (!std::isfinite(value))
        return "–";
    switch (metric) {
    case Metric::StepSeconds:
        return units::seconds(value);
    case Metric::TokensPerSecond:
        return units::count(value);
    case Metric::Bubble:
    case Metric::Communication:
        return fixedText(100 * value, 1) + "\u202f%";
    case Metric::PeakMemory:
        return units::bytes(std::int64_t(value));
    case Metric::FinalLoss:
    case Metric::GradientNorm:
        return fixedText(value, 5);
    case Metric::Steps:
        return fixedText(value, 0);
    }
    return "–";
}

std::string changeText(Metric metric, const MetricValue& value)
{
    if (value.change == 0)
        return {};
    const auto signedText = [](double number, const char* unit) {
        const char* sign = std::abs(number) < 0.05 ? "" : number > 0 ? "+" : "−";
        return sign + fixedText(std::abs(number), 1) + "\u202f" + unit;
    };
    if (metric == Metric::Bubble || metric == Metric::Communication)
        return std::isfinite(value.change) ? signedText(100 * value.change, "points")
                                           : std::string();
    if (!std::isfinite(value.relative))
        return {};
    if (value.relative >= 9)
        return "×" + units::count(1 + value.relative);
    return signedText(100 * value.relative, "%");
}

std::string rangeText(const ComparedRun& run, Metric metric)
{
    if (run.source == FigureSource::Predicted)
        return "prediction";
    switch (metric) {
    case Metric::StepSeconds:
    case Metric::TokensPerSecond:
        return run.steps.empty() ? std::string("no steps")
                                 : std::to_string(run.stepSeconds.values) + " of " +
                                       std::to_string(run.steps.size()) + " steps";
    case Metric::Bubble:
    case Metric::Communication:
        return run.keptSteps == 0
                   ? std::string("no spans")
                   : std::to_string(run.keptSteps) + " kept steps, " +
                         std::to_string(run.firstKept) + " to " + std::to_string(run.lastKept);
    case Metric::PeakMemory:
        return "all steps";
    case Metric::FinalLoss:
    case Metric::GradientNorm:
        return run.steps.empty() ? std::string("no steps")
                                 : "step " + std::to_string(run.steps.back().step);
    case Metric::Steps:
        return "all";
    }
    return "";
}

} // namespace triaxis

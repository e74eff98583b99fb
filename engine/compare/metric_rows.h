#pragma once

#include "engine/compare/compared_run.h"

#include <string>
#include <vector>

namespace triaxis
{

enum class Metric {
    StepSeconds,
    TokensPerSecond,
    Bubble,
    Communication,
    PeakMemory,
    FinalLoss,
    GradientNorm,
    Steps
};
inline constexpr int metricCount = 8;
const char* toText(Metric metric); ///< "step time", "tokens/s", …
/// What the figure is and over what, in a sentence.
const char* definitionOf(Metric metric);

/// A metric of one run beside that of the first one.
struct MetricValue
{
    Spread spread;
    double change =
        std::numeric_limits<double>::quiet_NaN(); ///< less the first run's, in the metric's unit
    double relative = std::numeric_limits<double>::quiet_NaN(); ///< change over the first run's
    /// The middle halves of both overlap: the steps vary by more than the change. False where there
    /// is no spread.
    bool withinSpread = false;
};

struct MetricRow
{
    Metric metric = Metric::StepSeconds;
    std::vector<MetricValue> values; ///< by run
};

/// A row a metric that at least one run has.
std::vector<MetricRow> metricRows(const std::vector<ComparedRun>& runs);

/// A value with its unit, "–" where there is none.
std::string metricText(Metric metric, double value);
/// A change for people: in points for shares, else in percent, or as a factor from ten times on;
/// empty where there is none.
std::string changeText(Metric metric, const MetricValue& value);
/// "1–12 of 12 steps", what the figures of a run are over; "prediction".
std::string rangeText(const ComparedRun& run, Metric metric);

} // namespace triaxis

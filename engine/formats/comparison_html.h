#pragma once

#include "engine/compare/compared_run.h"
#include "engine/formats/report_document.h"

#include <string>
#include <vector>

namespace triaxis
{

/// Runs side by side as a report: their figures with change and spread, curves over each other, the
/// losses against what rounding explains, what their settings differ in, and the timelines of one
/// step each on one scale, aligned at its begin. The first run is what the others are compared
/// with.
ReportDocument comparisonReport(const std::vector<ComparedRun>& runs, bool allSettings = false);

/// The same as one HTML page that needs nothing else.
std::string comparisonHtml(const std::vector<ComparedRun>& runs, bool allSettings = false);

/// The figures as CSV, a row a metric and run.
std::string comparisonCsv(const std::vector<ComparedRun>& runs);

} // namespace triaxis

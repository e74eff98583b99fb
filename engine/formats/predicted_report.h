#pragma once

#include "engine/cost/step_estimate.h"
#include "engine/formats/report_document.h"
#include "engine/simulate/exposed.h"
#include "engine/timeline/lanes.h"

#include <string>
#include <vector>

namespace triaxis
{

/// What a report of a prediction tells.
struct PredictedReport
{
    TrainingJob job;
    ParallelPlan plan;
    StepEstimate estimate;            ///< nothing perturbed
    double seconds = 0;               ///< of the step as it was asked for
    std::vector<ExposedTime> exposed; ///< [P]
    std::vector<double> bubbles;      ///< [P] idle share of the step without its tail
    std::vector<MemoryParts> memory;  ///< [P]
    Layout layout;                    ///< of the spans: one pipeline, rank = stage
    std::vector<Span> spans;
};

/// Figures with the expected error, timeline of one pipeline, where the time goes, communication
/// that nothing hides and memory of every stage.
ReportDocument predictedReport(const PredictedReport& report);
/// The same as one HTML file without links or scripts.
std::string predictedReportHtml(const PredictedReport& report);

} // namespace triaxis

#pragma once

#include "engine/formats/report_document.h"
#include "engine/record/records.h"
#include "engine/record/run_directory.h"
#include "engine/simulate/run_prediction.h"

#include <string>

namespace triaxis
{

/// What a report of a run tells.
struct RunReportSource
{
    const RunPlan& plan;
    const RunEnvironment& environment;
    const RunStatus& status;
    const RunRecords& records;
    const RunPrediction* prediction = nullptr; ///< null: not asked for
    std::string planFile = {};                 ///< run.json of the run, for the command
    bool predicted = false;                    ///< the records are those of a prediction
};

/// The timeline report: layout, figures with their definitions, timeline, loss, bubble, memory and
/// communication as heat maps, prediction against measurement, settings, environment, and the
/// command that repeats the run. Pictures and tables stay valid without the source.
ReportDocument runReport(const RunReportSource& source);

/// The same of a plan that was not run: what it is predicted to take. `planFile`: for the command
/// that runs it. Throws Error where there is no prediction.
ReportDocument plannedReport(const RunPlan& plan, const RunPrediction& prediction,
                             const std::string& planFile = {});

} // namespace triaxis

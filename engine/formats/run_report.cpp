#include "engine/formats/run_report.h"

#include "engine/formats/exports.h"
#include "engine/formats/report_html.h"
#include "engine/formats/run_report_sections.h"

namespace triaxis
{

ReportDocument runReport(const RunReportSource& source)
{
    const ReportFacts facts = reportFacts(source.plan, source.records);
    const ReportInput input{source,        source.plan,    source.environment,
                            source.status, source.records, facts};
    ReportDocument report;
    setHeader(report, input);
    for (const auto add : {addFailure, addFigures, addLayout, addLoss, addTimeline, addBubble,
                           addMemory, addCommunication, addPredictionErrors, addSettings,
                           addEnvironment, addRepeat, addLog, addMethod})
        add(report.sections, input);
    return report;
}

std::string htmlReport(const RunPlan& plan, const RunEnvironment& environment,
                       const RunStatus& status, const RunRecords& records)
{
    return reportHtml(runReport({plan, environment, status, records}));
}

} // namespace triaxis

#include "engine/formats/html_report_sections.h"
#include "engine/formats/html_report_style.h"

namespace triaxis
{

std::string htmlReport(const RunPlan& plan, const RunEnvironment& environment,
                       const RunStatus& status, const RunRecords& records)
{
    const ReportFacts facts = reportFacts(plan, records);
    ClassPaint paint;
    const ReportInput input{plan, environment, status, records, facts, paint};
    // The sections come first: the style sheet has a rule for each colour that they used.
    std::string body = headerSection(input) + failureSection(input) + figuresSection(input) +
                       timelineSection(input) + "<div class=\"pair\">" + lossPanel(input) +
                       bubblePanel(input) + "</div>\n" + memorySection(input) +
                       settingsSection(input) + logSection(input) + methodSection(input);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
           "<meta name=\"generator\" content=\"Triaxis\"/>\n<title>" +
           escapedXml(reportTitle(plan)) + "</title>\n<style>\n" +
           reportStyle(paint.rules(lightPalette()), paint.rules(darkPalette())) +
           "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n";
}

} // namespace triaxis

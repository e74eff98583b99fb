#pragma once

#include "engine/formats/report_document.h"
#include "engine/formats/run_report.h"
#include "engine/formats/run_report_facts.h"

#include <string>
#include <vector>

namespace triaxis
{

/// Everything that the sections of a run's report are made from.
struct ReportInput
{
    const RunReportSource& source;
    const RunPlan& plan;
    const RunEnvironment& environment;
    const RunStatus& status;
    const RunRecords& records;
    const ReportFacts& facts;
};

using ReportSections = std::vector<ReportSection>;

/// Each adds its sections; none where it has nothing to say.
void addFailure(ReportSections& sections, const ReportInput& input);
void addFigures(ReportSections& sections, const ReportInput& input);
void addLayout(ReportSections& sections, const ReportInput& input);
void addTimeline(ReportSections& sections, const ReportInput& input);
void addLoss(ReportSections& sections, const ReportInput& input);
void addBubble(ReportSections& sections, const ReportInput& input);
void addMemory(ReportSections& sections, const ReportInput& input);
void addCommunication(ReportSections& sections, const ReportInput& input);
void addPredictionErrors(ReportSections& sections, const ReportInput& input);
void addSettings(ReportSections& sections, const ReportInput& input);
void addEnvironment(ReportSections& sections, const ReportInput& input);
void addRepeat(ReportSections& sections, const ReportInput& input);
void addLog(ReportSections& sections, const ReportInput& input);
void addMethod(ReportSections& sections, const ReportInput& input);

/// Title and lines beneath it.
void setHeader(ReportDocument& report, const ReportInput& input);

/// "×" between the sizes of the axes.
std::string axesText(const Layout& layout);
/// Three or four significant digits, "–" for what is no number.
std::string figureText(double value, int decimals = 3);
/// "19.4 %" with one decimal, "–" for what is no number.
std::string shareText(double fraction);
/// A cell of a number: what people read, and the number itself.
ReportCell secondsCell(double seconds);
ReportCell bytesCell(std::int64_t bytes);
ReportCell shareCell(double fraction);
/// `text` with %1, %2 … replaced by `values`.
std::string filled(const std::string& text, std::initializer_list<std::string> values);
/// "12 steps", "1 step": %n is the number, grouped.
std::string countedText(const char* many, const char* one, std::int64_t count);
/// "rank 3".
std::string rankText(Rank rank);
/// "stage 1".
std::string stageText(int stage);

} // namespace triaxis

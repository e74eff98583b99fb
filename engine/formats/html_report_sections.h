#pragma once

#include "engine/formats/html_report_facts.h"
#include "engine/timeline/svg_writer.h"

#include <string>

namespace triaxis
{

/// Everything that the sections of a report are made from.
struct ReportInput
{
    const RunPlan& plan;
    const RunEnvironment& environment;
    const RunStatus& status;
    const RunRecords& records;
    const ReportFacts& facts;
    ClassPaint& paint; ///< collects the colours of all pictures
};

/// Each returns HTML of one panel, "" where it has nothing to say.
std::string headerSection(const ReportInput& input);
std::string failureSection(const ReportInput& input);
std::string figuresSection(const ReportInput& input);
std::string timelineSection(const ReportInput& input);
std::string lossPanel(const ReportInput& input);
std::string bubblePanel(const ReportInput& input);
std::string memorySection(const ReportInput& input);
std::string settingsSection(const ReportInput& input);
std::string logSection(const ReportInput& input);
std::string methodSection(const ReportInput& input);

/// "gpt2-1M · 2×2×2"
std::string reportTitle(const RunPlan& plan);
/// A panel with its title at the left and a remark at the right; `body` is HTML, the rest is text.
std::string panel(const std::string& title, const std::string& remark, const std::string& body);
std::string paragraph(const std::string& text, const char* kind = nullptr);
/// "×" between the sizes of the axes.
std::string axesText(const Layout& layout);
/// Three or four significant digits, "–" for what is no number.
std::string figureText(double value, int decimals = 3);

} // namespace triaxis

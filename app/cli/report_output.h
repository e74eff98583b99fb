#pragma once

#include "engine/formats/report_document.h"

#include <filesystem>
#include <string>

namespace CLI
{
class App;
}

namespace triaxis::cli
{

/// How a report, or one picture of it, is to look.
struct ReportLook
{
    std::string paper = "a4";        ///< "letter"
    std::string language = "en";    ///< "ru"
    std::string view = {};           ///< one picture; empty: the whole report
    double width = reportWholeWidth; ///< pixels that a single picture is drawn for
};

/// "html", "pdf", "svg", "png" by the ending of a file's name; "" for another.
std::string reportFormatOf(const std::filesystem::path& path);

/// --language of a report: an option of `command`, in the given group of its help.
void addReportLanguage(CLI::App& command, std::string& language, const std::string& group = "");

/// Writes a report as HTML or PDF, or a picture of it as SVG, PNG or PDF; see writeFile(). PDF and
/// PNG need fonts: triaxis-gui writes them, without a display. Throws Error, also where a build has
/// no triaxis-gui.
void writeReport(const std::filesystem::path& path, const std::string& format,
                 const ReportDocument& report, const ReportLook& look = {});

} // namespace triaxis::cli

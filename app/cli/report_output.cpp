#include "app/cli/report_output.h"

#include "app/cli/capture.h"
#include "app/cli/export_file.h"
#include "engine/core/error.h"
#include "engine/formats/report_html.h"
#include "engine/formats/report_language.h"
#include "engine/language/phrasebook.h"
#include "engine/formats/report_parcel.h"
#include "launcher/supervisor.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <ostream>

namespace triaxis::cli
{
namespace
{

namespace fs = std::filesystem;

constexpr double limitSeconds = 600;
constexpr double pixelsPerMillimetre = 96 / 25.4;
constexpr double margins = 24;   // millimetres, both sides
constexpr double halvesGap = 28; // pixels between two halves
constexpr double longSideOfA4 = 297;
constexpr double longSideOfLetter = 279.4;

/// A folder of its own that is gone afterwards.
class PassingFolder
{
public:
    PassingFolder()
    {
        std::string pattern = (fs::temp_directory_path() / "triaxis-report-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr)
            throw Error("cannot export", pattern + " cannot be made",
                        "free some space there, or set TMPDIR to another place");
        m_path = pattern;
    }
    ~PassingFolder()
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    PassingFolder(const PassingFolder&) = delete;
    PassingFolder& operator=(const PassingFolder&) = delete;
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::vector<double> printWidths(const std::string& paper)
{
    const double side = paper == "letter" ? longSideOfLetter : longSideOfA4;
    const double width = (side - margins) * pixelsPerMillimetre;
    return {width, (width - halvesGap) / 2};
}

/// A report of nothing but the picture, so that no other is drawn.
ReportDocument onlyPicture(const ReportDocument& report, const std::string& id)
{
    ReportDocument alone{report.title, {}};
    alone.language = report.language;
    alone.dateUtc = report.dateUtc;
    ReportSection section;
    section.blocks.emplace_back(pictureOf(report, id));
    alone.sections.push_back(std::move(section));
    return alone;
}

void copyInto(std::ostream& out, const fs::path& from)
{
    std::ifstream in(from, std::ios::binary);
    if (!in)
        throw Error("cannot export", from.string() + " cannot be read again", "try again");
    out << in.rdbuf();
}

void writeByWindow(const fs::path& path, const std::string& format, const ReportDocument& report,
                   const ReportLook& look)
{
    const fs::path program = findPrograms().window;
    std::error_code ignored;
    if (!fs::exists(program, ignored))
        throw Error("cannot export as " + format, program.string() + " is not there",
                    "this build has no window, which brings the fonts; use html or svg");
    const PassingFolder folder;
    const fs::path parcel = folder.path() / "report";
    const fs::path drawn = folder.path() / ("drawn." + format);
    writeFile(parcel, [&](std::ostream& out) {
        out << (look.view.empty() ? packReport(report, printWidths(look.paper))
                                  : packReport(onlyPicture(report, look.view), {look.width}));
    });
    const Captured said =
        capture({program.string(), "--render", parcel.string(), "--render-to", drawn.string(),
                 "--render-as", format, "--render-view", look.view, "--render-paper", look.paper,
                 "--render-width", std::to_string(int(look.width))},
                limitSeconds, {"QT_QPA_PLATFORM=offscreen"});
    if (said.exitCode != 0)
        throw Error("cannot export as " + format,
                    said.output.empty() ? program.string() + " did not end well"
                                        : said.output.substr(0, said.output.find('\n')),
                    "use html or svg");
    writeFile(path, [&](std::ostream& out) { copyInto(out, drawn); });
}

} // namespace

std::string reportFormatOf(const fs::path& path)
{
    const std::string ending = path.extension().string();
    for (const char* format : {"html", "pdf", "svg", "png"})
        if (ending == "." + std::string(format))
            return format;
    return ending == ".htm" ? "html" : "";
}

void addReportLanguage(CLI::App& command, std::string& language, const std::string& group)
{
    CLI::Option* option =
        command.add_option("--language", language, "Language of the report: en or ru");
    option->check(CLI::IsMember({"en", "ru"}))->capture_default_str();
    if (!group.empty())
        option->group(group);
}

void writeReport(const fs::path& path, const std::string& format, const ReportDocument& english,
                 const ReportLook& look)
{
    const ReportDocument report = spokenReport(english, Phrasebook::of(look.language));
    if (look.view.empty() && (format == "png" || format == "svg"))
        throw Error("cannot write the report", "\"" + path.string() + "\" is a picture's name",
                    "use .html or .pdf");
    if (format == "pdf" || format == "png")
        writeByWindow(path, format, report, look);
    else if (format == "svg")
        writeFile(path, [&](std::ostream& out) {
            out << toSvg(pictureOf(report, look.view).draw(look.width), lightPalette());
        });
    else
        writeFile(path, [&](std::ostream& out) { out << reportHtml(report); });
}

} // namespace triaxis::cli

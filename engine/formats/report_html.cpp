#include "engine/formats/report_html.h"

#include "engine/formats/report_style.h"
#include "engine/timeline/number_text.h"
#include "engine/timeline/svg_writer.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr double leastWideWidth = 900;
constexpr double leastWidth = 760;
constexpr std::size_t mostUnbroken = 28; // bytes of a cell that stays on one line

std::string element(const char* name, const std::string& text, const char* kind = nullptr)
{
    return "<" + std::string(name) + (kind ? " class=\"" + std::string(kind) + "\">" : ">") +
           escapedXml(text) + "</" + name + ">";
}

class HtmlWriter
{
public:
    explicit HtmlWriter(const ReportDocument& report) : m_report(report) {}

    std::string write()
    {
        // The sections come first: the style sheet has a rule for each colour that they used.
        const std::string body = header() + sections();
        return "<!DOCTYPE html>\n<html lang=\"" + escapedXml(m_report.language) +
               "\">\n<head>\n<meta charset=\"utf-8\"/>\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
               "style-src 'unsafe-inline'\"/>\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
               "<meta name=\"generator\" content=\"Triaxis\"/>\n<title>" +
               escapedXml(m_report.title) + "</title>\n<style>\n" +
               reportStyle(m_paint.rules(lightPalette()), m_paint.rules(darkPalette())) +
               "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n";
    }

private:
    std::string header() const
    {
        std::string html = "<header>" + element("h1", m_report.title);
        for (const std::string& line : m_report.subtitle)
            html += element("p", line) + "\n";
        return html + "</header>\n";
    }

    std::string sections()
    {
        std::string html;
        bool inPair = false;
        for (std::size_t i = 0; i < m_report.sections.size(); ++i) {
            const ReportSection& section = m_report.sections[i];
            const bool half = section.width == ReportWidth::Half;
            const bool nextHalf = i + 1 < m_report.sections.size() &&
                                  m_report.sections[i + 1].width == ReportWidth::Half;
            if (half && !inPair && nextHalf) {
                html += "<div class=\"pair\">\n";
                html += sectionOf(section);
                inPair = true;
            } else {
                html += sectionOf(section);
                if (inPair)
                    html += "</div>\n";
                inPair = false;
            }
        }
        return html;
    }

    std::string sectionOf(const ReportSection& section)
    {
        std::string html = "<section class=\"panel" + std::string(section.alarm ? " alarm" : "") +
                           (section.screenOnly ? " screen" : "") + "\"" +
                           (section.alarm ? " role=\"alert\"" : "") + ">";
        if (!section.title.empty() || !section.remark.empty())
            html += "<div class=\"head\">" + element("h2", section.title) +
                    (section.remark.empty() ? "" : element("span", section.remark)) + "</div>\n";
        m_width = section.width == ReportWidth::Half ? reportHalfWidth : reportWholeWidth;
        for (const ReportBlock& block : section.blocks)
            html += std::visit([this](const auto& one) { return htmlOf(one); }, block);
        return html + "</section>\n";
    }

    std::string htmlOf(const ReportParagraph& paragraph)
    {
        return element("p", paragraph.text, paragraph.tone == ReportTone::Note ? "note" : nullptr) +
               "\n";
    }

    std::string htmlOf(const ReportFigures& figures)
    {
        std::string html = "<dl class=\"figures\">\n";
        for (const ReportFigure& figure : figures.figures)
            html += "<div>" + element("dt", figure.name) + element("dd", figure.value) +
                    element("dd", figure.meaning) + "</div>\n";
        return html + "</dl>\n";
    }

    std::string htmlOf(const ReportPicture& picture)
    {
        m_paint.nextPicture();
        const DisplayList list = picture.draw(m_width);
        // On narrow screens it is scrolled rather than made smaller than it can be read.
        const double least = std::min(list.width, picture.wide ? leastWideWidth : leastWidth);
        return "<div class=\"picture scroll\" style=\"--least:" + shortText(least, 0) + "px\">" +
               svgOf(list, m_paint, picture.title) + "</div>\n";
    }

    std::string htmlOf(const ReportTable& table)
    {
        if (table.fileOnly)
            return {};
        std::string html = "<div class=\"scroll\"><table>";
        if (!table.title.empty() && !table.folded)
            html += element("caption", table.title);
        html += "<thead><tr>";
        for (const ReportColumn& column : table.columns)
            html += "<th" + std::string(column.number ? " class=\"n\">" : ">") +
                    escapedXml(column.name) +
                    (column.unit.empty() ? "" : "<br/>" + element("span", column.unit, "unit")) +
                    "</th>";
        html += "</tr></thead><tbody>\n";
        for (const std::vector<ReportCell>& row : table.rows) {
            html += "<tr>";
            for (std::size_t i = 0; i < row.size(); ++i)
                html += cellOf(row[i], i < table.columns.size() && table.columns[i].number);
            html += "</tr>\n";
        }
        html += "</tbody></table></div>\n";
        return table.folded ? "<details><summary>" + escapedXml(table.title) + "</summary>" + html +
                                  "</details>\n"
                            : html;
    }

    static std::string cellOf(const ReportCell& cell, bool number)
    {
        const bool brief = !number && cell.note.empty() && cell.text.size() <= mostUnbroken;
        return "<td" +
               std::string(number  ? " class=\"n\">"
                           : brief ? " class=\"s\">"
                                   : ">") +
               (cell.strong ? element("strong", cell.text) : escapedXml(cell.text)) +
               (cell.note.empty() ? "" : "<br/>" + element("span", cell.note, "note")) + "</td>";
    }

    std::string htmlOf(const ReportTerms& terms)
    {
        std::string html = "<dl class=\"how\">\n";
        for (const auto& [term, meaning] : terms.terms)
            html += "<div>" + element("dt", term) + element("dd", meaning) + "</div>\n";
        return html + "</dl>\n";
    }

    std::string htmlOf(const ReportGroups& groups)
    {
        std::string html = "<div class=\"settings\">";
        for (const ReportGroup& group : groups.groups) {
            html += "<section>" + element("h3", group.title) + "<table><tbody>";
            for (const auto& [name, value] : group.rows)
                html += "<tr>" + element("td", name) + element("td", value) + "</tr>\n";
            html += "</tbody></table></section>\n";
        }
        return html + "</div>\n";
    }

    std::string htmlOf(const ReportLines& lines)
    {
        const std::string html = element("pre", lines.text) + "\n";
        return lines.title.empty()
                   ? html
                   : "<details class=\"screen\"><summary>" + escapedXml(lines.title) +
                         "</summary>" + html + "</details>\n";
    }

    const ReportDocument& m_report;
    ClassPaint m_paint;
    double m_width = reportWholeWidth;
};

} // namespace

std::string reportHtml(const ReportDocument& report)
{
    return HtmlWriter(report).write();
}

} // namespace triaxis

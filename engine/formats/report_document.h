#pragma once

#include "engine/timeline/display_list.h"

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace triaxis
{

/// A report before it has a form: what the HTML page, the PDF pages, the single pictures and the
/// CSV tables of it are all written from. Texts are plain text in UTF-8 for people.

enum class ReportTone { Body, Note };
struct ReportParagraph
{
    std::string text;
    ReportTone tone = ReportTone::Body;
};

struct ReportFigure
{
    std::string name;
    std::string value;        ///< with its unit
    std::string meaning = {}; ///< of which steps, measured or predicted
};
struct ReportFigures
{
    std::vector<ReportFigure> figures;
};

/// A picture that is drawn for the width that it gets.
struct ReportPicture
{
    std::string id;    ///< by which it is asked for alone: "timeline"
    std::string title; ///< for those who cannot see it
    std::function<DisplayList(double width)> draw;
    double headHeight = 0; ///< pixels at its top that come again on each page it goes on on
    bool wide = false;     ///< rather scrolled than made narrower than it can be read
};

struct ReportColumn
{
    std::string id = {};   ///< heading in files for programs, its unit last: "peak_bytes"
    std::string name = {}; ///< heading for people
    std::string unit = {}; ///< where the cells do not carry their own: "nats per token"
    bool number = true;    ///< aligned to the right
};
struct ReportCell
{
    std::string text = {}; ///< for people: "217 ms"
    std::string value =
        {}; ///< for programs, in the unit of the column's id: "0.217"; empty: the text
    std::string note = {}; ///< a second line
    bool strong = false;
};
struct ReportTable
{
    std::string id; ///< by which it is asked for alone: "memory"
    std::string title;
    std::vector<ReportColumn> columns = {};
    std::vector<std::vector<ReportCell>> rows = {}; ///< of one cell a column
    bool fileOnly = false;                          ///< too long to be read: for files only
    bool folded = false;                            ///< on a page for screens behind its title
};

/// Terms and what they mean.
struct ReportTerms
{
    std::vector<std::pair<std::string, std::string>> terms;
};
/// Groups of names and values, side by side where there is room.
struct ReportGroup
{
    std::string title;
    std::vector<std::pair<std::string, std::string>> rows;
};
struct ReportGroups
{
    std::vector<ReportGroup> groups;
};
/// Text of a fixed pitch as it is: a command, lines of a log, a file.
struct ReportLines
{
    std::string text;
    std::string title = {}; ///< where it is folded on a page for screens
};

using ReportBlock = std::variant<ReportParagraph, ReportFigures, ReportPicture, ReportTable,
                                 ReportTerms, ReportGroups, ReportLines>;

enum class ReportWidth { Whole, Half };
struct ReportSection
{
    std::string title;
    std::string remark; ///< beside the title
    std::vector<ReportBlock> blocks = {};
    ReportWidth width = ReportWidth::Whole; ///< two halves in a row lie side by side
    bool alarm = false;
    bool screenOnly = false; ///< no use on paper
};

struct ReportDocument
{
    std::string title;
    std::vector<std::string> subtitle;
    std::string language = "en";
    std::string pageWords = "page %1 of %2"; ///< at the foot of a page on paper
    std::string dateUtc = {}; ///< of what it tells of, ISO 8601: when a file says it was made;
                              ///< empty: of the day that it is written
    std::vector<ReportSection> sections = {};
};

/// Pixels of the two widths on a page for screens, and on paper.
inline constexpr double reportWholeWidth = 1190;
inline constexpr double reportHalfWidth = 572;

/// Pictures and tables by their ids, in the order of the report; null where there is none.
std::vector<const ReportPicture*> picturesOf(const ReportDocument& report);
std::vector<const ReportTable*> tablesOf(const ReportDocument& report);
/// Throws Error that names those there are.
const ReportPicture& pictureOf(const ReportDocument& report, const std::string& id);
const ReportTable& tableOf(const ReportDocument& report, const std::string& id);

/// A row a line, LF at its end; a heading line first. See csvCell().
std::string tableCsv(const ReportTable& table);

/// Pictures beneath each other, `gap` pixels apart.
DisplayList stacked(std::vector<DisplayList> lists, double gap);

} // namespace triaxis

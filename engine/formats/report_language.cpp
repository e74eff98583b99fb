#include "engine/formats/report_language.h"

#include "engine/timeline/said_picture.h"

#include <memory>

namespace triaxis
{
namespace
{

class Speaker
{
public:
    explicit Speaker(const Phrasebook& book) : m_book(std::make_shared<const Phrasebook>(book)) {}

    void say(std::string& text) const { text = m_book->say(text); }

    void operator()(ReportParagraph& one) const { say(one.text); }
    void operator()(ReportFigures& one) const
    {
        for (ReportFigure& figure : one.figures) {
            say(figure.name);
            say(figure.value);
            say(figure.meaning);
        }
    }
    void operator()(ReportPicture& one) const
    {
        say(one.title);
        one.draw = [book = m_book, draw = one.draw](double width) {
            DisplayList list = draw(width);
            sayPicture(list, [&](const std::string& text) { return book->say(text); });
            return list;
        };
    }
    void operator()(ReportTable& one) const
    {
        say(one.title);
        for (ReportColumn& column : one.columns) {
            say(column.name);
            say(column.unit);
        }
        for (auto& row : one.rows)
            for (std::size_t i = 0; i < row.size(); ++i) {
                // Files for programs are the same in every language.
                if (row[i].value.empty() && i < one.columns.size() && !one.columns[i].number)
                    row[i].value = row[i].text;
                say(row[i].text);
                say(row[i].note);
            }
    }
    void operator()(ReportTerms& one) const { sayPairs(one.terms); }
    void operator()(ReportGroups& one) const
    {
        for (ReportGroup& group : one.groups) {
            say(group.title);
            sayPairs(group.rows);
        }
    }
    void operator()(ReportLines& one) const { say(one.title); }

private:
    void sayPairs(std::vector<std::pair<std::string, std::string>>& pairs) const
    {
        for (auto& [name, value] : pairs) {
            say(name);
            say(value);
        }
    }

    std::shared_ptr<const Phrasebook> m_book;
};

} // namespace

ReportDocument spokenReport(const ReportDocument& report, const Phrasebook& book)
{
    if (book.language() == "en")
        return report;
    const Speaker speaker(book);
    ReportDocument spoken = report;
    spoken.language = book.language();
    speaker.say(spoken.title);
    speaker.say(spoken.pageWords);
    for (std::string& line : spoken.subtitle)
        speaker.say(line);
    for (ReportSection& section : spoken.sections) {
        speaker.say(section.title);
        speaker.say(section.remark);
        for (ReportBlock& block : section.blocks)
            std::visit(speaker, block);
    }
    return spoken;
}

} // namespace triaxis

#include "ui/report/report_pieces.h"

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double titleSize = 19;
constexpr double headingSize = 13;
constexpr double bodySize = 11;
constexpr double noteSize = 10;
constexpr double figureSize = 15;
constexpr double sectionSpace = 22;
constexpr double halvesGap = 28;
constexpr double figureWidth = 132;
constexpr double groupGap = 28;
constexpr double groupWidth = 300;

const QColor alarm(0xA3, 0x26, 0x1B);

QString text(const std::string& words)
{
    return QString::fromStdString(words);
}

class Pieces
{
public:
    Pieces(const PrintCanvas& canvas, double width, double height)
        : m_canvas(canvas), m_width(width), m_height(height)
    {
    }

    void title(const ReportDocument& report)
    {
        paragraph(text(report.title), PrintFont::Bold, titleSize, printInk(Ink::Text), 0);
        for (const std::string& line : report.subtitle)
            paragraph(text(line), PrintFont::Plain, bodySize, printInk(Ink::MutedText), 2);
    }

    void section(const ReportSection& section)
    {
        const std::size_t first = m_pieces.size();
        if (!section.title.empty())
            heading(section);
        for (const ReportBlock& block : section.blocks)
            std::visit([this, &section](const auto& one) { add(one, section); }, block);
        if (m_pieces.size() > first)
            m_pieces[first].spaceBefore = sectionSpace;
    }

    std::vector<PagePiece> take() { return std::move(m_pieces); }

private:
    void push(double height, double space, std::function<void(PrintCanvas&, const QPointF&)> paint)
    {
        PagePiece piece;
        piece.height = height;
        piece.spaceBefore = space;
        piece.paint = std::move(paint);
        m_pieces.push_back(std::move(piece));
    }

    void append(std::vector<PagePiece> pieces)
    {
        for (PagePiece& piece : pieces)
            m_pieces.push_back(std::move(piece));
    }

    void paragraph(const QString& words, PrintFont font, double size, const QColor& colour,
                   double space)
    {
        if (words.isEmpty())
            return;
        push(m_canvas.paragraphHeight(words, font, size, m_width), space,
             [words, font, size, colour, width = m_width](PrintCanvas& canvas, const QPointF& at) {
                 canvas.paragraph(at, words, font, size, width, colour);
             });
    }

    void heading(const ReportSection& section)
    {
        const QString title = text(section.title);
        const QString remark = text(section.remark);
        const double titleWidth = m_canvas.textWidth(title, PrintFont::Bold, headingSize);
        const double room = m_width - titleWidth - 16;
        const bool beside =
            m_canvas.textWidth(remark, PrintFont::Plain, noteSize) <= room || remark.isEmpty();
        const double below =
            beside ? 0 : m_canvas.paragraphHeight(remark, PrintFont::Plain, noteSize, m_width);
        const QColor ink = section.alarm ? alarm : printInk(Ink::Text);
        push(24 + below, 0, [=, width = m_width](PrintCanvas& canvas, const QPointF& at) {
            canvas.line(at, at + QPointF(width, 0), ink, 1);
            canvas.write(at + QPointF(0, 14), title, PrintFont::Bold, headingSize, ink);
            if (beside)
                canvas.write(at + QPointF(width, 14), remark, PrintFont::Plain, noteSize,
                             printInk(Ink::MutedText), Align::Right);
            else
                canvas.paragraph(at + QPointF(0, 23), remark, PrintFont::Plain, noteSize, width,
                                 printInk(Ink::MutedText));
        });
        m_pieces.back().keepWithNext = true;
    }

    void add(const ReportParagraph& one, const ReportSection& section)
    {
        const bool note = one.tone == ReportTone::Note;
        paragraph(text(one.text), PrintFont::Plain, note ? noteSize : bodySize,
                  section.alarm ? alarm : printInk(note ? Ink::MutedText : Ink::Text), 6);
    }

    void add(const ReportFigures& figures, const ReportSection&)
    {
        const int columns = std::max(1, int(m_width / figureWidth));
        const double width = m_width / std::min<double>(columns, double(figures.figures.size()));
        for (std::size_t i = 0; i < figures.figures.size(); i += std::size_t(columns)) {
            const std::vector<ReportFigure> row(
                figures.figures.begin() + std::ptrdiff_t(i),
                figures.figures.begin() +
                    std::ptrdiff_t(std::min(figures.figures.size(), i + std::size_t(columns))));
            double height = 0;
            for (const ReportFigure& figure : row)
                height = std::max(height, 42 + m_canvas.paragraphHeight(text(figure.meaning),
                                                                        PrintFont::Plain, noteSize,
                                                                        width - 12));
            push(height, 12, [row, width](PrintCanvas& canvas, const QPointF& at) {
                QPointF place = at;
                for (const ReportFigure& figure : row) {
                    canvas.write(place + QPointF(0, 7), text(figure.name), PrintFont::Plain,
                                 noteSize, printInk(Ink::MutedText));
                    canvas.write(place + QPointF(0, 26), text(figure.value), PrintFont::Bold,
                                 figureSize, printInk(Ink::Text));
                    canvas.paragraph(place + QPointF(0, 38), text(figure.meaning), PrintFont::Plain,
                                     noteSize, width - 12, printInk(Ink::MutedText));
                    place.rx() += width;
                }
            });
        }
    }

    void add(const ReportPicture& picture, const ReportSection&)
    {
        // Beneath its heading there is a little less than a page.
        append(picturePieces(picture, m_width, m_height - 48));
    }

    void add(const ReportTable& table, const ReportSection&)
    {
        if (!table.fileOnly)
            append(tablePieces(table, m_canvas, m_width));
    }

    void add(const ReportTerms& terms, const ReportSection&)
    {
        for (const auto& [term, meaning] : terms.terms) {
            const QString name = text(term);
            const QString words = text(meaning);
            const double left = std::min(180.0, m_width * 0.3);
            const double height = std::max(
                m_canvas.paragraphHeight(words, PrintFont::Plain, bodySize, m_width - left),
                m_canvas.paragraphHeight(name, PrintFont::Bold, bodySize, left - 12));
            push(height, 6, [=, width = m_width](PrintCanvas& canvas, const QPointF& at) {
                canvas.paragraph(at, name, PrintFont::Bold, bodySize, left - 12,
                                 printInk(Ink::Text));
                canvas.paragraph(at + QPointF(left, 0), words, PrintFont::Plain, bodySize,
                                 width - left, printInk(Ink::Text));
            });
        }
    }

    /// A group with its rows, each as high as it needs.
    PagePiece groupPiece(const ReportGroup& group, double width)
    {
        struct Row
        {
            QString name, value;
            double height = 0;
        };
        const double left = width * 0.44;
        std::vector<Row> rows;
        double height = 18;
        for (const auto& [name, value] : group.rows) {
            Row row{text(name), text(value)};
            row.height = 4 + std::max(m_canvas.paragraphHeight(row.name, PrintFont::Plain, bodySize,
                                                               left - 8),
                                      m_canvas.paragraphHeight(row.value, PrintFont::Plain,
                                                               bodySize, width - left));
            height += row.height;
            rows.push_back(std::move(row));
        }
        PagePiece piece;
        piece.height = height;
        piece.paint = [rows, left, width, title = text(group.title)](PrintCanvas& canvas,
                                                                     const QPointF& at) {
            canvas.write(at + QPointF(0, 8), title, PrintFont::Bold, bodySize, printInk(Ink::Text));
            double y = 18;
            for (const Row& row : rows) {
                const QPointF place = at + QPointF(0, y + 2);
                canvas.paragraph(place, row.name, PrintFont::Plain, bodySize, left - 8,
                                 printInk(Ink::MutedText));
                canvas.paragraph(place + QPointF(left, 0), row.value, PrintFont::Plain, bodySize,
                                 width - left, printInk(Ink::Text));
                y += row.height;
                canvas.line(at + QPointF(0, y), at + QPointF(width, y), printInk(Ink::Line), 0.6);
            }
        };
        return piece;
    }

    void add(const ReportGroups& groups, const ReportSection&)
    {
        const int columns = std::clamp(int((m_width + groupGap) / (groupWidth + groupGap)), 1, 3);
        const double width = (m_width - groupGap * (columns - 1)) / columns;
        // Each next group into the column that is the shortest so far.
        std::vector<std::vector<PagePiece>> filled(std::size_t(columns) + 0);
        for (const ReportGroup& group : groups.groups) {
            if (group.rows.empty())
                continue;
            auto shortest =
                std::min_element(filled.begin(), filled.end(), [](const auto& a, const auto& b) {
                    return heightOf(a) + 0.5 < heightOf(b);
                });
            PagePiece piece = groupPiece(group, width);
            piece.spaceBefore = 14;
            shortest->push_back(std::move(piece));
        }
        PagePiece all = besides(std::move(filled.front()), {}, 0);
        for (std::size_t column = 1; column < filled.size(); ++column)
            all = besides({std::move(all)}, std::move(filled[column]),
                          double(column) * (width + groupGap));
        all.spaceBefore = 8;
        if (all.height > 0)
            m_pieces.push_back(std::move(all));
    }

    void add(const ReportLines& lines, const ReportSection&)
    {
        if (!lines.title.empty())
            return; // folded away on screens, and on paper of no use
        for (QString line : text(lines.text).split(QLatin1Char('\n'))) {
            if (!line.isEmpty())
                paragraph(line, PrintFont::Fixed, noteSize, printInk(Ink::Text), 2);
        }
    }

    const PrintCanvas& m_canvas;
    double m_width;
    double m_height;
    std::vector<PagePiece> m_pieces;
};

} // namespace

std::vector<PagePiece> reportPieces(const ReportDocument& report, const PrintCanvas& canvas,
                                    double width, double height)
{
    const auto piecesOf = [&](const ReportSection& section, double room) {
        Pieces pieces(canvas, room, height);
        pieces.section(section);
        return pieces.take();
    };
    Pieces title(canvas, width, height);
    title.title(report);
    std::vector<PagePiece> all = title.take();
    const auto append = [&all](std::vector<PagePiece> more) {
        for (PagePiece& piece : more)
            all.push_back(std::move(piece));
    };
    const double half = (width - halvesGap) / 2;
    for (std::size_t i = 0; i < report.sections.size(); ++i) {
        const ReportSection& section = report.sections[i];
        if (section.screenOnly)
            continue;
        const bool pair = section.width == ReportWidth::Half && i + 1 < report.sections.size() &&
                          report.sections[i + 1].width == ReportWidth::Half;
        if (!pair) {
            append(piecesOf(section, width));
            continue;
        }
        PagePiece both = besides(piecesOf(section, half), piecesOf(report.sections[i + 1], half),
                                 half + halvesGap);
        if (both.height <= height) {
            all.push_back(std::move(both));
        } else {
            append(piecesOf(section, width));
            append(piecesOf(report.sections[i + 1], width));
        }
        ++i;
    }
    return all;
}

} // namespace triaxis::ui

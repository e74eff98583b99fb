#include "ui/report/report_pieces.h"

#include <algorithm>
#include <numeric>

namespace triaxis::ui
{
namespace
{

constexpr double textSize = 11;
constexpr double noteSize = 9.5;
constexpr double padding = 10; // between columns
constexpr double rowSpace = 3; // above and below the text of a row
constexpr double leastColumn = 56;
constexpr std::size_t mostMeasured = 400;

QString text(const std::string& words)
{
    return QString::fromStdString(words);
}

/// A table with the widths of its columns; shared by its pieces.
class PrintTable
{
public:
    PrintTable(ReportTable table, const PrintCanvas& canvas, double width)
        : m_table(std::move(table))
    {
        m_widths.resize(m_table.columns.size());
        for (std::size_t column = 0; column < m_widths.size(); ++column)
            m_widths[column] = naturalWidth(column, canvas);
        fit(width + padding); // none behind the last
    }

    std::size_t rows() const { return m_table.rows.size(); }

    double headHeight(const PrintCanvas& canvas) const
    {
        double height = 0;
        for (std::size_t column = 0; column < m_widths.size(); ++column)
            height = std::max(height, canvas.paragraphHeight(headText(column), PrintFont::Bold,
                                                             noteSize, inside(column)));
        return height + 2 * rowSpace;
    }

    void paintHead(PrintCanvas& canvas, const QPointF& at, double height) const
    {
        double x = at.x();
        for (std::size_t column = 0; column < m_widths.size(); ++column) {
            const double used =
                canvas.paragraphHeight(headText(column), PrintFont::Bold, noteSize, inside(column));
            canvas.paragraph({x, at.y() + height - rowSpace - used}, headText(column),
                             PrintFont::Bold, noteSize, inside(column), printInk(Ink::MutedText),
                             alignOf(column));
            x += m_widths[column];
        }
        rule(canvas, at, height, Ink::MutedText);
    }

    double rowHeight(std::size_t row, const PrintCanvas& canvas) const
    {
        double height = 0;
        for (std::size_t column = 0; column < cells(row); ++column) {
            const ReportCell& cell = m_table.rows[row][column];
            double used =
                canvas.paragraphHeight(text(cell.text), fontOf(cell), textSize, inside(column));
            if (!cell.note.empty())
                used += canvas.paragraphHeight(text(cell.note), PrintFont::Plain, noteSize,
                                               inside(column));
            height = std::max(height, used);
        }
        return height + 2 * rowSpace;
    }

    void paintRow(std::size_t row, PrintCanvas& canvas, const QPointF& at, double height) const
    {
        double x = at.x();
        for (std::size_t column = 0; column < cells(row); ++column) {
            const ReportCell& cell = m_table.rows[row][column];
            const QPointF place(x, at.y() + rowSpace);
            canvas.paragraph(place, text(cell.text), fontOf(cell), textSize, inside(column),
                             printInk(Ink::Text), alignOf(column));
            if (!cell.note.empty()) {
                const double above =
                    canvas.paragraphHeight(text(cell.text), fontOf(cell), textSize, inside(column));
                canvas.paragraph(place + QPointF(0, above), text(cell.note), PrintFont::Plain,
                                 noteSize, inside(column), printInk(Ink::MutedText),
                                 alignOf(column));
            }
            x += m_widths[column];
        }
        rule(canvas, at, height, Ink::Line);
    }

private:
    static PrintFont fontOf(const ReportCell& cell)
    {
        return cell.strong ? PrintFont::Bold : PrintFont::Plain;
    }
    std::size_t cells(std::size_t row) const
    {
        return std::min(m_table.rows[row].size(), m_widths.size());
    }
    QString headText(std::size_t column) const
    {
        const ReportColumn& named = m_table.columns[column];
        return text(named.name + (named.unit.empty() ? "" : ", " + named.unit));
    }
    Align alignOf(std::size_t column) const
    {
        return m_table.columns[column].number ? Align::Right : Align::Left;
    }
    double inside(std::size_t column) const { return std::max(1.0, m_widths[column] - padding); }

    double naturalWidth(std::size_t column, const PrintCanvas& canvas) const
    {
        // A heading may take two lines.
        double width = canvas.textWidth(headText(column), PrintFont::Bold, noteSize) * 0.62;
        for (const QString& word : headText(column).split(QLatin1Char(' ')))
            width = std::max(width, canvas.textWidth(word, PrintFont::Bold, noteSize));
        const std::size_t rows = std::min(m_table.rows.size(), mostMeasured);
        for (std::size_t row = 0; row < rows; ++row) {
            if (column >= m_table.rows[row].size())
                continue;
            const ReportCell& cell = m_table.rows[row][column];
            width = std::max({width, canvas.textWidth(text(cell.text), fontOf(cell), textSize),
                              canvas.textWidth(text(cell.note), PrintFont::Plain, noteSize)});
        }
        return width + padding + 2;
    }

    /// What does not fit comes out of the widest columns; what is left over goes between all.
    void fit(double width)
    {
        const double sum = std::accumulate(m_widths.begin(), m_widths.end(), 0.0);
        if (sum < width) {
            const double more = std::min((width - sum) / double(m_widths.size()), 60.0);
            for (double& one : m_widths)
                one += more;
            m_width = std::accumulate(m_widths.begin(), m_widths.end(), 0.0);
            return;
        }
        double cap = width;
        for (int round = 0; round < 40; ++round) {
            double capped = 0;
            for (const double one : m_widths)
                capped += std::min(one, cap);
            if (capped <= width)
                break;
            cap = std::max(leastColumn, cap * width / capped);
        }
        for (double& one : m_widths)
            one = std::min(one, cap);
        const double now = std::accumulate(m_widths.begin(), m_widths.end(), 0.0);
        if (now > width)
            for (double& one : m_widths)
                one *= width / now;
        m_width = std::min(now, width);
    }

    void rule(PrintCanvas& canvas, const QPointF& at, double height, Ink ink) const
    {
        canvas.line(at + QPointF(0, height), at + QPointF(m_width - padding, height), printInk(ink),
                    0.6);
    }

    ReportTable m_table;
    std::vector<double> m_widths;
    double m_width = 0;
};

} // namespace

std::vector<PagePiece> tablePieces(const ReportTable& table, const PrintCanvas& canvas,
                                   double width)
{
    const auto printed = std::make_shared<const PrintTable>(table, canvas, width);
    const double headHeight = printed->headHeight(canvas);
    PagePiece head;
    head.height = headHeight;
    head.spaceBefore = 8;
    head.keepWithNext = printed->rows() > 0;
    head.paint = [printed, headHeight](PrintCanvas& onto, const QPointF& at) {
        printed->paintHead(onto, at, headHeight);
    };
    std::vector<PagePiece> pieces;
    if (!table.title.empty()) {
        PagePiece title;
        title.height = 16;
        title.spaceBefore = 10;
        title.keepWithNext = true;
        title.paint = [words = text(table.title)](PrintCanvas& onto, const QPointF& at) {
            onto.write(at + QPointF(0, 8), words, PrintFont::Bold, textSize, printInk(Ink::Text));
        };
        head.spaceBefore = 0;
        pieces.push_back(std::move(title));
    }
    const auto again = std::make_shared<const PagePiece>(head);
    pieces.push_back(std::move(head));
    for (std::size_t row = 0; row < printed->rows(); ++row) {
        PagePiece piece;
        piece.height = printed->rowHeight(row, canvas);
        piece.head = again;
        piece.paint = [printed, row, height = piece.height](PrintCanvas& onto, const QPointF& at) {
            printed->paintRow(row, onto, at, height);
        };
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

} // namespace triaxis::ui

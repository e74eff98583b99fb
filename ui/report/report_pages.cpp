#include "ui/report/report_pages.h"

#include "engine/core/error.h"
#include "ui/report/page_flow.h"
#include "ui/report/pdf_bytes.h"
#include "ui/report/report_pieces.h"

#include <QBuffer>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>

namespace triaxis::ui
{
namespace
{

constexpr int resolution = 1200;
constexpr double pixelsPerInch = 96;
constexpr double scale = resolution / pixelsPerInch;
constexpr double marginMillimetres = 12;
constexpr double footerHeight = 26;
constexpr double footerSize = 9;

void setUp(QPdfWriter& writer, const QString& title)
{
    writer.setResolution(resolution);
    writer.setCreator(QStringLiteral("Triaxis"));
    writer.setTitle(title);
}

void begin(QPainter& painter, QPdfWriter& writer)
{
    if (!painter.begin(&writer))
        throw Error("cannot write the PDF", "its first page", "free some memory and try again");
}

void deliver(QIODevice& device, QByteArray& pdf, const std::string& dateUtc)
{
    setCreationDate(pdf, dateUtc);
    if (device.write(pdf) != pdf.size())
        throw Error("cannot write the PDF", device.errorString().toStdString(),
                    "free some space, or choose another place for it");
}

void footer(PrintCanvas& canvas, const QString& title, const QString& words, int page, int pages,
            double width, double top)
{
    canvas.line({0, top + 6}, {width, top + 6}, printInk(Ink::Line), 0.6);
    canvas.write({0, top + 18}, title, PrintFont::Plain, footerSize, printInk(Ink::MutedText));
    const QString number = words.arg(page).arg(pages);
    canvas.write({width, top + 18}, number, PrintFont::Plain, footerSize, printInk(Ink::MutedText),
                 Align::Right);
}

} // namespace

void writeReportPdf(QIODevice& device, const ReportDocument& report, QPageSize::PageSizeId paper,
                    const ReportProgress& progress)
{
    const SteadyHashes steady;
    const QString title = QString::fromStdString(report.title);
    QByteArray pdf;
    QBuffer buffer(&pdf);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        setUp(writer, title);
        writer.setPageLayout(QPageLayout(
            QPageSize(paper), QPageLayout::Landscape,
            QMarginsF(marginMillimetres, marginMillimetres, marginMillimetres, marginMillimetres),
            QPageLayout::Millimeter));
        QPainter painter;
        begin(painter, writer);
        PrintCanvas canvas(painter, scale);
        const double width = writer.width() / scale;
        const double height = writer.height() / scale - footerHeight;
        const std::vector<PagePiece> pieces = reportPieces(report, canvas, width, height);
        const std::vector<PlacedPage> pages = flowPages(pieces, height);
        for (std::size_t page = 0; page < pages.size(); ++page) {
            if (progress)
                progress(double(page) / double(pages.size()));
            if (page > 0)
                writer.newPage();
            for (const PlacedPiece& placed : pages[page])
                placed.piece->paint(canvas, QPointF(0, placed.y));
            footer(canvas, title, QString::fromStdString(report.pageWords), int(page) + 1,
                   int(pages.size()), width, height);
        }
        painter.end();
    }
    deliver(device, pdf, report.dateUtc);
}

void writePicturePdf(QIODevice& device, const DisplayList& picture, const QString& title,
                     const std::string& dateUtc)
{
    const SteadyHashes steady;
    constexpr double border = 16;
    QByteArray pdf;
    QBuffer buffer(&pdf);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        setUp(writer, title);
        // Within what viewers take: 200 inches a side.
        const double most = 190 * pixelsPerInch;
        const double shrunk = std::min(
            {1.0, most / (picture.width + 2 * border), most / (picture.height + 2 * border)});
        const QSizeF inches((picture.width + 2 * border) * shrunk / pixelsPerInch,
                            (picture.height + 2 * border) * shrunk / pixelsPerInch);
        writer.setPageSize(QPageSize(inches, QPageSize::Inch, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        QPainter painter;
        begin(painter, writer);
        PrintCanvas canvas(painter, scale);
        canvas.play(picture, {border * shrunk, border * shrunk}, shrunk,
                    {0, 0, picture.width, picture.height});
        painter.end();
    }
    deliver(device, pdf, dateUtc);
}

} // namespace triaxis::ui

#include <QtTest>

#include "engine/core/error.h"
#include "engine/formats/report_parcel.h"
#include "engine/formats/run_report.h"
#include "tests/engine/timeline/played_run.h"
#include "ui/report/page_flow.h"
#include "ui/report/pdf_bytes.h"
#include "ui/report/report_file.h"
#include "ui/report/report_pieces.h"

#include <QBuffer>
#include <QDateTime>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <unistd.h>

using namespace triaxis;
using namespace triaxis::tests;
using namespace triaxis::ui;

namespace
{

ReportDocument sampleReport(int dp = 2, int tp = 2, int pp = 2)
{
    const RunPlan plan = smallPlan(dp, tp, pp, 4);
    Durations durations;
    durations.jitter = 0.1;
    const RunRecords records = playRun(plan, 6, durations);
    return runReport({plan, sampleEnvironment(), finishedStatus(6), records});
}

QByteArray pdfOf(const ReportDocument& report, QPageSize::PageSizeId paper = QPageSize::A4)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    writeReportPdf(buffer, report, paper);
    return buffer.data();
}

const QString dateForm = QStringLiteral("yyyyMMddHHmmss");

/// In that form.
QString dateIn(const QByteArray& pdf)
{
    const QByteArray key = "/CreationDate (D:";
    return QString::fromLatin1(pdf.mid(pdf.indexOf(key) + key.size(), dateForm.size()));
}

int pagesOf(const QByteArray& pdf)
{
    return int(pdf.count("/Type /Page\n"));
}

PagePiece pieceOf(double height, bool kept = false)
{
    PagePiece piece;
    piece.height = height;
    piece.keepWithNext = kept;
    piece.paint = [](PrintCanvas&, const QPointF&) {};
    return piece;
}

} // namespace

class ReportPagesTest : public QObject
{
    Q_OBJECT

private slots:
    void theSameRunGivesTheSameBytes()
    {
        const QByteArray once = pdfOf(sampleReport());
        QVERIFY(once.startsWith("%PDF-1."));
        QCOMPARE(pdfOf(sampleReport()), once);
        QVERIFY(once.contains("/CreationDate (D:20"));
        // From one process to the next the order of hashes differs where nothing holds it.
        const ReportDocument report =
            unpackReport(packReport(sampleReport(), {1031.8, 501.9, 965.3, 468.6}));
        QVERIFY(pagesOf(pdfOf(report)) >= 3);
    }

    void aPdfIsOfTheDateOfItsRun()
    {
        ReportDocument report = sampleReport();
        report.dateUtc = "2026-02-14T15:30:12Z";
        QVERIFY(pdfOf(report).contains("/CreationDate (D:20260214153012"));
        // What has no date of its own is of now, and differs by nothing else.
        report.dateUtc.clear();
        const QString before = QDateTime::currentDateTimeUtc().toString(dateForm);
        QByteArray once = pdfOf(report);
        const QString date = dateIn(once);
        QVERIFY(date >= before);
        QVERIFY(date <= QDateTime::currentDateTimeUtc().toString(dateForm));
        report.dateUtc = "yesterday";
        QByteArray again = pdfOf(report);
        QVERIFY(dateIn(again) >= date);
        setCreationDate(once, "2026-02-14T15:30:12Z");
        setCreationDate(again, "2026-02-14T15:30:12Z");
        QCOMPARE(again, once);
    }

    void everyPieceLiesOnItsPage()
    {
        for (const auto& [dp, tp, pp] : {std::tuple(2, 2, 2), std::tuple(16, 1, 8)}) {
            const ReportDocument report = sampleReport(dp, tp, pp);
            QImage image(10, 10, QImage::Format_RGB32);
            QPainter painter(&image);
            PrintCanvas canvas(painter, 4);
            const std::vector<PagePiece> pieces = reportPieces(report, canvas, 1031, 680);
            const std::vector<PlacedPage> pages = flowPages(pieces, 680);
            QVERIFY(pages.size() >= 3);
            for (const PlacedPage& page : pages) {
                QVERIFY(!page.empty());
                QVERIFY(!page.back().piece->keepWithNext); // no heading at the foot
                double bottom = 0;
                for (const PlacedPiece& placed : page) {
                    QVERIFY(placed.y >= bottom - 0.01);
                    bottom = placed.y + placed.piece->height;
                    QVERIFY2(bottom <= 680.01, std::to_string(bottom).c_str());
                }
            }
        }
    }

    void tablesRepeatTheirHead()
    {
        std::vector<PagePiece> pieces{pieceOf(20, true)};
        const auto head = std::make_shared<const PagePiece>(pieceOf(20));
        for (int row = 0; row < 30; ++row) {
            pieces.push_back(pieceOf(10));
            pieces.back().head = head;
        }
        const std::vector<PlacedPage> pages = flowPages(pieces, 110);
        QCOMPARE(pages.size(), std::size_t(4));
        for (std::size_t page = 1; page < pages.size(); ++page)
            QCOMPARE(pages[page].front().piece, head.get());
        pieces.assign(3, pieceOf(500)); // higher than any page
        QCOMPARE(flowPages(pieces, 110).size(), std::size_t(3));
    }

    void picturesAreCutBetweenTheirLanes()
    {
        DisplayList list;
        list.width = 100;
        for (int lane = 0; lane < 100; ++lane) {
            list.items.emplace_back(FillRect{0, lane * 20.0, 100, 15, Ink::Forward});
            list.items.emplace_back(DrawText{0, lane * 20.0 + 7, "lane", Ink::Text, 12});
        }
        list.height = 2000;
        list.items.emplace_back(StrokeLine{50, 0, 50, 2000, Ink::Line});
        for (const double limit : {305.0, 310.0, 318.0}) {
            const double cut = cutOf(list, 0, limit);
            QVERIFY(cut <= limit);
            const double within = std::fmod(cut, 20);
            QVERIFY2(within == 0 || within >= 15, std::to_string(cut).c_str());
        }
    }

    void textCanBeSearchedOnTheExpectedPages()
    {
        const QString tool = QStandardPaths::findExecutable("pdftotext");
        const QByteArray pdf = pdfOf(sampleReport());
        if (tool.isEmpty()) {
            QVERIFY(pdf.contains("/ToUnicode"));
            return;
        }
        QTemporaryDir folder;
        const QString file = folder.filePath("a.pdf");
        {
            QFile out(file);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(pdf);
        }
        QProcess process;
        process.start(tool, {"-layout", file, "-"});
        QVERIFY(process.waitForFinished(60'000));
        const QString text = QString::fromUtf8(process.readAllStandardOutput());
        for (const char* wanted : {"gpt2-1M on a text", "Bubble by stage", "How to repeat it",
                                   "triaxis run --plan", "Memory of every rank", "page 1 of"})
            QVERIFY2(text.contains(wanted), wanted);
        const int pages = pagesOf(pdf);
        QVERIFY(text.contains(QString("page %1 of %1").arg(pages)));
        QCOMPARE(text.count('\f'), pages);
    }

    void bothPapersHaveTheirSize()
    {
        const ReportDocument report = sampleReport();
        QVERIFY(pdfOf(report, QPageSize::A4).contains("/MediaBox [0 0 842"));
        QVERIFY(pdfOf(report, QPageSize::Letter).contains("/MediaBox [0 0 792"));
    }

    void picturesComeInEveryFormat()
    {
        QTemporaryDir folder;
        const DisplayList list = pictureOf(sampleReport(), "timeline").draw(900);
        for (const auto& [format, name, magic] :
             {std::tuple(PictureFormat::Png, "a.png", "\x89PNG"),
              std::tuple(PictureFormat::Svg, "a.svg", "<svg"),
              std::tuple(PictureFormat::Pdf, "a.pdf", "%PDF")}) {
            const QString file = folder.filePath(name);
            savePicture(file, list, format, "Timeline");
            QFile written(file);
            QVERIFY(written.open(QIODevice::ReadOnly));
            QVERIFY(written.readAll().startsWith(magic));
        }
        const QImage image(folder.filePath("a.png"));
        QCOMPARE(image.width(), 2 * (900 + 32));
        QCOMPARE(image.pixelColor(2, 2), QColor(Qt::white));
        QVERIFY(pictureImage({100'000, 100'000, {}}, 2).width() < 10'000);
    }

    void nothingHalfIsLeft()
    {
        QTemporaryDir folder;
        const ReportDocument report = sampleReport();
        const QString missing = folder.filePath("no/such/place.pdf");
        QVERIFY_EXCEPTION_THROWN(saveReportPdf(missing, report, QPageSize::A4), Error);
        const QString file = folder.filePath("report.pdf");
        saveText(file, "what was there before");
        QVERIFY_EXCEPTION_THROWN(saveReportPdf(file, report, QPageSize::A4,
                                               [](double share) {
                                                   if (share > 0)
                                                       throw ReportCancelled{};
                                               }),
                                 ReportCancelled);
        QFile before(file);
        QVERIFY(before.open(QIODevice::ReadOnly));
        QCOMPARE(before.readAll(), QByteArray("what was there before"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }
};

QTEST_MAIN(ReportPagesTest)
#include "report_pages_test.moc"

#include <QtTest>

#include "engine/formats/exports.h"
#include "engine/timeline/display_list.h"
#include "engine/timeline/svg_writer.h"
#include "tests/engine/timeline/played_run.h"

#include <QRegularExpression>
#include <QXmlStreamReader>
#include <cmath>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

struct Page
{
    QString html;
    QString text; ///< what is read, without style sheet
    bool wellFormed = false;
};

Page pageOf(const RunPlan& plan, const RunRecords& records, const RunStatus& status,
            const RunEnvironment& environment = sampleEnvironment())
{
    Page page;
    page.html = QString::fromStdString(htmlReport(plan, environment, status, records));
    QXmlStreamReader reader(page.html);
    bool inStyle = false;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement() && reader.name() == QLatin1String("style"))
            inStyle = true;
        if (reader.isEndElement() && reader.name() == QLatin1String("style"))
            inStyle = false;
        if (reader.isCharacters() && !inStyle)
            page.text += reader.text().toString() + " ";
    }
    page.wellFormed = !reader.hasError();
    if (reader.hasError())
        qWarning("line %lld: %s", reader.lineNumber(), qPrintable(reader.errorString()));
    return page;
}

RunRecords sampleRecords(const RunPlan& plan, int steps = 12)
{
    Durations durations;
    durations.jitter = 0.1;
    return playRun(plan, steps, durations);
}

RunStatus failedStatus(const std::string& reason)
{
    RunStatus status;
    status.state = RunState::Failed;
    status.failedRank = Rank(3);
    status.reason = reason;
    return status;
}

} // namespace

class TestHtmlReport : public QObject
{
    Q_OBJECT

private slots:
    void showsWhatWasMeasured()
    {
        const RunPlan plan = smallPlan(2, 2, 2, 4);
        const Page page = pageOf(plan, sampleRecords(plan), finishedStatus(12));
        QVERIFY(page.wellFormed);
        for (const char* wanted :
             {"gpt2-1M on a text · 2 × 2 × 2", "finished", "best reachable 1.386",
              "closed form 20.0\u202f%", "no straggler in its stage", "step 12 of 10", "data 1",
              "dp0 · pp1 · tp1", "rank 7", "stage 1", "nats per token", "Memory of every rank",
              "220\u202fMiB", "OpenBLAS 0.3.21 Haswell", "tp-dp-pp", "1F1B",
              "the worst error is ±8\u202fµs", "None was thinned away", "How each figure was made"})
            QVERIFY2(page.text.contains(wanted), wanted);
    }

    void isSelfContainedAndInert()
    {
        const RunPlan plan = smallPlan(2, 1, 2, 4);
        QString html = pageOf(plan, sampleRecords(plan), finishedStatus(12)).html;
        html.remove("http://www.w3.org/2000/svg"); // the name of the format
        for (const char* unwanted :
             {"http:", "https:", "<script", "src=", "href", "@import", "javascript:", "<link",
              "<iframe", "<object", "onload", "onclick"})
            QVERIFY2(!html.contains(unwanted, Qt::CaseInsensitive), unwanted);
        QVERIFY(!html.contains(QRegularExpression("url\\((?!#)")));
        QVERIFY(html.contains("Content-Security-Policy"));
    }

    void hostileTextsStayText()
    {
        const std::string evil = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>&amp;";
        RunPlan plan = smallPlan(1, 1, 2, 2);
        plan.label = evil;
        plan.model.name = evil;
        plan.weights = evil;
        plan.data.path = evil;
        plan.data.sha256 = evil;
        RunRecords records = sampleRecords(plan, 3);
        records.all.logs.push_back({1, Rank(0), LogLevel::Error, evil});
        records.all.faults.push_back({1, Rank(0), 2, {}, evil});
        HelloRecord hello;
        hello.host = hello.device = evil;
        records.all.hellos.push_back(hello);
        RunEnvironment environment{evil, evil, evil, evil, evil, evil, 4};
        RunStatus status = failedStatus(evil + "\x01\xff");
        status.endedUtc = evil;
        const Page page = pageOf(plan, records, status, environment);
        QVERIFY(page.wellFormed);
        QVERIFY(!page.html.contains("<script", Qt::CaseInsensitive));
        QVERIFY(!page.html.contains("<img", Qt::CaseInsensitive));
        QVERIFY(page.text.contains(QString::fromStdString(evil)));
    }

    void failedRunsSayWhyBeforeAnythingElse()
    {
        const RunPlan plan = smallPlan(2, 2, 2, 4);
        RunRecords records = sampleRecords(plan, 5);
        records.all.tornBytes = 312;
        records.all.droppedSpans = 4000;
        records.all.logs.push_back(
            {2.5, Rank(2), LogLevel::Warning, "memory is close to the limit"});
        records.all.logs.push_back({2.6, Rank(2), LogLevel::Info, "all is well"});
        records.all.faults.push_back({3, Rank(3), 5,
                                      InstructionId(Kind::Forward, Chunk(0), Microbatch(1)),
                                      "loss is not finite"});
        const Page page = pageOf(plan, records, failedStatus("rank 3 was killed by signal 9"));
        QVERIFY(page.wellFormed);
        const int reason = int(page.text.indexOf("rank 3 was killed by signal 9"));
        QVERIFY(reason > 0);
        QVERIFY(reason < page.text.indexOf("Tokens / s"));
        QVERIFY(page.text.contains("The run failed on rank 3"));
        QVERIFY(page.text.contains("312\u202fB at the end of record files were torn"));
        QVERIFY(page.text.contains("4,000 spans were thinned away"));
        QVERIFY(page.text.contains("memory is close to the limit"));
        QVERIFY(!page.text.contains("all is well"));
        QVERIFY(page.text.contains("loss is not finite"));
    }

    void runsWithoutRecordsGiveHints()
    {
        for (const int ranks : {1, 4}) {
            const RunPlan plan = smallPlan(1, 1, ranks, 8);
            const Page page = pageOf(plan, {}, failedStatus(""));
            QVERIFY(page.wellFormed);
            for (const char* wanted :
                 {"No reason was recorded", "No spans were recorded", "No values recorded",
                  "No spans of a whole step recorded", "No memory samples recorded"})
                QVERIFY2(page.text.contains(wanted), wanted);
            QVERIFY(!page.text.contains(
                QRegularExpression("\\b(nan|inf)\\b", QRegularExpression::CaseInsensitiveOption)));
        }
    }

    void strangeRecordsGiveAPage()
    {
        const RunPlan plan = smallPlan(1, 2, 2, 2);
        RunRecords records = sampleRecords(plan, 4);
        for (StepResult& step : records.all.steps)
            step.loss = std::nan("");
        records.all.steps[1].seconds = INFINITY;
        records.all.steps[2].seconds = 0;
        records.all.steps.push_back(records.all.steps[0]);
        records.all.spans[0].end = std::nan("");
        records.all.spans[1].end = records.all.spans[1].begin;
        records.all.spans[2].rank = Rank(77);
        records.all.memory[0].rank = Rank(77);
        records.clockError = std::nan("");
        const Page page = pageOf(plan, records, finishedStatus(4));
        QVERIFY(page.wellFormed);
        QVERIFY(page.text.contains("4 steps have a loss that is no finite number"));
        QVERIFY(page.text.contains("how well they agree was not recorded"));
        QVERIFY(!page.html.contains(QRegularExpression("=\"-?(nan|inf)")));
    }

    void unknownSchedulesHaveNoClosedForm()
    {
        RunPlan plan = smallPlan(1, 1, 2, 4);
        const RunRecords records = sampleRecords(plan, 3);
        plan.training.schedule = "of another time";
        const Page page = pageOf(plan, records, finishedStatus(3));
        QVERIFY(page.text.contains("no closed form"));
        QVERIFY(page.text.contains("| –"));
    }

    void bothThemesColourEveryShape()
    {
        const RunPlan plan = smallPlan(2, 2, 2, 4);
        const QString html = pageOf(plan, sampleRecords(plan), finishedStatus(12)).html;
        const qsizetype dark = html.indexOf("prefers-color-scheme:dark");
        const qsizetype print = html.indexOf("@media print");
        QVERIFY(dark > 0 && print > dark);
        QVERIFY(html.left(dark).contains("#0072B2"));
        QVERIFY(html.mid(dark, print - dark)
                    .contains(QString::fromStdString(hexColour(darkPalette().of(Ink::Forward)))));
        const qsizetype body = html.indexOf("<body>");
        const QRegularExpression use("<(?:rect|text|line|polyline)[^>]*class=\"([^\"]+)\"");
        QSet<QString> classes;
        for (auto match = use.globalMatch(html.mid(body)); match.hasNext();)
            classes.insert(match.next().captured(1));
        QVERIFY(classes.size() > 15);
        for (const QString& name : classes)
            QCOMPARE(html.left(body).count("." + name + "{"), 3);
    }

    void picturesOfManyRanksStayLegibleAndSmall()
    {
        const RunPlan plan = smallPlan(64, 1, 8, 2);
        const RunRecords records = sampleRecords(plan, 1);
        const Page page = pageOf(plan, records, finishedStatus(1));
        QVERIFY(page.wellFormed);
        QVERIFY(page.text.contains("first 256 of 512 ranks"));
        QVERIFY(page.text.contains("communication left out"));
        QVERIFY(page.html.size() < 1500000);
        QVERIFY(page.text.contains("Memory by category of all 512 ranks"));
        const qsizetype begin = page.html.indexOf("aria-label=\"Timeline");
        const QString timeline = page.html.mid(begin, page.html.indexOf("</svg>", begin) - begin);
        QVERIFY(timeline.contains("data 31"));
        QVERIFY(!timeline.contains("data 32"));
    }
};

QTEST_APPLESS_MAIN(TestHtmlReport)
#include "test_html_report.moc"

#include <QtTest>

#include "engine/core/csv_table.h"
#include "engine/core/error.h"
#include "engine/cost/machine_costs.h"
#include "engine/formats/report_html.h"
#include "engine/formats/report_parcel.h"
#include "engine/formats/run_report.h"
#include "tests/engine/timeline/played_run.h"

#include <QRegularExpression>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

/// A played run and a prediction that takes a tenth longer.
struct Played
{
    RunPlan plan;
    RunRecords records;
    RunEnvironment environment = sampleEnvironment();
    RunStatus status;
    RunPrediction prediction;

    explicit Played(int dp = 2, int tp = 2, int pp = 2, int steps = 12)
        : plan(smallPlan(dp, tp, pp, 4)), status(finishedStatus(steps))
    {
        Durations durations;
        durations.jitter = 0.1;
        records = playRun(plan, steps, durations);
        durations.forward *= 1.1;
        durations.backward *= 1.1;
        MachinePrediction predicted;
        predicted.spans = playStep(programOf(plan), plan.layout, durations);
        predicted.stepSeconds = 0.2;
        for (int rank = 0; rank < plan.layout.ranks(); ++rank)
            predicted.memory.push_back({{}, 200'000'000});
        prediction.prediction = predicted;
        prediction.basis = "a test";
    }

    ReportDocument report() const
    {
        return runReport({plan, environment, status, records, &prediction, "/a place/run.json"});
    }
};

QString readable(const ReportCell& cell)
{
    return QString::fromStdString(cell.text);
}

} // namespace

class ReportDocumentTest : public QObject
{
    Q_OBJECT

private slots:
    void tellsAllThatAReportHasTo()
    {
        const ReportDocument report = Played().report();
        QStringList titles;
        for (const ReportSection& section : report.sections)
            titles << QString::fromStdString(section.title);
        for (const char* wanted :
             {"Layout", "Loss", "Step time", "Bubble by stage", "Memory of every rank",
              "Communication", "Prediction against measurement", "Settings", "Environment",
              "How to repeat it", "How each figure was made"})
            QVERIFY2(titles.contains(wanted), wanted);
        for (const char* view : {"layout", "timeline", "loss", "step-time", "bubble", "memory",
                                 "memory-floor", "communication", "prediction-timelines"}) {
            const DisplayList list = pictureOf(report, view).draw(1000);
            QVERIFY2(list.width > 0 && list.width <= 1000.5 && list.height > 20, view);
            QVERIFY2(list.items.size() > 5, view);
        }
        for (const char* table :
             {"ranks", "steps", "bubble", "closed-form", "bubble-split", "memory", "communication",
              "communication-by-axis", "prediction", "prediction-by-kind", "prediction-by-rank"})
            QVERIFY2(!tableOf(report, table).rows.empty(), table);
        QVERIFY(reportHtml(report).find("triaxis run --plan &#39;/a place/run.json&#39;") !=
                    std::string::npos ||
                reportHtml(report).find("triaxis run --plan '/a place/run.json'") !=
                    std::string::npos);
    }

    void predictionsAreHeldAgainstTheirSpans()
    {
        const ReportDocument report = Played().report();
        const ReportTable& kinds = tableOf(report, "prediction-by-kind");
        bool forward = false;
        for (const auto& row : kinds.rows)
            if (row[0].value == "forward") {
                forward = true;
                const double error = std::stod(row[3].value);
                QVERIFY2(error > 0.0 && error < 0.25, row[3].value.c_str());
            }
        QVERIFY(forward);
    }

    void numbersCarryTheirUnits()
    {
        const QRegularExpression unit("[A-Za-zµ%×–]");
        const ReportDocument report = Played().report();
        for (const ReportTable* table : tablesOf(report)) {
            for (std::size_t column = 0; column < table->columns.size(); ++column) {
                const ReportColumn& named = table->columns[column];
                QVERIFY2(!named.id.empty() && !named.name.empty(), table->id.c_str());
                if (!named.number || !named.unit.empty())
                    continue;
                for (const auto& row : table->rows)
                    QVERIFY2(readable(row[column]).contains(unit),
                             (table->id + "." + named.id + ": " + row[column].text).c_str());
            }
            for (const auto& row : table->rows)
                QCOMPARE(row.size(), table->columns.size());
        }
    }

    void tablesReadBackAsTheyWere()
    {
        const ReportDocument report = Played().report();
        for (const ReportTable* table : tablesOf(report)) {
            const CsvTable read = parseCsvTable(tableCsv(*table), table->id);
            QCOMPARE(read.header.size(), table->columns.size());
            QCOMPARE(read.rows.size(), table->rows.size());
            for (std::size_t row = 0; row < read.rows.size(); ++row)
                for (std::size_t column = 0; column < read.header.size(); ++column) {
                    const ReportCell& cell = table->rows[row][column];
                    const bool number = table->columns[column].number;
                    QCOMPARE(read.rows[row].cells[column],
                             cell.value.empty() && !number ? cell.text : cell.value);
                }
        }
        const CsvTable steps = parseCsvTable(tableCsv(tableOf(report, "steps")), "steps");
        QVERIFY(std::stod(steps.rows.at(1).cells.at(*steps.column("step_s"))) > 0);
    }

    void theSameRunGivesTheSameBytes()
    {
        const Played played;
        const std::string once = reportHtml(played.report());
        QCOMPARE(reportHtml(played.report()), once);
        QCOMPARE(reportHtml(Played().report()), once);
        QVERIFY(once.find("0x") == std::string::npos);
    }

    void travelsToAnotherProgram()
    {
        const ReportDocument report = Played().report();
        const std::string parcel = packReport(report, {reportWholeWidth, reportHalfWidth});
        const ReportDocument arrived = unpackReport(parcel);
        QCOMPARE(arrived.title, report.title);
        QCOMPARE(arrived.dateUtc, report.dateUtc);
        QCOMPARE(reportHtml(arrived), reportHtml(report));
        for (const std::string& damaged :
             {std::string(), parcel.substr(0, parcel.size() / 2), "\xA0" + parcel.substr(1)})
            QVERIFY_EXCEPTION_THROWN(unpackReport(damaged), Error);
    }

    void namesWhatThereIsWhereSomethingIsNot()
    {
        const ReportDocument report = Played().report();
        try {
            pictureOf(report, "clouds");
            QFAIL("there are no clouds");
        } catch (const Error& error) {
            QVERIFY(QString(error.what()).contains("timeline"));
        }
        QVERIFY_EXCEPTION_THROWN(tableOf(report, ""), Error);
    }

    void manySpansStayAFewMegabytes()
    {
        Durations durations;
        RunPlan plan = smallPlan(8, 1, 8, 512);
        RunRecords records = playRun(plan, 2, durations);
        QVERIFY(records.all.spans.size() > 150'000);
        const std::string html =
            reportHtml(runReport({plan, sampleEnvironment(), finishedStatus(2), records}));
        QVERIFY2(html.size() < 12'000'000, std::to_string(html.size()).c_str());
    }
};

QTEST_APPLESS_MAIN(ReportDocumentTest)
#include "report_document_test.moc"

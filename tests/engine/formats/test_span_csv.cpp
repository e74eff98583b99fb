#include <QtTest>

#include "engine/formats/exports.h"
#include "tests/engine/timeline/played_run.h"

#include <cmath>
#include <cstdlib>
#include <sstream>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

std::vector<QStringList> rowsOf(const RunPlan& plan, const RunRecords& records)
{
    std::ostringstream out;
    writeSpanCsv(out, plan, records);
    std::vector<QStringList> rows;
    const QStringList lines = QString::fromStdString(out.str()).split('\n');
    for (const QString& line : lines) {
        if (!line.isEmpty())
            rows.push_back(line.split(','));
    }
    return rows;
}

} // namespace

class TestSpanCsv : public QObject
{
    Q_OBJECT

private slots:
    void everySpanIsARowThatReadsBack()
    {
        const RunPlan plan = smallPlan(2, 2, 2, 3);
        Durations durations;
        durations.jitter = 0.3;
        const RunRecords records = playRun(plan, 2, durations);
        const auto rows = rowsOf(plan, records);
        QCOMPARE(rows.size(), records.all.spans.size() + 1);
        QCOMPARE(rows[0].join(','),
                 "step,rank,dp,tp,pp,lane,kind,chunk,microbatch,part,ready,begin,"
                 "end,bytes,flops,tensor_wait,tensor_transfer");
        for (std::size_t i = 0; i < records.all.spans.size(); ++i) {
            const Span& span = records.all.spans[i];
            const QStringList& row = rows[i + 1];
            QCOMPARE(row.size(), 17);
            QCOMPARE(row[1].toInt(), span.rank.value);
            const Coordinates at = coordinatesOf(plan.layout, span.rank);
            QCOMPARE(row[2].toInt(), at.data);
            QCOMPARE(row[3].toInt(), at.tensor);
            QCOMPARE(row[4].toInt(), at.pipeline);
            QCOMPARE(row[8].toInt(), span.id.microbatch().value);
            QCOMPARE(std::strtod(row[10].toLatin1(), nullptr), span.ready);
            QCOMPARE(std::strtod(row[12].toLatin1(), nullptr), span.end);
            QCOMPARE(row[14].toLongLong(), qint64(span.flops));
            QVERIFY(!row[5].contains(' ') && !row[6].contains(' '));
        }
    }

    void strangeSpansKeepTheirRows()
    {
        const RunPlan plan = smallPlan(1, 1, 1, 1);
        RunRecords records;
        Span span;
        span.rank = Rank(12);
        span.end = std::nan("");
        records.all.spans.push_back(span);
        const auto rows = rowsOf(plan, records);
        QCOMPARE(rows[1].size(), 17);
        QCOMPARE(rows[1][2], "");
        QCOMPARE(rows[1][12], "nan");
        QCOMPARE(rowsOf(plan, {}).size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestSpanCsv)
#include "test_span_csv.moc"

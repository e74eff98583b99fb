// What the runs of a sweep tell, side by side.

#include <QtTest>

#include "engine/core/csv_table.h"
#include "engine/sweep/sweep_table.h"
#include "engine/timeline/svg_writer.h"

using namespace triaxis;

namespace
{

Layout sizes(int dp, int tp, int pp)
{
    Layout layout;
    layout.dp = dp;
    layout.tp = tp;
    layout.pp = pp;
    return layout;
}

RunRecords recordsOf(const std::vector<double>& seconds)
{
    RunRecords records;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        StepResult step;
        step.step = int(i) + 1;
        step.seconds = seconds[i];
        step.tokens = 1000;
        step.loss = 5 - double(i);
        records.all.steps.push_back(step);
    }
    MemorySample sample;
    sample.peakTotal = 4096;
    records.all.memory.push_back(sample);
    return records;
}

SweepTable tableOf()
{
    SweepTable table;
    table.title = "a table";
    table.rows = {sweepRow(sizes(4, 1, 1), recordsOf({9, 0.5, 0.5})),
                  sweepRow(sizes(1, 1, 1), recordsOf({9, 1, 1})), sweepRow(sizes(2, 3, 1), {})};
    table.rows[2].reason = "heads do not divide, \"3\"";
    compareRows(table);
    return table;
}

} // namespace

class SweepTableTest : public QObject
{
    Q_OBJECT

private slots:
    void leavesTheFirstStepOut()
    {
        const SweepRow row = sweepRow(sizes(1, 1, 1), recordsOf({9, 1, 2, 3, 4, 5}));
        QCOMPARE(row.stepSeconds, 3.0);
        QCOMPARE(row.fastest, 2.0);
        QCOMPARE(row.slowest, 4.0);
        QCOMPARE(row.steps, std::size_t(5));
        QCOMPARE(row.tokensPerSecond, 5000.0 / 15);
        QCOMPARE(row.memoryBytes, 4096.0);
        QCOMPARE(row.finalLoss, 0.0);
        QVERIFY(row.measured());
        QVERIFY(!std::isfinite(row.communication.total()));
    }

    void stretchedTimesAreDividedBack()
    {
        const SweepRow row = sweepRow(sizes(1, 1, 1), recordsOf({9, 2, 2, 2}), 10, 64000);
        QCOMPARE(row.stepSeconds, 0.2);
        QCOMPARE(row.tokensPerSecond, 320000.0);
    }

    void aRunWithoutStepsSaysSo() { QVERIFY(!sweepRow(sizes(1, 1, 1), {}).measured()); }

    void comparesWithTheFewestRanks()
    {
        const SweepTable table = tableOf();
        QCOMPARE(table.base, 1);
        QCOMPARE(table.rows[0].speedUp, 2.0);
        QCOMPARE(table.rows[0].efficiency, 0.5);
        QCOMPARE(table.rows[1].speedUp, 1.0);
        QCOMPARE(table.rows[1].efficiency, 1.0);
        QVERIFY(!std::isfinite(table.rows[2].speedUp));
    }

    void whatDoesNotFitItsDeviceIsWarnedOf()
    {
        SweepTable table = tableOf();
        SweepRow& row = table.rows[0];
        QVERIFY(memoryWarning(row).empty()); // no limit is known
        row.memoryLimit = row.memoryBytes;
        QVERIFY(memoryWarning(row).empty());
        row.memoryLimit = 1024;
        row.memoryBytes = 4096;
        const std::string warning = memoryWarning(row);
        QVERIFY2(warning.starts_with("does not fit: 4"), warning.c_str());
        const CsvTable csv = parseCsvTable(sweepCsv({table}), "sweep");
        QCOMPARE(csv.rows[0].cells[*csv.column("warning")], warning);
        QCOMPARE(csv.rows[1].cells[*csv.column("warning")], std::string());
    }

    void withoutAnyFigureThereIsNoBase()
    {
        SweepTable table;
        table.rows = {sweepRow(sizes(2, 1, 1), {})};
        compareRows(table);
        QCOMPARE(table.base, -1);
        QVERIFY(!drawScaling(table, 400).items.empty());
    }

    void theCsvReadsBack()
    {
        const CsvTable csv = parseCsvTable(sweepCsv({tableOf()}), "sweep");
        QCOMPARE(csv.rows.size(), std::size_t(3));
        for (const CsvTable::Row& row : csv.rows)
            QCOMPARE(row.cells.size(), csv.header.size());
        QCOMPARE(csv.rows[0].cells[*csv.column("layout")], std::string("4x1x1"));
        QCOMPARE(csv.rows[0].cells[*csv.column("speed_up")], std::string("2"));
        QCOMPARE(csv.rows[2].cells[*csv.column("reason")],
                 std::string("heads do not divide, \"3\""));
    }

    void theChartStaysInItsWidth()
    {
        SweepTable table = tableOf();
        table.rows[0].speedUp = 128;
        const DisplayList list = drawScaling(table, 500);
        for (const DisplayItem& item : list.items)
            if (const auto* rect = std::get_if<FillRect>(&item)) {
                QVERIFY(rect->x >= 0);
                QVERIFY(rect->x + rect->width <= 500);
            }
    }
};

QTEST_GUILESS_MAIN(SweepTableTest)
#include "sweep_table_test.moc"

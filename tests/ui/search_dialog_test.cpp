#include "engine/record/demo_plan.h"
#include "ui/search/search_chart.h"
#include "ui/search/search_dialog.h"
#include "ui/search/search_model.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

PricedPlan priced(double seconds, double memory, std::vector<int> layers = {})
{
    PricedPlan made;
    made.plan.dp = 2;
    made.plan.layersPerStage = std::move(layers);
    made.seconds = seconds;
    made.memory = memory;
    return made;
}

PricedPoint point(double seconds, double memory)
{
    PricedPoint made;
    made.point.dp = 2;
    made.seconds = seconds;
    made.memory = memory;
    return made;
}

/// Sixteen devices and a model that is priced in no time.
DrawnPlan smallJob()
{
    DrawnPlan plan = withNetwork(drawnPlan(demoPlan()), clusterPreset("dgx-a100"));
    plan = withModel(withAxisSizes(plan, 2, 8, 1), demoPlan().model);
    plan.cluster.nodes = 2;
    plan.run.training.batch = {32, 1, 128};
    return plan;
}

} // namespace

class SearchDialogTest : public QObject
{
    Q_OBJECT

    static void search(SearchDialog& dialog)
    {
        QSignalSpy finished(&dialog, &SearchDialog::finished);
        dialog.start();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
    }

private slots:
    void oneLayoutIsOneRow()
    {
        SearchResult result;
        PricedPlan even = priced(2, 10);
        even.plan.schedule = planOf(point(2, 10).point).schedule;
        PricedPlan uneven = even;
        uneven.seconds = 1;
        uneven.plan.layersPerStage = {3, 5};
        result.best = {uneven, even};
        result.front = {point(2, 10)};
        result.thumb = even;
        const auto rows = rowsOf(result, {}, even);
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(!rows[0].onFront && !rows[0].drawn);
        QVERIFY(rows[1].onFront && rows[1].thumb && rows[1].drawn);
        QVERIFY(settingsText(rows[0].priced.plan) != settingsText(rows[1].priced.plan));
    }

    void theFrontStaysReadableBesideFarSlowerLayouts()
    {
        std::vector<SearchRow> rows{{priced(10, 70e9), 1, true},
                                    {priced(20, 20e9), 1, true},
                                    {priced(4000, 11e9), 1, true}};
        SearchChart chart;
        chart.setRows(rows, 80e9);
        QCOMPARE(chart.beyond(), 1);
        QCOMPARE(chart.slowestShown(), 30.0);
        rows.push_back({priced(90, 30e9), 1, false, false, true});
        chart.setRows(rows, 80e9);
        QCOMPARE(chart.slowestShown(), 90.0); // the plan that is drawn is always in the picture
    }

    void theMemoryShownIsThatOfTheLayouts()
    {
        SearchChart chart;
        chart.setRows({{priced(10, 12e9), 1, true}, {priced(20, 10e9), 1, true}}, 80e9);
        const auto [least, most] = chart.memoryShown();
        QVERIFY(least > 9e9 && least < 10e9);
        QVERIFY(most > 12e9 && most < 13e9);
        chart.setRows({{priced(10, 70e9), 1, true}, {priced(20, 20e9), 1, true}}, 80e9);
        QVERIFY(chart.memoryShown().second > 80e9); // the limit is near
    }

    void saysThatItSearchesUntilThereAreLayouts()
    {
        SearchDialog dialog(smallJob());
        auto* table = dialog.findChild<QTableView*>("layouts");
        auto* stack = qobject_cast<QStackedWidget*>(table->parentWidget());
        QVERIFY(stack != nullptr);
        dialog.start();
        QVERIFY(stack->currentWidget() != table);
        QVERIFY(qobject_cast<QLabel*>(stack->currentWidget())->text().contains("Searching"));
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isRunning(), 60'000);
        QCOMPARE(stack->currentWidget(), table);
    }

    void fillsItsTable()
    {
        SearchDialog dialog(smallJob());
        QAbstractItemModelTester tester(dialog.model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        search(dialog);
        const auto& rows = dialog.model()->rows();
        QVERIFY(rows.size() > 1);
        for (std::size_t i = 1; i < rows.size(); ++i)
            QVERIFY(rows[i - 1].priced.seconds <= rows[i].priced.seconds);
        QCOMPARE(rows.front().priced.plan.devices(), 16);
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = i + 1; j < rows.size(); ++j)
                QVERIFY(!sameLayout(rows[i].priced.plan, rows[j].priced.plan));
        QSignalSpy finished(&dialog, &SearchDialog::finished);
        dialog.start();
        dialog.stop();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
        QVERIFY(!dialog.isRunning());
    }

    void theDrawnPlanIsAmongTheRows()
    {
        const DrawnPlan plan = smallJob();
        SearchDialog dialog(plan);
        search(dialog);
        const int drawn = dialog.model()->drawnRow();
        QVERIFY(drawn >= 0);
        const SearchRow& row = dialog.model()->rows()[std::size_t(drawn)];
        QVERIFY(sameLayout(row.priced.plan, parallelPlan(plan)));
        QVERIFY(row.priced.seconds > 0);
        const auto note = dialog.model()->index(drawn, SearchModel::Note).data().toString();
        QVERIFY2(note.contains("this plan"), qPrintable(note));
    }

    void returnTakesALayoutAndShowsThatItIsTaken()
    {
        DrawnPlan plan = smallJob();
        SearchDialog dialog(plan);
        search(dialog);
        dialog.show();
        auto* table = dialog.findChild<QTableView*>("layouts");
        const int row = dialog.model()->drawnRow() == 0 ? 1 : 0;
        table->selectRow(row);
        QSignalSpy applied(&dialog, &SearchDialog::applyRequested);
        connect(&dialog, &SearchDialog::applyRequested, this, [&](const ParallelPlan& taken) {
            plan = withParallelPlan(plan, taken);
            dialog.setDrawn(parallelPlan(plan), true);
        });
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(applied.count(), 1);
        QVERIFY(!dialog.isRunning()); // the key presses no button besides
        QCOMPARE(dialog.model()->drawnRow(), row);
        QVERIFY(dialog.findChild<QLabel*>("taken")->text().contains("Taken"));
        QVERIFY(!dialog.findChild<QPushButton*>("applyLayout")->isEnabled());
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(applied.count(), 1); // it is the plan already
    }

    void aLayoutIsTakenBack()
    {
        SearchDialog dialog(smallJob());
        QSignalSpy undone(&dialog, &SearchDialog::undoRequested);
        auto* back = dialog.findChild<QPushButton*>("undoLayout");
        QVERIFY(!back->isEnabled()); // what was drawn before the search is not undone from here
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QTest::keyClick(&dialog, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(undone.count(), 0);
        dialog.setDrawn(parallelPlan(smallJob()), true);
        QTest::keyClick(&dialog, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(undone.count(), 1);
    }
};

QTEST_MAIN(SearchDialogTest)
#include "search_dialog_test.moc"

// Runs side by side in the window, and how a person gets there.

#include <QtTest>

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/stored_run.h"

#include "engine/core/file.h"
#include "ui/compare/comparison_view.h"
#include "ui/models/history_model.h"
#include "ui/pages/history_page.h"
#include "ui/panels/figure_table.h"
#include "ui/widgets/display_list_view.h"
#include "ui/widgets/lane_view.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

QString stored(const QTemporaryDir& home, int dp, int tp, int pp)
{
    return QString::fromStdString(
        tests::storeFinishedRun(home.path().toStdString(), tests::smallPlan(dp, tp, pp, 4), 4)
            .string());
}

} // namespace

class ComparisonViewTest : public QObject
{
    Q_OBJECT

private slots:
    void showsRunsSideBySide()
    {
        const QTemporaryDir home;
        ComparisonView view;
        view.resize(1100, 900);
        view.show();
        QSignalSpy compared(&view, &ComparisonView::compared);
        view.compare({stored(home, 1, 1, 2), stored(home, 2, 1, 2), stored(home, 1, 2, 1)});
        QVERIFY(view.isBusy());
        QVERIFY(compared.wait(20000));
        QVERIFY(!view.isBusy());
        QCOMPARE(view.runs().size(), std::size_t(3));

        auto* figures = view.findChild<FigureTableView*>("comparedFigures");
        QCOMPARE(figures->figures()->columnCount(), 3);
        QVERIFY(figures->figures()->rowCount() >= 6);
        QVERIFY(view.findChild<QLabel*>("comparedLosses")->text().contains("the same training"));
        QVERIFY(!view.findChild<DisplayListView*>("comparedLossChart")->list().items.empty());
        QCOMPARE(view.findChildren<LaneView*>().size(), 3);
    }

    void timelinesZoomTogether()
    {
        const QTemporaryDir home;
        ComparisonView view;
        view.resize(1100, 900);
        QSignalSpy compared(&view, &ComparisonView::compared);
        view.compare({stored(home, 1, 1, 2), stored(home, 1, 1, 4)});
        QVERIFY(compared.wait(20000));
        const QList<LaneView*> lanes = view.findChildren<LaneView*>();
        QCOMPARE(lanes.size(), 2);
        const TimeWindow whole = lanes[0]->window();
        QCOMPARE(lanes[1]->window(), whole);
        lanes[1]->zoomIn();
        QVERIFY(lanes[1]->window().span() < whole.span());
        QCOMPARE(lanes[0]->window(), lanes[1]->window());
    }

    void settingsShowDifferencesFirst()
    {
        const QTemporaryDir home;
        ComparisonView view;
        QSignalSpy compared(&view, &ComparisonView::compared);
        view.compare({stored(home, 1, 1, 2), stored(home, 2, 1, 2)});
        QVERIFY(compared.wait(20000));
        auto* settings = view.findChild<FigureTableView*>("comparedSettings");
        const int different = settings->figures()->rowCount();
        QVERIFY(different >= 1);
        view.findChild<QCheckBox*>("onlyDifferences")->setChecked(false);
        QVERIFY(settings->figures()->rowCount() > different + 20);
    }

    void writesPageAndFigures()
    {
        const QTemporaryDir home;
        ComparisonView view;
        QSignalSpy compared(&view, &ComparisonView::compared);
        view.compare({stored(home, 1, 1, 2), stored(home, 2, 1, 2)});
        QVERIFY(compared.wait(20000));
        QSignalSpy written(&view, &ComparisonView::written);
        view.write(home.filePath("c.html"));
        QVERIFY(written.wait(20000));
        view.write(home.filePath("c.csv"));
        QVERIFY(written.wait(20000));
        QVERIFY(readFile(home.filePath("c.html").toStdString(), 1 << 28, "read").find("<svg") !=
                std::string::npos);
        QVERIFY(
            readFile(home.filePath("c.csv").toStdString(), 1 << 28, "read").rfind("metric,", 0) ==
            0);
        QSignalSpy failed(&view, &ComparisonView::failed);
        view.write(home.filePath("no/such/folder/c.html"));
        QVERIFY(failed.wait(20000));
    }

    void whatIsNoRunIsTold()
    {
        const QTemporaryDir home;
        ComparisonView view;
        QSignalSpy failed(&view, &ComparisonView::failed);
        view.compare({home.path()});
        QVERIFY(failed.wait(20000));
        QVERIFY(!view.isBusy());
    }

    void severalSelectedRunsAreCompared()
    {
        const tests::OwnSettings settings;
        const QTemporaryDir home;
        stored(home, 1, 1, 2);
        stored(home, 2, 1, 2);
        HistoryService service(home.path().toStdString());
        HistoryPage page(service);
        page.resize(1100, 700);
        page.show();
        service.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(page.model()->rowCount(), 2, 20000);
        auto* button = page.findChild<QPushButton*>("compareRuns");
        auto* table = page.findChild<QTableView*>("historyTable");
        QVERIFY(!button->isEnabled());
        table->selectAll();
        QTRY_VERIFY(button->isEnabled());
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C);
        QTRY_COMPARE_WITH_TIMEOUT(page.comparison()->runs().size(), std::size_t(2), 20000);
        QVERIFY(page.comparison()->isVisible());
        QVERIFY(!button->isVisible());
        QTest::keyClick(&page, Qt::Key_Escape);
        QVERIFY(table->isVisible());
    }
};

QTEST_MAIN(ComparisonViewTest)
#include "comparison_view_test.moc"

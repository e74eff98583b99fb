#include "ui/widgets/time_window.h"

#include <QTest>

using namespace triaxis::ui;

class TimeWindowTest : public QObject
{
    Q_OBJECT

private slots:
    void zoomKeepsTheTimeUnderTheCursorInPlace()
    {
        const TimeWindow window{2, 10};
        const TimeMapping before{window, 110, 800};
        const double x = 310;
        const double time = before.time(x);
        const TimeMapping after{window.zoomed(0.5, time), 110, 800};
        QCOMPARE(after.window.span(), 4.0);
        QVERIFY(qAbs(after.x(time) - x) < 1e-9);
    }

    void pixelsAndTimesAreInverse()
    {
        const TimeMapping mapping{{0.25, 0.75}, 110, 640};
        for (double x = 110; x <= 750; x += 37)
            QVERIFY(qAbs(mapping.x(mapping.time(x)) - x) < 1e-9);
        QCOMPARE(mapping.time(110), 0.25);
        QCOMPARE(mapping.time(750), 0.75);
    }

    void windowStaysWithinTheRun()
    {
        const TimeWindow right = TimeWindow{90, 110}.within(0, 100, 0.1);
        QCOMPARE(right, (TimeWindow{80, 100}));
        const TimeWindow left = TimeWindow{-30, -10}.within(0, 100, 0.1);
        QCOMPARE(left, (TimeWindow{0, 20}));
        const TimeWindow whole = TimeWindow{-500, 500}.within(0, 100, 0.1);
        QCOMPARE(whole, (TimeWindow{0, 100}));
        QCOMPARE(TimeWindow({50, 50.00001}).within(0, 100, 0.1).span(), 0.1);
    }

    void emptyRunGivesAWindowThatCanBeDividedBy()
    {
        QVERIFY(TimeWindow({0, 0}).within(3, 3, 1e-6).span() > 0);
    }

    void zoomStepsGoBackAndForth()
    {
        WindowHistory history;
        TimeWindow window{0, 100};
        history.remember(window);
        window = {10, 20};
        history.remember(window);
        window = {12, 13};
        window = history.back(window);
        QCOMPARE(window, (TimeWindow{10, 20}));
        window = history.back(window);
        QCOMPARE(window, (TimeWindow{0, 100}));
        QVERIFY(!history.canGoBack());
        QCOMPARE(history.back(window), window);
        window = history.forward(window);
        window = history.forward(window);
        QCOMPARE(window, (TimeWindow{12, 13}));
        QVERIFY(!history.canGoForward());
    }

    void aNewStepForgetsTheWayForward()
    {
        WindowHistory history;
        history.remember({0, 100});
        history.back({10, 20});
        history.remember({0, 50});
        QVERIFY(!history.canGoForward());
    }
};

QTEST_APPLESS_MAIN(TimeWindowTest)
#include "time_window_test.moc"

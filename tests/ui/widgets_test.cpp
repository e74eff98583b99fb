#include "engine/record/records.h"
#include "ui/base/background.h"
#include "ui/base/text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/bubble_bars.h"
#include "ui/widgets/choice_box.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/log_panel.h"
#include "ui/widgets/loss_chart.h"
#include "ui/widgets/memory_grid.h"
#include "ui/widgets/navigation_rail.h"

#include "ui/theme/theme_controller.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <cmath>
#include <qcustomplot.h>

using namespace triaxis;
using namespace triaxis::ui;

class WidgetsTest : public QObject
{
    Q_OBJECT

private slots:
    void numbersAreWrittenForPeople()
    {
        QCOMPARE(wholeNumber(0), QString("0"));
        QCOMPARE(wholeNumber(999), QString("999"));
        QCOMPARE(wholeNumber(1234567), QString("1,234,567"));
        QCOMPARE(wholeNumber(-1234), QString("−1,234"));
        QCOMPARE(flopsText(512), QString("512") + thinSpace + "FLOP");
        QCOMPARE(flopsText(2.414e9), QString("2.41") + thinSpace + "GFLOP");
        QCOMPARE(lossText(2.11449), QString("2.114"));
        QCOMPARE(lossText(std::nan("")), QString("–"));
        QCOMPARE(rangeText(4, 3), QString("4–6"));
        QCOMPARE(rangeText(4, 1), QString("4"));
        QCOMPARE(counted(1, "rank"), QString("1 rank"));
        QCOMPARE(counted(4, "microbatch"), QString("4 microbatches"));
    }

    void railIsReachedAndUsedByKeyboard()
    {
        NavigationRail rail;
        rail.addPage("plan", "Plan", "first");
        rail.addPage("run", "Run", "second");
        rail.setFoot("settings", "Settings");
        rail.resize(64, 500);
        QSignalSpy page(&rail, &NavigationRail::pageChosen);
        QSignalSpy foot(&rail, &NavigationRail::footChosen);
        QTest::keyClick(&rail, Qt::Key_Down);
        QTest::keyClick(&rail, Qt::Key_Return);
        QCOMPARE(page.count(), 1);
        QCOMPARE(page.first().first().toInt(), 1);
        QTest::keyClick(&rail, Qt::Key_Down);
        QTest::keyClick(&rail, Qt::Key_Space);
        QCOMPARE(foot.count(), 1);
        QTest::mouseClick(&rail, Qt::LeftButton, {}, {32, 38});
        QCOMPARE(page.last().first().toInt(), 0);
        rail.setActive(1, true);
        QVERIFY(!rail.grab().isNull());
    }

    void figuresAreReadAloud()
    {
        FigureStrip strip;
        strip.setFigures({{"Loss", "2.1", "nats per byte", {}, Tone::Plain}});
        QVERIFY(strip.accessibleName().contains("Loss: 2.1, nats per byte"));
        QVERIFY(!strip.grab().isNull());
    }

    void logShowsWhatIsAskedFor()
    {
        LogPanel log;
        log.resize(600, 200);
        log.begin(2);
        log.append({{0.5, 0, LogLevel::Info, "step 1"},
                    {0.6, 1, LogLevel::Error, "out of memory"},
                    {-1, -1, LogLevel::Info, "failed"}});
        QCOMPARE(log.plainText().split('\n').size(), 3);
        log.findChild<QCheckBox*>("logProblemsOnly")->setChecked(true);
        QVERIFY(log.plainText().contains("out of memory"));
        QVERIFY(!log.plainText().contains("step 1"));
        log.findChild<QCheckBox*>("logProblemsOnly")->setChecked(false);
        auto* rank = log.findChild<QComboBox*>("logRank");
        rank->setCurrentIndex(rank->findText("rank 0"));
        QVERIFY(log.plainText().contains("step 1"));
        QVERIFY(!log.plainText().contains("out of memory"));
    }

    void logForgetsItsOldestLines()
    {
        LogPanel log;
        log.begin(1);
        std::vector<LogPanel::Line> lines(6000);
        for (int i = 0; i < 6000; ++i)
            lines[std::size_t(i)] = {double(i), 0, LogLevel::Info, QString("line %1").arg(i)};
        log.append(lines);
        QVERIFY(!log.plainText().contains("line 10\n"));
        QVERIFY(log.plainText().contains("line 5999"));
    }

    void chartTakesOddNumbers()
    {
        LossChart chart;
        chart.resize(300, 200);
        QVERIFY(!chart.grab().isNull());
        chart.begin("nats per byte", 1.38, 100);
        chart.append({1, 2, 3}, {5.5, std::nan(""), INFINITY});
        chart.append({}, {});
        QVERIFY(!chart.grab().isNull());
        QVERIFY(chart.accessibleName().contains("nats per byte"));
    }

    void chartNumbersTheLastStep()
    {
        for (const int steps : {1, 3, 60, 100, 350, 1199, 1000000}) {
            LossChart chart;
            chart.resize(320, 200);
            chart.begin("nats per byte", 1.38, steps);
            auto* plot = chart.findChild<QCustomPlot*>();
            QVector<double> ticks;
            QVector<QString> labels;
            plot->xAxis->ticker()->generate(plot->xAxis->range(), QLocale::c(), 'f', 0, ticks, nullptr,
                                            &labels);
            QVERIFY(labels.contains(QString::number(std::max(2, steps))));
            QVERIFY(labels.size() >= 2 && labels.size() <= 8);
        }
    }

    void logFollowsTheTextSizeBothWays()
    {
        ThemeController theme(*qApp);
        LogPanel log;
        log.resize(600, 200);
        log.begin(2);
        log.append({{1.0, 0, LogLevel::Info, "line"}});
        log.show();
        QVERIFY(QTest::qWaitForWindowExposed(&log));
        auto* text = log.findChild<QPlainTextEdit*>("logText");
        auto* rank = log.findChild<QComboBox*>("logRank");
        const int pixels = text->document()->defaultFont().pixelSize();
        const int height = rank->height();
        theme.setTextScale(1.5);
        QTRY_VERIFY(text->document()->defaultFont().pixelSize() > pixels);
        QTRY_VERIFY(rank->height() > height);
        theme.setTextScale(1.0);
        QTRY_COMPARE(text->document()->defaultFont().pixelSize(), pixels);
        QCOMPARE(text->document()->defaultFont().family(),
                 QFontDatabase::systemFont(QFontDatabase::FixedFont).family());
        QTRY_COMPARE(rank->height(), height);
    }

    void barsAndGridsPaintAnySize()
    {
        BubbleBars bars;
        MemoryGrid grid;
        for (const int count : {0, 1, 2, 7, 64, 300}) {
            std::vector<StagePhases> stages(std::size_t(count), StagePhases{});
            for (int stage = 0; stage < count; ++stage) {
                stages[std::size_t(stage)].stage = stage;
                stages[std::size_t(stage)].share = {0.1, 0.1, 0.05, 0.05, 0.1, 0.1, 0.1, 0.4};
            }
            bars.setStages(stages, {});
            std::vector<MemoryGrid::Cell> cells;
            for (int rank = 0; rank < count; ++rank)
                cells.push_back({rank, "dp0", std::int64_t(rank) << 20, "detail", {}, rank == 3});
            grid.setCells(cells);
            for (const QSize& size : {QSize(60, 20), QSize(300, 160), QSize(900, 700)}) {
                bars.resize(size);
                grid.resize(size);
                QVERIFY(!bars.grab().isNull());
                QVERIFY(!grid.grab().isNull());
            }
        }
        QVERIFY(grid.accessibleDescription().contains("rank 299"));
    }

    void bannerSaysWhatHappenedAndOffersAWayOn()
    {
        Banner banner;
        QVERIFY(banner.isHidden());
        banner.say(Banner::Kind::Problem, "The run failed", "rank 3 was killed", "Open");
        QVERIFY(!banner.isHidden());
        QCOMPARE(banner.title(), QString("The run failed"));
        QVERIFY(banner.accessibleName().contains("rank 3 was killed"));
        QVERIFY(banner.showsProblem());
        banner.say(Banner::Kind::Problem, "cannot read the plan", "plan.triaxis is empty");
        QCOMPARE(banner.title(), QString("Cannot read the plan"));
        banner.dismiss();
        QVERIFY(!banner.showsProblem());
        QVERIFY(banner.isHidden());
    }

    void backgroundJobsRunElsewhereAndAnswerHere()
    {
        Background background;
        QThread* worker = nullptr;
        QThread* answer = nullptr;
        background.post(this, [&]() -> Background::Delivery {
            worker = QThread::currentThread();
            return [&] { answer = QThread::currentThread(); };
        });
        QTRY_VERIFY(answer != nullptr);
        QCOMPARE(answer, thread());
        QVERIFY(worker != thread());
    }

    void answersForAnObjectThatIsGoneAreDropped()
    {
        Background background;
        bool delivered = false;
        bool later = false;
        {
            QObject context;
            background.post(&context, [&]() -> Background::Delivery {
                QThread::msleep(30);
                return [&] { delivered = true; };
            });
        }
        background.post(this, [&]() -> Background::Delivery { return [&] { later = true; }; });
        QTRY_VERIFY(later);
        QVERIFY(!delivered);
    }

    void aChoiceKnowsHowWideItsTextsAre()
    {
        ChoiceBox box;
        box.addItem("short");
        const int narrow = box.widthOfLongest();
        box.addItem("a text that is a good deal longer");
        const int wide = box.widthOfLongest();
        QVERIFY(wide > narrow);
        box.setItemText(1, "in between");
        QVERIFY(box.widthOfLongest() < wide);
        QVERIFY(box.widthOfLongest() > narrow);
        box.clear();
        box.addItem("short");
        QCOMPARE(box.widthOfLongest(), narrow);
        QFont large = box.font();
        large.setPixelSize(40);
        box.setFont(large);
        QVERIFY(box.widthOfLongest() > narrow);
    }
};

QTEST_MAIN(WidgetsTest)
#include "widgets_test.moc"

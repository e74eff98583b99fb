#include "engine/schedule/generators.h"
#include "ui/plan/schedule_picture.h"

#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class SchedulePictureTest : public QObject
{
    Q_OBJECT

private slots:
    void idleOfThePictureIsTheClosedForm_data()
    {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microbatches");
        for (const std::string name : {"gpipe", "1f1b"}) {
            for (const auto& [stages, microbatches] :
                 {std::pair(1, 1), {2, 4}, {4, 4}, {4, 8}, {3, 2}, {8, 32}})
                QTest::addRow("%s P=%d M=%d", name.c_str(), stages, microbatches)
                    << QString::fromStdString(name) << stages << microbatches;
        }
    }

    void idleOfThePictureIsTheClosedForm()
    {
        QFETCH(QString, schedule);
        QFETCH(int, stages);
        QFETCH(int, microbatches);
        const std::string name = schedule.toStdString();
        const PlacedSchedule placed = place(generate(name, stages, microbatches));
        QCOMPARE(placed.steps.size(), std::size_t(2 * stages * microbatches));
        const double expected = (stages - 1.0) / (microbatches + stages - 1.0);
        for (const double idle : placed.idle)
            QVERIFY(qAbs(idle - expected) < 1e-12);
    }

    void liveMicrobatchesAreThoseOfTheSchedule()
    {
        QCOMPARE(place(generate("gpipe", 4, 8)).peakLive, (std::vector<int>{8, 8, 8, 8}));
        QCOMPARE(place(generate("1f1b", 4, 8)).peakLive, (std::vector<int>{4, 3, 2, 1}));
    }

    void microbatchesAreNumberedFromOne()
    {
        const DisplayList list = drawSchedule(place(generate("1f1b", 2, 3)), 2, 600, 60);
        QStringList labels;
        for (const DisplayItem& item : list.items) {
            if (const auto* text = std::get_if<DrawText>(&item))
                labels << QString::fromStdString(text->text);
        }
        QVERIFY(labels.contains("stage 1"));
        QCOMPARE(labels.count("1"), 4);
        QCOMPARE(labels.count("3"), 4);
        QVERIFY(!labels.contains("0"));
    }

    void aLongScheduleGrowsInsteadOfShrinking()
    {
        const DisplayList list = drawSchedule(place(generate("1f1b", 4, 200)), 4, 600, 120);
        QVERIFY(list.width > 600);
        const DisplayList small = drawSchedule(place(generate("1f1b", 4, 4)), 4, 600, 120);
        QCOMPARE(small.width, 600.0);
    }

    void nothingToDrawIsDrawn()
    {
        QVERIFY(drawSchedule({}, 0, 300, 100).items.empty());
    }
};

QTEST_APPLESS_MAIN(SchedulePictureTest)
#include "schedule_picture_test.moc"

#include <QtTest>

#include "engine/schedule/generators.h"
#include "engine/timeline/schedule_picture.h"

using namespace triaxis;

namespace
{

Played played(const char* name, int stages, int microbatches, int virtualStages = 1)
{
    return play(generate(name, stages, microbatches, virtualStages),
                evenCosts(stages, virtualStages, 1, 1, 1));
}

QStringList labelsOf(const DisplayList& list)
{
    QStringList labels;
    for (const DisplayItem& item : list.items)
        if (const auto* text = std::get_if<DrawText>(&item))
            labels << QString::fromStdString(text->text);
    return labels;
}

} // namespace

class TestSchedulePicture : public QObject
{
    Q_OBJECT

private slots:
    void microbatchesAreNumberedFromZero()
    {
        const QStringList labels = labelsOf(drawPlayed(played("1f1b", 2, 3), 600));
        QVERIFY(labels.contains("stage 1"));
        QCOMPARE(labels.count("0"), 4);
        QCOMPARE(labels.count("2"), 4);
        QVERIFY(!labels.contains("3"));
    }

    void aLongScheduleGrowsInsteadOfShrinking()
    {
        QVERIFY(drawPlayed(played("1f1b", 4, 200), 600).width > 600);
        QCOMPARE(drawPlayed(played("1f1b", 4, 4), 600).width, 600.0);
    }

    void everyStepHasItsPlace()
    {
        for (const char* name : {"zb-v", "dualpipe-v", "interleaved"}) {
            const Played schedule = played(name, 4, 8, 2);
            std::size_t steps = 0;
            for (const auto& stage : schedule.stages)
                steps += stage.size();
            const DisplayList list = drawPlayed(schedule, 900);
            std::size_t boxes = 0;
            for (const DisplayItem& item : list.items) {
                const auto* box = std::get_if<FillRect>(&item);
                if (!box || box->ink == Ink::Idle)
                    continue;
                ++boxes;
                QVERIFY(box->x >= 0 && box->x + box->width <= list.width + 1e-6);
                QVERIFY(box->y >= 0 && box->y + box->height <= list.height + 1e-6);
            }
            QCOMPARE(boxes, steps);
        }
    }

    void aGridNamesEveryStepOnce()
    {
        const Played schedule = played("zb-h1", 2, 3);
        const QString grid = QString::fromStdString(textGrid(schedule, shortestStep(schedule)));
        QCOMPARE(grid.count("F2"), 2);
        QCOMPARE(grid.count("I0"), 2);
        QCOMPARE(grid.count("W1"), 2);
        QVERIFY(grid.contains('.'));
    }

    void nothingToDrawIsDrawn()
    {
        QVERIFY(drawPlayed({}, 300).items.empty());
    }
};

QTEST_APPLESS_MAIN(TestSchedulePicture)
#include "test_schedule_picture.moc"

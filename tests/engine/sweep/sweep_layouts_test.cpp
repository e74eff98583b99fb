// Layouts of a sweep as they are typed.

#include <QtTest>

#include "engine/core/error.h"
#include "engine/sweep/sweep_layouts.h"

using namespace triaxis;

namespace
{

QString joined(const std::vector<Layout>& layouts)
{
    QStringList texts;
    for (const Layout& layout : layouts)
        texts << QString::fromStdString(sizesText(layout));
    return texts.join(' ');
}

} // namespace

class SweepLayoutsTest : public QObject
{
    Q_OBJECT

private slots:
    void theExerciseBeginsWithOneRank()
    {
        QCOMPARE(joined(exerciseLayouts()), QString("1×1×1 4×1×1 2×2×1 1×1×4 2×1×2"));
    }

    void readsListsAndGrids_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("layouts");
        QTest::newRow("list") << "1x1x1,4x1x1"
                              << "1×1×1 4×1×1";
        QTest::newRow("grid") << "1..4x1..2x1"
                              << "1×1×1 1×2×1 2×1×1 2×2×1 4×1×1 4×2×1";
        QTest::newRow("the end is included") << "1..6x1x1"
                                             << "1×1×1 2×1×1 4×1×1 6×1×1";
        QTest::newRow("each once") << "2x1x1,1..2x1x1"
                                   << "2×1×1 1×1×1";
    }

    void readsListsAndGrids()
    {
        QFETCH(QString, text);
        QFETCH(QString, layouts);
        QCOMPARE(joined(parseSweepLayouts(text.toStdString())), layouts);
    }

    void refusesWhatIsNoLayout_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "4", "4x1", "4x1x1x1", "0x1x1", "-1x1x1", "1x1x1,", "ax1x1",
                                 "4..2x1x1", "1..x1x1", "2000000x1x1", "1..1000000x1..1000000x1",
                                 "1 x1x1", "99999999999999999999x1x1"})
            QTest::newRow(text) << text;
    }

    void refusesWhatIsNoLayout()
    {
        QFETCH(QString, text);
        QVERIFY_THROWS_EXCEPTION(Error, parseSweepLayouts(text.toStdString()));
    }
};

QTEST_GUILESS_MAIN(SweepLayoutsTest)
#include "sweep_layouts_test.moc"

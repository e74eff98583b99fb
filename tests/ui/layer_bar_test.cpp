#include "tests/ui/support/gestures.h"
#include "ui/plan/layer_bar.h"

#include <QSignalSpy>
#include <QTest>

using namespace triaxis::ui;

class LayerBarTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<LayerBar> m_bar;
    std::vector<int> m_asked;
    std::vector<int> m_gestures;
    LayerBar::Shape m_shape;

    void setLayers(std::vector<int> layers, LayerBar::Shape shape)
    {
        m_shape = shape;
        m_bar->setLayers(std::move(layers), std::move(shape));
    }

private slots:
    void init()
    {
        m_bar = std::make_unique<LayerBar>();
        m_bar->resize(400, 26);
        setLayers({2, 2, 4}, {});
        m_asked.clear();
        m_gestures.clear();
        connect(m_bar.get(), &LayerBar::splitRequested, this,
                [this](const std::vector<int>& layers, int gesture) {
                    m_asked = layers;
                    m_gestures.push_back(gesture);
                    m_bar->setLayers(layers, m_shape);
                });
    }

    void draggingADividerMovesLayersBetweenItsStages()
    {
        triaxis::tests::drag(m_bar.get(), {100, 13}, {151, 13});
        QCOMPARE(m_asked, (std::vector<int>{3, 1, 4}));
        for (const int gesture : m_gestures)
            QCOMPARE(gesture, m_gestures.front());
    }

    void noStageLosesItsLastLayer()
    {
        triaxis::tests::drag(m_bar.get(), {100, 13}, {390, 13});
        QCOMPARE(m_asked, (std::vector<int>{3, 1, 4}));
        triaxis::tests::drag(m_bar.get(), {150, 13}, {-50, 13});
        QCOMPARE(m_asked, (std::vector<int>{1, 3, 4}));
    }

    void keysChooseAndMoveADivider()
    {
        QTest::keyClick(m_bar.get(), Qt::Key_Right);
        QTest::keyClick(m_bar.get(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(m_asked, (std::vector<int>{2, 3, 3}));
        QTest::keyClick(m_bar.get(), Qt::Key_Left);
        QTest::keyClick(m_bar.get(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(m_asked, (std::vector<int>{1, 4, 3}));
        QCOMPARE(m_gestures.size(), std::size_t(2));
        QVERIFY(m_gestures[0] != m_gestures[1]);
    }

    void everySegmentOfManyCanBeRead()
    {
        m_bar->resize(640, 40);
        std::vector<int> layers(16, 1);
        layers.front() = layers.back() = 0;
        setLayers(layers, {{}, true});
        for (int i = 0; i + 1 < m_bar->count(); ++i) {
            const double left = i == 0 ? 0 : m_bar->dividerX(i - 1);
            QVERIFY(m_bar->dividerX(i) - left >= LayerBar::leastSegment());
        }
        QCOMPARE(m_bar->minimumSizeHint().width(), 16 * LayerBar::leastSegment());
    }

    void endsMayGiveTheirLastLayerAwayWhereTheyHoldMore()
    {
        setLayers({1, 2, 2}, {{}, true});
        triaxis::tests::drag(m_bar.get(), {int(m_bar->dividerX(0)), 13}, {-90, 13});
        QCOMPARE(m_asked, (std::vector<int>{0, 3, 2}));
    }

    void aChunkIsShownWithItsNeighboursAndMovesOnlyItsOwn()
    {
        const std::vector<int> layers{4, 3, 2, 5, 4, 6};
        setLayers(layers, {{0, 1, 0, 1, 0, 1}, false});
        QCOMPARE(m_bar->chunks(), 3);
        m_bar->showChunk(1);
        QCOMPARE(m_bar->count(), 4); // virtual stages 1 to 4
        QTest::keyClick(m_bar.get(), Qt::Key_Right);
        QTest::keyClick(m_bar.get(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(m_asked, (std::vector<int>{4, 3, 3, 4, 4, 6}));
        QTest::keyClick(m_bar.get(), Qt::Key_End);
        QTest::keyClick(m_bar.get(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(m_asked, (std::vector<int>{4, 3, 3, 3, 5, 6}));
    }

    void sumsAreOfPipelineStagesAndCannotBeMoved()
    {
        setLayers({4, 3, 2, 5}, {{0, 1, 1, 0}, false}); // a V
        m_bar->setCosts({{0.5, "half"}, {1, "all"}}, {{0.2, "a"}, {1.2, "b"}});
        m_bar->showSums();
        QCOMPARE(m_bar->count(), 2);
        QVERIFY(m_bar->accessibleDescription().startsWith("stage 0: 9 layers, half, a"));
        triaxis::tests::drag(m_bar.get(), {int(m_bar->dividerX(0)), 13}, {10, 13});
        QVERIFY(m_asked.empty());
        QVERIFY(!m_bar->grab().isNull());
    }

    void oneStageHasNothingToMove()
    {
        m_bar->setLayers({8});
        triaxis::tests::drag(m_bar.get(), {100, 13}, {200, 13});
        QTest::keyClick(m_bar.get(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(m_asked.empty());
        m_bar->setLayers({});
        QVERIFY(!m_bar->grab().isNull());
    }
};

QTEST_MAIN(LayerBarTest)
#include "layer_bar_test.moc"

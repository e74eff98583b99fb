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

private slots:
    void init()
    {
        m_bar = std::make_unique<LayerBar>();
        m_bar->resize(400, 26);
        m_bar->setLayers({2, 2, 4});
        m_asked.clear();
        m_gestures.clear();
        connect(m_bar.get(), &LayerBar::splitRequested, this,
                [this](const std::vector<int>& layers, int gesture) {
                    m_asked = layers;
                    m_gestures.push_back(gesture);
                    m_bar->setLayers(layers);
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

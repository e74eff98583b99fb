#include "tests/ui/support/gestures.h"
#include "ui/widgets/axis_chip.h"

#include <QSignalSpy>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class AxisChipTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<AxisChip> m_chip;
    std::unique_ptr<QSignalSpy> m_spy;

    int asked() const { return m_spy->isEmpty() ? -1 : m_spy->last().first().toInt(); }

private slots:
    void init()
    {
        m_chip = std::make_unique<AxisChip>(Axis::Tensor);
        m_chip->resize(200, 44);
        m_chip->setValue(4);
        m_spy = std::make_unique<QSignalSpy>(m_chip.get(), &AxisChip::valueRequested);
    }

    void plusAndMinusAskForTheNextSize()
    {
        QTest::mouseClick(m_chip.get(), Qt::LeftButton, {}, {180, 28});
        QCOMPARE(asked(), 5);
        QTest::mouseClick(m_chip.get(), Qt::LeftButton, {}, {155, 28});
        QCOMPARE(asked(), 3);
    }

    void showsANewSizeOnlyWhenTold()
    {
        QTest::keyClick(m_chip.get(), Qt::Key_Up);
        QCOMPARE(asked(), 5);
        QCOMPARE(m_chip->value(), 4);
    }

    void keysStepDoubleAndHalve()
    {
        QTest::keyClick(m_chip.get(), Qt::Key_Plus);
        QCOMPARE(asked(), 5);
        QTest::keyClick(m_chip.get(), Qt::Key_Minus);
        QCOMPARE(asked(), 3);
        QTest::keyClick(m_chip.get(), Qt::Key_PageUp);
        QCOMPARE(asked(), 8);
        QTest::keyClick(m_chip.get(), Qt::Key_PageDown);
        QCOMPARE(asked(), 2);
    }

    void digitsAreTypedTogether()
    {
        QTest::keyClicks(m_chip.get(), "12");
        QCOMPARE(asked(), 12);
    }

    void oneIsTheLeast()
    {
        m_chip->setValue(1);
        QTest::keyClick(m_chip.get(), Qt::Key_Down);
        QTest::mouseClick(m_chip.get(), Qt::LeftButton, {}, {155, 28});
        QCOMPARE(m_spy->count(), 0);
    }

    void wheelIsLeftToTheParentUnlessFocused()
    {
        tests::wheel(m_chip.get(), {50, 20}, 1);
        QCOMPARE(m_spy->count(), 0);
    }

    void tellsScreenReadersItsProblem()
    {
        m_chip->setProblem("use 1, 2 or 4");
        QVERIFY(m_chip->accessibleName().contains("Tensor"));
        QCOMPARE(m_chip->accessibleDescription(), QString("use 1, 2 or 4"));
        m_chip->setProblem({});
        QVERIFY(m_chip->accessibleDescription() != "use 1, 2 or 4");
    }
};

QTEST_MAIN(AxisChipTest)
#include "axis_chip_test.moc"

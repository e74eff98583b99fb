// The glossary and the tour, as Help opens them.

#include <QtTest>

#include "engine/formats/glossary.h"
#include "engine/record/demo_plan.h"
#include "tests/ui/support/own_settings.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/first_tour.h"
#include "ui/window/glossary_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/tour.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

using namespace triaxis;
using namespace triaxis::ui;

class HelpTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<tests::OwnSettings> m_home;
    std::unique_ptr<ThemeController> m_theme;
    std::unique_ptr<MainWindow> m_window;

    Tour* tour() const { return m_window->findChild<Tour*>(); }
    QPushButton* button(const char* name) const
    {
        return m_window->findChild<QPushButton*>(QLatin1String(name));
    }
    QString title() const { return m_window->findChild<QLabel*>("tourTitle")->text(); }

private slots:
    void initTestCase()
    {
        m_home = std::make_unique<tests::OwnSettings>();
        m_theme = std::make_unique<ThemeController>(*qApp);
        m_window = std::make_unique<MainWindow>(
            MainWindow::Options{demoPlan(), m_home->folder().toStdString(), "0.1.0"}, *m_theme);
        m_window->resize(1280, 800);
        m_window->show();
    }
    void init()
    {
        m_window->showPage(MainWindow::Page::Plan);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup()
    {
        if (tour())
            QTest::keyClick(tour(), Qt::Key_Escape);
        QTRY_VERIFY(!tour());
        m_theme->setTextScale(1);
    }
    void cleanupTestCase() { m_window.reset(); }

    void theGlossaryFindsByTermDefinitionAndUnit()
    {
        GlossaryDialog dialog(m_window.get());
        dialog.show();
        QCOMPARE(dialog.shownEntries().size(), qsizetype(glossary().size()));
        dialog.setSearch("BUBBLE closed");
        QVERIFY(dialog.shownEntries().contains("closed-form"));
        QVERIFY(!dialog.shownEntries().contains("loss"));
        dialog.setSearch("nats");
        QVERIFY(dialog.shownEntries().contains("loss"));
        dialog.setSearch("nothing is called so");
        QVERIFY(dialog.shownEntries().isEmpty());
        dialog.setSearch({});
        QCOMPARE(dialog.shownEntries().size(), qsizetype(glossary().size()));
    }

    void theGlossaryOpensAtATermAndScrollsByKeys()
    {
        GlossaryDialog dialog(m_window.get());
        dialog.show();
        QApplication::processEvents();
        const auto* bar = dialog.findChild<QScrollArea*>()->verticalScrollBar();
        dialog.showEntry("loss");
        const int at = bar->value();
        QVERIFY(at > 0);
        QTest::keyClick(dialog.findChild<QWidget*>("glossarySearch"), Qt::Key_PageUp);
        QVERIFY(bar->value() < at);
    }

    void theTourLeadsThroughFourStops()
    {
        m_window->findChild<QAction*>("window.tour")->trigger();
        QVERIFY(tour() && tour()->isVisible());
        const QStringList titles{"Draw", "Predict", "Run", "Compare"};
        for (int stop = 0; stop < 4; ++stop) {
            QCOMPARE(title(), titles[stop]);
            QVERIFY2(tour()->target() && tour()->target()->isVisible(), qPrintable(title()));
            QApplication::processEvents();
            QVERIFY(!tour()->hole().isEmpty());
            QVERIFY(tour()->rect().contains(tour()->card()->geometry()));
            QVERIFY(QApplication::focusWidget() == button("tourNext"));
            QVERIFY(button("tourNext")->accessibleDescription().startsWith(titles[stop]));
            QTest::mouseClick(button("tourNext"), Qt::LeftButton);
        }
        QTRY_VERIFY(!tour());
        QCOMPARE(m_window->page(), MainWindow::Page::History);
    }

    void keysLeadBackAndForthAndOut()
    {
        m_window->showTour();
        QTest::keyClick(button("tourNext"), Qt::Key_Right);
        QTest::keyClick(button("tourNext"), Qt::Key_Return);
        QCOMPARE(title(), QString("Run"));
        QTest::keyClick(button("tourNext"), Qt::Key_Left);
        QCOMPARE(title(), QString("Predict"));
        QTest::keyClick(button("tourNext"), Qt::Key_Tab); // round the buttons, not into the window
        QVERIFY(QApplication::focusWidget() == button("tourSkip"));
        QTest::keyClick(button("tourSkip"), Qt::Key_Backtab);
        QVERIFY(QApplication::focusWidget() == button("tourNext"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(m_window->page(), MainWindow::Page::Plan); // keys of the window wait
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!tour());
    }

    void theTourFitsAlsoWithLargeText()
    {
        m_theme->setTextScale(2);
        m_window->showTour();
        for (int stop = 0; stop < 4; ++stop) {
            QApplication::processEvents();
            QVERIFY(tour()->rect().contains(tour()->card()->geometry()));
            QVERIFY2(!tour()->hole().isEmpty(), qPrintable(title()));
            QTest::keyClick(button("tourNext"), Qt::Key_Right);
        }
    }

    void itIsOfferedOnce()
    {
        QVERIFY(takeFirstTour());
        QVERIFY(!takeFirstTour());
        m_window->offerTour();
        QApplication::processEvents();
        QVERIFY(!tour());
        m_window->showTour(); // again through Help
        QVERIFY(tour());
        m_window->showTour();
        QCOMPARE(m_window->findChildren<Tour*>().size(), 1);
    }
};

QTEST_MAIN(HelpTest)
#include "help_test.moc"

#include "engine/record/demo_plan.h"
#include "tests/ui/support/stored_run.h"
#include "ui/commands/set_axis_size.h"
#include "ui/models/history_model.h"
#include "ui/pages/history_page.h"
#include "ui/pages/run_page.h"
#include "ui/run/run_data.h"
#include "ui/run/run_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/banner.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class MainWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<ThemeController> m_theme;
    std::unique_ptr<MainWindow> m_window;

    std::filesystem::path home() const { return m_home->path().toStdString(); }

    void open()
    {
        m_window = std::make_unique<MainWindow>(MainWindow::Options{demoPlan(), home(), "0.1.0"},
                                                *m_theme);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    std::filesystem::path storeRun(const std::string& label)
    {
        RunPlan plan = tests::smallPlan(2, 2, 2, 4);
        plan.label = label;
        return tests::storeFinishedRun(home(), plan, 6);
    }

    /// Every page in both themes and a larger text size paints, which is what a picture needs.
    void grabAllPages()
    {
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::HighContrast}) {
            m_theme->setChoice(choice);
            for (const auto page :
                 {MainWindow::Page::Plan, MainWindow::Page::Run, MainWindow::Page::History}) {
                m_window->showPage(page);
                QApplication::processEvents();
                QVERIFY(!m_window->grab().isNull());
            }
        }
    }

    /// The button asks the launcher to stop the run, once, and goes when the run has ended.
    void stopBy(QPushButton* stop, tests::StoredRun& run)
    {
        QVERIFY(!std::filesystem::exists(run.directory().stopRequest()));
        QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(std::filesystem::exists(run.directory().stopRequest()));
        QVERIFY(!stop->isEnabled());
        run.setState(RunState::Stopped);
        QTRY_VERIFY_WITH_TIMEOUT(!stop->isVisible(), 60000);
    }

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QSettings::setDefaultFormat(QSettings::IniFormat);
    }

    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
        m_theme = std::make_unique<ThemeController>(*qApp);
    }

    void cleanup()
    {
        m_window.reset();
        m_theme.reset();
    }

    void aKilledWindowsPlanIsThereAgain()
    {
        open();
        const int before = m_window->document().plan().layout.dp;
        m_window->document().apply(
            std::make_unique<SetAxisSize>(m_window->document(), Axis::Data, before * 2));
        const QDir unsaved(QString::fromStdString((home() / "unsaved").string()));
        const auto plans = [&] { return unsaved.entryList({"*.triaxis"}, QDir::Files); };
        QTRY_COMPARE_WITH_TIMEOUT(plans().size(), 1, 20000);
        const QString own = plans().first();
        QVERIFY(QFile::copy(unsaved.filePath(own), unsaved.filePath("killed.triaxis")));
        m_window.reset();
        QCOMPARE(plans(), QStringList{"killed.triaxis"}); // one that ends takes its own away
        open();
        QCOMPARE(m_window->document().plan().layout.dp, before * 2);
        QVERIFY(m_window->isWindowModified());
        m_window.reset();
        open();
        QCOMPARE(m_window->document().plan().layout.dp, before);
        QVERIFY(!m_window->isWindowModified());
    }

    void emptyWindowShowsTheWayToAFirstRun()
    {
        open();
        m_window->begin();
        QCOMPARE(m_window->page(), MainWindow::Page::Plan);
        m_window->showPage(MainWindow::Page::Run);
        auto* toPlan = m_window->runPage()->findChild<QPushButton*>("goToPlan");
        QVERIFY(toPlan->isVisible());
        QTest::mouseClick(toPlan, Qt::LeftButton);
        QCOMPARE(m_window->page(), MainWindow::Page::Plan);
        grabAllPages();
    }

    void pagesAreReachedByKeyboard()
    {
        open();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(m_window->page(), MainWindow::Page::Run);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(m_window->page(), MainWindow::Page::History);
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(m_window->page(), MainWindow::Page::Plan);
    }

    void everyActionIsInAMenuAndHasAKey()
    {
        open();
        const auto* bar = m_window->findChild<QMenuBar*>();
        QVERIFY(bar != nullptr && bar->isVisible());
        QList<QAction*> left = bar->actions();
        int found = 0;
        while (!left.isEmpty()) {
            const QAction* action = left.takeFirst();
            if (action->menu())
                left += action->menu()->actions();
            else if (!action->isSeparator() && action->isEnabled() &&
                     !action->objectName().isEmpty()) {
                ++found;
                QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
            }
        }
        QVERIFY(found > 20);
    }

    void keysOfThePlanWaitOnOtherPages()
    {
        open();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        const int before = m_window->document().plan().layout.dp;
        m_window->document().apply(
            std::make_unique<SetAxisSize>(m_window->document(), Axis::Data, before * 2));
        m_window->showPage(MainWindow::Page::Run);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->document().plan().layout.dp, before * 2);
        m_window->showPage(MainWindow::Page::Plan);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->document().plan().layout.dp, before);
    }

    void aStoredRunIsFoundAndOpened()
    {
        const auto path = storeRun("the one");
        open();
        m_window->begin();
        m_window->showPage(MainWindow::Page::History);
        HistoryPage* history = m_window->historyPage();
        QTRY_COMPARE_WITH_TIMEOUT(history->model()->rowCount(), 1, 60000);
        auto* table = history->findChild<QTableView*>("historyTable");
        table->selectRow(0);
        QTest::mouseClick(history->findChild<QPushButton*>("openRun"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(history->view()->run() && history->view()->run()->isOver(), 60000);
        QCOMPARE(history->view()->run()->directory(), path);
        QCOMPARE(history->view()->run()->steps().size(), std::size_t(6));
        QVERIFY(!m_window->grab().isNull());
        QTest::mouseClick(history->findChild<QPushButton*>("allRuns"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(table->isVisible(), 60000);
    }

    void searchNarrowsTheTable()
    {
        storeRun("alpha");
        storeRun("beta");
        open();
        m_window->begin();
        m_window->showPage(MainWindow::Page::History);
        HistoryPage* history = m_window->historyPage();
        QTRY_COMPARE_WITH_TIMEOUT(history->model()->rowCount(), 2, 60000);
        auto* search = history->findChild<QLineEdit*>("historySearch");
        search->setText("alpha");
        QTRY_COMPARE_WITH_TIMEOUT(history->model()->rowCount(), 1, 60000);
        search->setText("nothing like it");
        QTRY_COMPARE_WITH_TIMEOUT(history->model()->rowCount(), 0, 60000);
        QVERIFY(!m_window->grab().isNull());
        search->clear();
        QTRY_COMPARE_WITH_TIMEOUT(history->model()->rowCount(), 2, 60000);
    }

    void aRunThatGoesOnIsShownByTheNextStart()
    {
        tests::StoredRun run(home(), tests::smallPlan(2, 1, 2, 4), 6);
        run.writeStep();
        run.setState(RunState::Running);
        open();
        m_window->begin();
        QTRY_COMPARE_WITH_TIMEOUT(m_window->page(), MainWindow::Page::Run, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->runPage()->isActive(), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->runPage()->view()->run()->steps().size(),
                                  std::size_t(1), 60000);
        QVERIFY(m_window->runPage()->findChild<QPushButton*>("stop")->isVisible());
        grabAllPages();
    }

    void theHistoryFollowsARunThatGoesOn()
    {
        tests::StoredRun run(home(), tests::smallPlan(2, 1, 2, 4), 6);
        open();
        m_window->showPage(MainWindow::Page::History);
        const HistoryModel* model = m_window->historyPage()->model();
        const auto text = [model](int column) { return model->index(0, column).data().toString(); };
        QTRY_COMPARE_WITH_TIMEOUT(text(HistoryModel::State), QString("draft"), 60000);
        run.setState(RunState::Running);
        run.writeStep();
        run.writeStep();
        QTRY_COMPARE_WITH_TIMEOUT(text(HistoryModel::State), QString("running"), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(text(HistoryModel::Steps), QString("2"), 60000);
        run.writeStep();
        QTRY_COMPARE_WITH_TIMEOUT(text(HistoryModel::Steps), QString("3"), 60000);
        run.setState(RunState::Stopped);
        QTRY_COMPARE_WITH_TIMEOUT(text(HistoryModel::State), QString("stopped"), 60000);
    }

    void aRunThatGoesOnIsStoppedAndOpenedFromTheHistory()
    {
        tests::StoredRun run(home(), tests::smallPlan(2, 1, 2, 4), 6);
        run.setState(RunState::Running);
        run.writeStep();
        open();
        m_window->showPage(MainWindow::Page::History);
        HistoryPage* history = m_window->historyPage();
        auto* stop = history->findChild<QPushButton*>("stopRun");
        QTRY_VERIFY_WITH_TIMEOUT(stop->isVisible() && stop->isEnabled(), 60000);
        QTest::mouseClick(history->findChild<QPushButton*>("openRun"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(history->view()->run(), 60000);
        run.writeStep();
        QTRY_COMPARE_WITH_TIMEOUT(history->view()->run()->steps().size(), std::size_t(2), 60000);
        QVERIFY(stop->isVisible());
        stopBy(stop, run);
    }

    void aRunThatGoesOnIsNotLostWhenAnotherIsStarted()
    {
        tests::StoredRun first(home(), tests::smallPlan(2, 1, 2, 4), 6);
        first.setState(RunState::Running);
        open();
        m_window->begin();
        RunPage* page = m_window->runPage();
        QTRY_VERIFY_WITH_TIMEOUT(page->isActive(), 60000);
        QString asked;
        m_window->setAsk([&](const QString& name) {
            asked = name;
            return BesideAnswer::Cancel;
        });
        m_window->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(!asked.isEmpty(), 60000);
        const auto runs = [this] {
            return std::distance(std::filesystem::directory_iterator(home() / "runs"), {});
        };
        QCOMPARE(runs(), 1);
        QVERIFY(!std::filesystem::exists(first.directory().stopRequest()));

        // Beside it: the first stays in reach.
        tests::StoredRun second(home(), tests::smallPlan(1, 1, 2, 2), 6);
        second.setState(RunState::Running);
        m_window->openRun(QString::fromStdString(second.directory().path().string()));
        auto* others = page->findChild<QPushButton*>("otherRuns");
        QTRY_COMPARE_WITH_TIMEOUT(others->text(), QString("1 other run"), 60000);
        second.setState(RunState::Stopped);
        QTRY_VERIFY_WITH_TIMEOUT(!page->isActive(), 60000);
        QTest::qWait(50);
        QVERIFY(others->isVisible());
        QTest::mouseClick(others, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(page->isActive(), 60000);
        QCOMPARE(page->view()->run()->directory(), first.directory().path());

        // In its place: it is stopped, and the next one waits for its end.
        QSignalSpy next(page, &RunPage::restartRequested);
        m_window->setAsk([](const QString&) { return BesideAnswer::StopFirst; });
        m_window->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(first.directory().stopRequest()), 60000);
        QCOMPARE(next.size(), 0);
        page->disconnect(SIGNAL(restartRequested(triaxis::RunPlan)), m_window.get());
        first.setState(RunState::Stopped);
        QTRY_COMPARE_WITH_TIMEOUT(next.size(), 1, 60000);
    }

    void stopAsksTheLauncher()
    {
        tests::StoredRun run(home(), tests::smallPlan(1, 1, 2, 2), 6);
        run.setState(RunState::Running);
        open();
        m_window->openRun(QString::fromStdString(run.directory().path().string()));
        auto* stop = m_window->runPage()->findChild<QPushButton*>("stop");
        QTRY_VERIFY_WITH_TIMEOUT(stop->isVisible(), 60000);
        stopBy(stop, run);
    }

    void aFailedRunSaysWhichRankAndWhy()
    {
        tests::StoredRun run(home(), tests::smallPlan(2, 1, 2, 2), 6);
        run.setState(RunState::Running);
        run.writeStep();
        run.fail(Rank(3), "rank 3 was killed by signal 9");
        open();
        m_window->openRun(QString::fromStdString(run.directory().path().string()));
        auto* banner = m_window->runPage()->findChild<Banner*>();
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), 60000);
        QVERIFY(banner->title().contains("rank 3", Qt::CaseInsensitive));
        QVERIFY(banner->accessibleName().contains("signal 9"));
        grabAllPages();
    }

    void textSizeGrowsEverything()
    {
        storeRun("large");
        open();
        m_theme->setTextScale(1.5);
        m_window->openRun(QString::fromStdString(
            (home() / "runs").string() + "/" +
            std::filesystem::directory_iterator(home() / "runs")->path().filename().string()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->runPage()->view()->run() &&
                                     m_window->runPage()->view()->run()->isOver(),
                                 60000);
        grabAllPages();
        m_theme->setTextScale(1.0);
    }

    void theWindowIsSmallEnoughForALaptop()
    {
        open();
        QVERIFY2(m_window->minimumSizeHint().width() <= 1280 &&
                     m_window->minimumSizeHint().height() <= 740,
                 qPrintable(QString("%1 x %2")
                                .arg(m_window->minimumSizeHint().width())
                                .arg(m_window->minimumSizeHint().height())));
    }
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"

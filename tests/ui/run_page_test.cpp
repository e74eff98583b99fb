#include <QtTest>

#include "storage/history.h"
#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/stored_run.h"
#include "ui/base/percent_text.h"
#include "ui/pages/run_page.h"
#include "ui/panels/bubble_panel.h"
#include "ui/panels/panel_tabs.h"
#include "ui/panels/prediction_panel.h"
#include "ui/run/restart_dialog.h"
#include "ui/run/run_data.h"
#include "ui/run/run_view.h"
#include "ui/run/shown_steps.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/view_range.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/lane_view.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTimer>

#include <cmath>

using namespace triaxis;
using namespace triaxis::ui;

class RunPageTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<tests::OwnSettings> m_home;
    std::unique_ptr<RunPage> m_page;

    std::filesystem::path home() const { return m_home->folder().toStdString(); }
    RunView* view() const { return m_page->view(); }
    QPushButton* button(const char* name) const
    {
        return m_page->findChild<QPushButton*>(QLatin1String(name));
    }

    /// With slots, so that it is predicted without a calibration.
    static RunPlan pacedPlan(int dp = 2, int pp = 2)
    {
        RunPlan plan = tests::smallPlan(dp, 1, pp, 4);
        plan.execution.pace.forward = {11e-3};
        plan.execution.pace.input = {11e-3};
        plan.execution.pace.weight = {11e-3};
        return plan;
    }

    void open(const std::filesystem::path& directory)
    {
        m_page = std::make_unique<RunPage>();
        m_page->resize(1180, 760);
        m_page->show();
        m_page->open(QString::fromStdString(directory.string()));
        QTRY_VERIFY_WITH_TIMEOUT(view()->run() && !view()->run()->steps().empty(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(view()->prediction(), 60000);
        QApplication::processEvents();
    }

    QString bubbleOfStrip() const
    {
        const auto* strip = m_page->findChild<FigureStrip*>();
        const QString text = strip->accessibleName();
        qsizetype at = text.indexOf(QStringLiteral("Bubble"));
        at = text.indexOf(QStringLiteral(": "), at) + 2;
        return text.mid(at, text.indexOf(QLatin1Char(','), at) - at);
    }

    /// Figures of the bubble beside the strip: page of the bubble, page of the prediction.
    QStringList bubblesOfPanels() const
    {
        QStringList found;
        view()->panels()->showPage(1);
        QApplication::processEvents();
        const auto& stages =
            m_page->findChild<FigureTableView*>(QStringLiteral("bubbleTable"))->figures()->table();
        for (std::size_t row = 0; row < stages.rows.size(); ++row)
            if (stages.rows[row].text == QLatin1String("measured"))
                found << stages.cells[row].back().text;
        view()->panels()->showPage(4);
        QApplication::processEvents();
        const auto& errors =
            m_page->findChild<FigureTableView*>(QStringLiteral("stepErrors"))->figures()->table();
        found << errors.cells[1][0].text;
        return found;
    }

    QString basis(const char* name) const
    {
        return m_page->findChild<QLabel*>(QLatin1String(name))->text();
    }
    /// That of the whole run on the page of the prediction.
    QString runBubble() const
    {
        view()->panels()->showPage(4);
        QApplication::processEvents();
        const auto& errors =
            m_page->findChild<FigureTableView*>(QStringLiteral("stepErrors"))->figures()->table();
        for (std::size_t row = 0; row < errors.rows.size(); ++row)
            if (errors.rows[row].text == QLatin1String("run: bubble"))
                return errors.cells[row][0].text;
        return {};
    }

private slots:
    void init() { m_home = std::make_unique<tests::OwnSettings>(); }

    void cleanup() { m_page.reset(); }

    void thePredictionHasOneSwitch()
    {
        const auto run = tests::storeFinishedRun(home(), pacedPlan(), 4);
        open(run);
        QVERIFY2(view()->prediction()->prediction, view()->prediction()->problem.c_str());
        QAction* action = view()->predictionAction();
        QPushButton* shown = button("predictionShown");
        QVERIFY(action->isEnabled() && action->isChecked() && shown->isChecked());
        QTRY_VERIFY(view()->timeline()->isPredictionShown());
        QTest::keyClick(view()->timeline(), Qt::Key_O);
        QVERIFY(!action->isChecked() && !shown->isChecked());
        QVERIFY(!view()->timeline()->isPredictionShown());
        shown->click();
        QVERIFY(action->isChecked() && shown->isChecked());
        QVERIFY(view()->timeline()->isPredictionShown());
        QVERIFY(view()->timelinePanel()->menu()->actions().contains(action));
        action->trigger();
        QVERIFY(!shown->isChecked() && shown->text() == QLatin1String("Prediction"));
        QVERIFY(shown->toolTip().contains(QLatin1String("(O)")));

        open(run); // as after the next start
        QVERIFY(!view()->predictionAction()->isChecked());
        QVERIFY(!button("predictionShown")->isChecked());
        QVERIFY(!view()->timeline()->isPredictionShown());
    }

    void withoutAPredictionTheSwitchTellsWhy()
    {
        open(tests::storeFinishedRun(home(), tests::smallPlan(2, 1, 2, 4), 3));
        QVERIFY(!view()->prediction()->prediction);
        QAction* action = view()->predictionAction();
        QVERIFY(action->isEnabled() && !action->isChecked());
        view()->panels()->showPage(0);
        action->trigger();
        QVERIFY(!action->isChecked() && !button("predictionShown")->isChecked());
        QCOMPARE(view()->panels()->page(), 4);
    }

    void everySpanOfTheWindowHasItsPrediction()
    {
        open(tests::storeFinishedRun(home(), pacedPlan(), 4));
        QTRY_VERIFY(view()->timeline()->isPredictionShown());
        const LaneView& lanes = *view()->timeline();
        int twins = 0;
        for (std::size_t lane = 0; lane < lanes.lanes()->ranks().size(); ++lane) {
            const Track& track = lanes.lanes()->ranks()[lane].compute;
            for (std::size_t i = 0; i < track.size(); ++i) {
                if (track.begin(i) < lanes.window().from || track.end(i) > lanes.window().to)
                    continue;
                QVERIFY(lanes.twinOf({lane, false, i}));
                ++twins;
            }
        }
        QVERIFY(twins >= 4 * 8); // four ranks, four microbatches forward and backward
    }

    void aStoredRunBeginsWithTheStepThatStandsForIt()
    {
        open(tests::storeFinishedRun(home(), pacedPlan(), 5));
        QTRY_VERIFY_WITH_TIMEOUT(view()->run()->isOver(), 60000);
        const std::int32_t steady = steadyStepOf(*view()->run()->lanes());
        QVERIFY(steady > 1);
        QTRY_VERIFY(!view()->range().isFollowing());
        const auto [begin, end] = view()->run()->lanes()->stepRange(steady);
        QVERIFY(std::abs(view()->range().window().from - begin) < 1e-9);
        QVERIFY(std::abs(view()->range().window().to - end) < 1e-9);
        QCOMPARE(view()->range().text(), QStringLiteral("step %1").arg(steady));
    }

    void aRunThatGoesOnFollowsItsLatestStep()
    {
        tests::StoredRun run(home(), pacedPlan(), 6);
        run.setState(RunState::Running);
        run.writeStep();
        open(run.directory().path());
        run.writeStep();
        run.writeStep();
        QTRY_COMPARE_WITH_TIMEOUT(view()->run()->steps().size(), std::size_t(3), 60000);
        QVERIFY(view()->range().isFollowing());
        run.finish();
        QTRY_VERIFY_WITH_TIMEOUT(view()->run()->isOver(), 60000);
        QTRY_COMPARE(view()->range().text(), QStringLiteral("step 6"));
        QVERIFY(view()->range().isFollowing());
    }

    void allPagesTellTheSameBubble()
    {
        open(tests::storeFinishedRun(home(), pacedPlan(), 5));
        QTRY_VERIFY_WITH_TIMEOUT(view()->run()->isOver(), 60000);
        // The run's is that of the history: the mean of the kept steps, the first left out.
        const QString ofRun = bubbleOfStrip();
        QVERIFY2(ofRun.endsWith(QLatin1Char('%')), qPrintable(ofRun));
        const auto* strip = m_page->findChild<FigureStrip*>();
        QVERIFY(strip->accessibleName().contains(QStringLiteral("Bubble · 4 steps: ")));
        QVERIFY(strip->accessibleName().contains(QStringLiteral("Step time · 4 steps: ")));
        History history(home());
        history.refresh();
        QCOMPARE(percentText(history.runs()[0].bubble), ofRun);
        QCOMPARE(runBubble(), ofRun);
        // The pages beside agree on the steps that are shown, and name them.
        const QStringList one = bubblesOfPanels();
        QCOMPARE(one[0], one[1]);
        QVERIFY(basis("bubblePanelBasis").startsWith(view()->range().text()));
        QVERIFY(basis("predictionPanelBasis").startsWith(view()->range().text()));
        view()->panels()->showPage(1);
        m_page->findChild<QPushButton*>(QStringLiteral("bubblePanelWholeRun"))->click();
        QApplication::processEvents();
        QCOMPARE(view()->range().text(), QStringLiteral("steps 1–5"));
        const QStringList all = bubblesOfPanels();
        QVERIFY(basis("bubblePanelBasis").contains(QStringLiteral("steps 1–5")));
        QVERIFY(basis("predictionPanelBasis").contains(QStringLiteral("steps 1–5")));
        QCOMPARE(all[0], all[1]);
        QCOMPARE(bubbleOfStrip(), ofRun);
    }

    void aRestartWaitsForTheEndOfTheRun()
    {
        tests::StoredRun run(home(), pacedPlan(1, 2), 6);
        run.setState(RunState::Running);
        run.writeStep();
        open(run.directory().path());
        QTRY_VERIFY_WITH_TIMEOUT(m_page->isActive(), 60000);
        QSignalSpy restarts(m_page.get(), &RunPage::restartRequested);
        QTimer::singleShot(0, m_page.get(), [] {
            auto* dialog = qobject_cast<RestartDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto* schedule = dialog->findChild<QComboBox*>(QStringLiteral("restartSchedule"));
            schedule->setCurrentIndex(schedule->findData(QStringLiteral("gpipe")));
            dialog->findChild<QPushButton*>(QStringLiteral("restartNow"))->click();
        });
        m_page->findChild<QAction*>(QStringLiteral("run.restart"))->trigger();
        QVERIFY(std::filesystem::exists(run.directory().stopRequest()));
        QCOMPARE(button("restart")->text(), QStringLiteral("Restarting…"));
        QVERIFY(!button("restart")->isEnabled() && restarts.isEmpty());
        run.setState(RunState::Stopped);
        QTRY_COMPARE_WITH_TIMEOUT(restarts.size(), 1, 60000);
        const auto plan = restarts[0][0].value<RunPlan>();
        QCOMPARE(plan.training.schedule, std::string("gpipe"));
        QVERIFY(button("restart")->isEnabled());
    }

    void aRankKnowsWhatItMayTake()
    {
        tests::StoredRun run(home(), pacedPlan(), 2);
        RunDirectory directory = run.directory();
        RunEnvironment environment = directory.environment();
        environment.host = "workshop-3"; // where the ranks say that they are
        environment.memoryBytes = 8'000'000'000;
        directory.setEnvironment(environment);
        run.finish();
        open(run.directory().path());
        QCOMPARE(view()->run()->capacityOf(Rank(3)), std::int64_t(2'000'000'000));
        QCOMPARE(view()->run()->capacityOf(Rank(4)), std::int64_t(0));
    }
};

QTEST_MAIN(RunPageTest)
#include "run_page_test.moc"

// The window's control of real runs: started, restarted with a change while it goes on, stopped;
// and a machine measured from the page that misses it.

#include "engine/record/demo_plan.h"
#include "engine/record/run_directory.h"
#include "launcher/run_processes.h"
#include "tests/integration/fault_support.h"
#include "ui/pages/run_page.h"
#include "ui/panels/panel_tabs.h"
#include "ui/panels/run_panel.h"
#include "ui/run/restart_dialog.h"
#include "ui/run/run_data.h"
#include "ui/run/run_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/lane_view.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTest>
#include <QTimer>

using namespace triaxis;
using namespace triaxis::ui;
namespace fs = std::filesystem;

class LiveControlTest : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aRunIsRestartedWithAChangeAndStopped();
    void aMachineIsMeasuredFromThePageThatMissesIt();

private:
    void open(const RunPlan& plan);
    RunPage& page() const { return *m_window->runPage(); }
    const RunData* run() const { return page().view()->run(); }
    bool waitForSteps(std::size_t steps);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ThemeController> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

void LiveControlTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("TRIAXIS_HOME", m_folder->path().toLocal8Bit());
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
    m_theme = std::make_unique<ThemeController>(*qApp);
}

void LiveControlTest::open(const RunPlan& plan)
{
    m_window = std::make_unique<MainWindow>(
        MainWindow::Options{plan, m_folder->path().toStdString(), "0.1.0"}, *m_theme);
    m_window->resize(1280, 800);
    m_window->show();
}

void LiveControlTest::cleanup()
{
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(m_folder->path().toStdString() + "/runs", code))
        endProcesses(entry.path().filename().string(), {}, 0);
    m_window.reset();
    m_theme.reset();
}

bool LiveControlTest::waitForSteps(std::size_t steps)
{
    return QTest::qWaitFor(
        [this, steps] { return run() && page().isActive() && run()->steps().size() >= steps; },
        120000);
}

void LiveControlTest::aRunIsRestartedWithAChangeAndStopped()
{
    RunPlan plan = demoPlan();
    plan.training.steps = 5000; // until somebody ends it
    open(plan);
    m_window->startRun();
    QVERIFY(waitForSteps(2));
    const fs::path first = run()->directory();
    const std::string before = run()->plan().training.schedule;
    QVERIFY(before != "gpipe");
    QTimer::singleShot(0, m_window.get(), [] {
        auto* dialog = qobject_cast<RestartDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        auto* schedule = dialog->findChild<QComboBox*>(QStringLiteral("restartSchedule"));
        schedule->setCurrentIndex(schedule->findData(QStringLiteral("gpipe")));
        dialog->findChild<QSpinBox*>(QStringLiteral("restartSteps"))->setValue(4000);
        dialog->findChild<QPushButton*>(QStringLiteral("restartNow"))->click();
    });
    page().findChild<QAction*>(QStringLiteral("run.restart"))->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(run() && run()->directory() != first, 120000);
    QVERIFY(RunDirectory::open(first).status().state == RunState::Stopped);
    QVERIFY(waitForSteps(2));
    QCOMPARE(run()->plan().training.schedule, std::string("gpipe"));
    QCOMPARE(run()->plan().training.steps, std::int64_t(4000));
    QVERIFY(run()->plan().layout == RunDirectory::open(first).plan().layout);
    QVERIFY(!page().findChild<Banner*>()->isVisible());
    QVERIFY(page().findChild<QPushButton*>(QStringLiteral("restart"))->isEnabled());
    QVERIFY(page().view()->timeline()->lanes()->steps().second >= 1);

    page().findChild<QAction*>(QStringLiteral("run.stop"))->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!page().isActive(), 120000);
    QVERIFY(run()->status().state == RunState::Stopped);
    QVERIFY(run()->status().lastStep < 4000);
    const std::string id = run()->directory().filename().string();
    QVERIFY(test::waitUntil([&] { return processesOfRun(id, {}).empty(); }));
}

/// The measurement itself takes minutes: it is begun, and given up.
void LiveControlTest::aMachineIsMeasuredFromThePageThatMissesIt()
{
    RunPlan plan = demoPlan();
    plan.execution.pace = {};
    plan.training.steps = 3;
    open(plan);
    m_window->startRun();
    QTRY_VERIFY_WITH_TIMEOUT(run() && run()->isOver(), 120000);
    QTRY_VERIFY_WITH_TIMEOUT(page().view()->prediction(), 60000);
    QVERIFY(!page().view()->prediction()->prediction);
    page().view()->predictionAction()->trigger();
    auto* panel = page().view()->panels()->panel(4);
    auto* button = panel->findChild<QPushButton*>(QStringLiteral("calibrate"));
    QTRY_VERIFY(button->isVisible());
    QTimer::singleShot(0, m_window.get(), [] {
        auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        QVERIFY(question);
        for (QAbstractButton* answer : question->buttons())
            if (question->buttonRole(answer) == QMessageBox::AcceptRole)
                answer->click();
    });
    button->click();
    QTRY_COMPARE_WITH_TIMEOUT(button->text(), QStringLiteral("Stop"), 10000);
    auto* progress = panel->findChild<QWidget*>(QStringLiteral("calibrateProgress"));
    QTRY_VERIFY_WITH_TIMEOUT(progress->isVisible(), 10000);
    QTest::qWait(2000);
    button->click();
    QTRY_COMPARE_WITH_TIMEOUT(button->text(), QStringLiteral("Calibrate this machine…"), 60000);
    QVERIFY(!fs::exists(m_folder->path().toStdString() + "/calibration.json"));
}

QTEST_MAIN(LiveControlTest)
#include "live_control_test.moc"

// Kills the real window during a real run that it has started.

#include "engine/record/demo_plan.h"
#include "engine/record/run_directory.h"
#include "launcher/run_processes.h"
#include "tests/integration/fault_support.h"
#include "ui/models/history_model.h"
#include "ui/pages/history_page.h"
#include "ui/pages/run_page.h"
#include "ui/run/run_data.h"
#include "ui/run/run_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QPushButton>
#include <QSettings>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;
namespace fs = std::filesystem;

class WindowTest : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aRunOutlivesItsWindow();

private:
    /// The one run of the home, once it trains.
    bool waitForSteps(int steps);
    int stateOfRow(MainWindow& window) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
    std::optional<RunDirectory> m_run;
};

void WindowTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_home = m_folder->path().toStdString();
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

void WindowTest::cleanup()
{
    if (m_run)
        endProcesses(m_run->id(), {}, 0);
    m_run.reset();
}

bool WindowTest::waitForSteps(int steps)
{
    return test::waitUntil([&] {
        std::error_code code;
        for (const auto& entry : fs::directory_iterator(m_home / "runs", code))
            if (!m_run && fs::exists(entry.path() / "run.json"))
                m_run = RunDirectory::open(entry.path());
        return m_run && m_run->status().lastStep >= steps;
    });
}

int WindowTest::stateOfRow(MainWindow& window) const
{
    HistoryModel* model = window.historyPage()->model();
    if (model->rowCount() != 1)
        return -1;
    return model->index(0, HistoryModel::State).data(HistoryModel::stateRole).toInt();
}

void WindowTest::aRunOutlivesItsWindow()
{
    QProcess first;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TRIAXIS_HOME", m_folder->path());
    environment.insert("XDG_CONFIG_HOME", m_folder->path());
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    first.setProcessEnvironment(environment);
    first.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    first.start(qEnvironmentVariable("TRIAXIS_BIN") + "/triaxis-gui", {"--demo"});
    QVERIFY(waitForSteps(2));
    first.kill();
    QVERIFY(first.waitForFinished(60000));
    QCOMPARE(first.exitStatus(), QProcess::CrashExit);

    // The next start turns to the run and follows it.
    ThemeController theme(*qApp);
    MainWindow next({demoPlan(), m_home, "0.1.0"}, theme);
    next.show();
    next.begin();
    QTRY_COMPARE_WITH_TIMEOUT(next.page(), MainWindow::Page::Run, 60000);
    const RunView* view = next.runPage()->view();
    QTRY_VERIFY_WITH_TIMEOUT(view->run() && !view->run()->steps().empty(), 60000);
    QCOMPARE(view->run()->directory(), m_run->path());
    QVERIFY(next.runPage()->isActive());
    QVERIFY(next.runPage()->findChild<QPushButton*>("stop")->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(stateOfRow(next), int(RunState::Running), 60000);
    const std::size_t steps = view->run()->steps().size();
    QTRY_VERIFY_WITH_TIMEOUT(view->run()->steps().size() > steps, 60000);

    // It comes to its end without the window that began it.
    QTRY_VERIFY_WITH_TIMEOUT(view->run()->isOver(), 300000);
    QCOMPARE(m_run->status().reason, std::string());
    QVERIFY(m_run->status().state == RunState::Finished);
    QCOMPARE(m_run->status().lastStep, demoPlan().training.steps);
    QVERIFY(!next.runPage()->isActive());
    QTRY_COMPARE_WITH_TIMEOUT(stateOfRow(next), int(RunState::Finished), 60000);
    QVERIFY(test::waitUntil([&] { return processesOfRun(m_run->id(), {}).empty(); }));
}

QTEST_MAIN(WindowTest)
#include "window_test.moc"

#include "engine/record/process_info.h"
#include "engine/record/run_directory.h"
#include "launcher/output_log.h"
#include "launcher/run_processes.h"
#include "launcher/state_keeper.h"
#include "launcher/steady_time.h"
#include "launcher/watched_process.h"
#include "tests/engine/record/plan_fixture.h"

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

/// A child that sleeps, with one variable in its environment and perhaps deaf for SIGTERM; killed
/// and reaped with this object.
class Sleeper
{
public:
    explicit Sleeper(const std::string& variable, bool deaf = false) : m_pid(::fork())
    {
        if (m_pid != 0)
            return;
        std::signal(SIGTERM,
                    deaf ? SIG_IGN : SIG_DFL); // an ignored signal stays ignored through exec
        const char* const arguments[] = {"sleep", "1000", nullptr};
        const char* const environment[] = {"FIRST=1", variable.c_str(), "LAST=1", nullptr};
        ::execve("/bin/sleep", const_cast<char* const*>(arguments),
                 const_cast<char* const*>(environment));
        ::_exit(1);
    }
    ~Sleeper()
    {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;

    int pid() const { return m_pid; }
    bool isAsleep() const
    {
        const auto info = processInfo(m_pid);
        return info && info->program == "sleep";
    }

private:
    pid_t m_pid;
};

std::string contentOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace

class ProcessesTest : public QObject
{
    Q_OBJECT

private slots:
    void processesOfARunAreFoundByTheirEnvironment();
    void everyProcessOfARunIsEnded();
    void rankThatIsNotOursIsLeftAlone();
    void endOfAProcessIsSeenWithItsStatus();
    void stateIsWrittenAgainWhenItCouldNotBe();
    void stateFollowsTheMachineOnly();
    void heartbeatComesOnceASecond();
    void logKeepsItsBeginningAndItsEnd();
};

void ProcessesTest::processesOfARunAreFoundByTheirEnvironment()
{
    const Sleeper one("TRIAXIS_RUN_ID=run-a"), longer("TRIAXIS_RUN_ID=run-ab"),
        other("X_TRIAXIS_RUN_ID=run-a");
    QTRY_VERIFY(one.isAsleep() && longer.isAsleep() && other.isAsleep());
    const auto found = processesOfRun("run-a", {});
    QCOMPARE(found.size(), 1u);
    QCOMPARE(found[0].pid, one.pid());
    QVERIFY(processesOfRun("run", {}).empty());
}

void ProcessesTest::everyProcessOfARunIsEnded()
{
    const Sleeper willing("TRIAXIS_RUN_ID=run-b"), deaf("TRIAXIS_RUN_ID=run-b", true),
        stopped("TRIAXIS_RUN_ID=run-b"), other("TRIAXIS_RUN_ID=run-c");
    QTRY_VERIFY(willing.isAsleep() && deaf.isAsleep() && stopped.isAsleep() && other.isAsleep());
    ::kill(stopped.pid(), SIGSTOP);
    QVERIFY(endProcesses("run-b", {}, 0.2).empty());
    QVERIFY(processesOfRun("run-b", {}).empty());
    QVERIFY(other.isAsleep());
}

void ProcessesTest::rankThatIsNotOursIsLeftAlone()
{
    const Sleeper sleeper("NOTHING=1");
    QTRY_VERIFY(sleeper.isAsleep());
    RankStatus status;
    status.pid = sleeper.pid();
    status.startTime = processInfo(sleeper.pid())->startTime;
    status.host = hostName() + "-not";
    QVERIFY(processesOfRun("run-d", {status}).empty());
    status.host = hostName();
    status.startTime += 1; // the pid was given to another process
    QVERIFY(processesOfRun("run-d", {status}).empty());
    status.startTime -= 1;
    QCOMPARE(processesOfRun("run-d", {status}).size(), 1u);
    status.pid = ::getpid();
    status.startTime = processInfo(::getpid())->startTime;
    QVERIFY(processesOfRun("run-d", {status}).empty());
}

void ProcessesTest::endOfAProcessIsSeenWithItsStatus()
{
    const Sleeper sleeper("NOTHING=1");
    QTRY_VERIFY(sleeper.isAsleep());
    WatchedProcess watched({sleeper.pid(), processInfo(sleeper.pid())->startTime});
    QVERIFY(!watched.hasEnded());
    QVERIFY(!watched.waitStatus());
    ::kill(sleeper.pid(), SIGUSR1);
    QTRY_VERIFY(watched.hasEnded());
    // Its parent has not asked yet, so that the status is known on every kernel.
    QVERIFY(watched.waitStatus());
    QVERIFY(WIFSIGNALED(*watched.waitStatus()));
    QCOMPARE(WTERMSIG(*watched.waitStatus()), SIGUSR1);
    WatchedProcess gone({sleeper.pid(), 1});
    QVERIFY(gone.hasEnded());
}

void ProcessesTest::stateIsWrittenAgainWhenItCouldNotBe()
{
    const QTemporaryDir folder;
    RunDirectory run = RunDirectory::create(folder.path().toStdString(), smallPlan(1, 1, 1), {});
    const fs::path away = fs::path(folder.path().toStdString()) / "away";
    StateKeeper keeper(run, {});
    keeper.apply(RunEvent::Start);
    fs::rename(run.path(), away);
    keeper.apply(RunEvent::FirstStep);
    fs::rename(away, run.path());
    QVERIFY(run.status().state == RunState::Starting);
    keeper.heartbeat(steadySeconds() + 2);
    QVERIFY(run.status().state == RunState::Running);
}

void ProcessesTest::stateFollowsTheMachineOnly()
{
    const QTemporaryDir folder;
    RunDirectory run = RunDirectory::create(folder.path().toStdString(), smallPlan(1, 1, 1), {});
    std::vector<RunState> seen;
    StateKeeper keeper(run, [&](const RunStatus& status) { seen.push_back(status.state); });
    keeper.apply(RunEvent::FirstStep); // not before it has started
    keeper.apply(RunEvent::Start);
    keeper.reachedStep(7);
    keeper.reachedStep(3);
    keeper.apply(RunEvent::Fault, {"rank 1 was lost", Rank(1)});
    keeper.apply(RunEvent::RanksEnded); // it has ended already
    QCOMPARE(seen, (std::vector<RunState>{RunState::Starting, RunState::Failed}));
    const RunStatus status = run.status();
    QVERIFY(status.state == RunState::Failed);
    QCOMPARE(status.reason, "rank 1 was lost");
    QCOMPARE(status.failedRank->value, 1);
    QCOMPARE(status.lastStep, 7);
    QVERIFY(!status.endedUtc.empty());
    QCOMPARE(status.launcherPid, ::getpid());
}

void ProcessesTest::heartbeatComesOnceASecond()
{
    const QTemporaryDir folder;
    RunDirectory run = RunDirectory::create(folder.path().toStdString(), smallPlan(1, 1, 1), {});
    int notices = 0;
    StateKeeper keeper(run, [&](const RunStatus&) { ++notices; });
    keeper.apply(RunEvent::Start);
    const double before = run.status().heartbeat;
    const double now = steadySeconds();
    keeper.heartbeat(now);
    QCOMPARE(notices, 1);
    keeper.heartbeat(now + 1.1);
    QCOMPARE(notices, 2);
    QVERIFY(run.status().heartbeat > before);
}

void ProcessesTest::logKeepsItsBeginningAndItsEnd()
{
    const QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "stderr.log";
    {
        OutputLog log(file);
        log.add("short\n");
    }
    QCOMPARE(contentOf(file), "short\n");
    fs::remove(file);
    {
        OutputLog log(file);
        log.add("first\n");
        for (int i = 0; i < 10000; ++i)
            log.add(std::string(2000, 'x') + "\n");
        log.add("last\n");
        QVERIFY(log.recent().ends_with("last\n"));
        QVERIFY(log.recent().size() <= 2 * OutputLog::tailBytes);
    }
    const std::string text = contentOf(file);
    QVERIFY(text.starts_with("first\n"));
    QVERIFY(text.ends_with("x\nlast\n"));
    QVERIFY(text.find("bytes left out]") != std::string::npos);
    QVERIFY(std::int64_t(text.size()) <
            OutputLog::headBytes + 3 * std::int64_t(OutputLog::tailBytes));
    // A place that cannot be written keeps nobody from knowing the end.
    OutputLog nowhere("/proc/none/stderr.log");
    nowhere.add("known\n");
    QCOMPARE(nowhere.recent(), "known\n");
}

QTEST_APPLESS_MAIN(ProcessesTest)
#include "processes_test.moc"

// superviseRun() with the real mpirun and ranks that misbehave (fake_rank.cpp).

#include "engine/core/error.h"
#include "engine/record/process_info.h"
#include "engine/record/small_file.h"
#include "launcher/run_processes.h"
#include "launcher/supervisor.h"
#include "tests/engine/record/plan_fixture.h"

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

constexpr int manySteps = 100000;

fs::path fakeRank()
{
    return fs::read_symlink("/proc/self/exe").parent_path() / "fake_rank";
}

ProgramPaths programs()
{
    ProgramPaths paths;
    paths.rank = fakeRank();
    return paths;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

int childNamed(int parent, const std::string& program)
{
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const auto info = processInfo(std::atoi(entry.path().filename().c_str()));
        if (info && info->parent == parent && info->program == program)
            return info->pid;
    }
    return 0;
}

/// Waits for something that another process does; false after a minute.
template <class Predicate>
bool waitUntil(Predicate predicate)
{
    for (int i = 0; i < 3000; ++i) {
        if (predicate())
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

} // namespace

class SupervisorTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = m_folder->path().toStdString();
        m_states.clear();
        m_steps = 0;
        m_ended = 0;
    }

    void aRunThatGoesWellIsFinished();
    void reportsWhichRankExited();
    void reportsWhichRankDied();
    void reportsASegmentationFault();
    void reportsTheReasonThatARankGives();
    void reportsAFullDisk();
    void reportsARankThatEndsTooEarly();
    void reportsRanksThatRefuseToStart();
    void reportsAProgramThatIsMissing();
    void hangEndsWithTheRankThatHangs();
    void stoppedRankIsNamed();
    void stopRequestEndsTheRun();
    void stopFileEndsTheRun();
    void ranksThatIgnoreTheirEndAreKilled();
    void whatRanksLeaveBehindIsKilled();
    void killedMpirunIsReported();
    void killedLauncherLeavesNothingBehind();
    void outputIsKeptWithinBounds();
    void observerThatThrowsDoesNotEndTheRun();
    void aRunIsStartedOnce();

private:
    RunDirectory makeRun(const std::string& label, int steps, int ranks = 3,
                         double hangSeconds = 60);
    RunStatus supervise(RunDirectory& run);
    void verifyGone(const RunDirectory& run);

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
    std::atomic<bool> m_stop{false};
    std::function<void(const RunStatus&)> m_onStatus;
    std::vector<RunState> m_states;
    int m_steps = 0;
    int m_ended = 0;
};

RunDirectory SupervisorTest::makeRun(const std::string& label, int steps, int ranks,
                                     double hangSeconds)
{
    RunPlan plan = smallPlan(ranks, 1, 1);
    plan.label = label;
    plan.training.steps = steps;
    plan.execution.hangSeconds = hangSeconds;
    return RunDirectory::create(m_home, plan, {});
}

RunStatus SupervisorTest::supervise(RunDirectory& run)
{
    m_stop = false;
    RunObserver observer;
    observer.status = [&](const RunStatus& status) {
        if (m_states.empty() || m_states.back() != status.state)
            m_states.push_back(status.state);
        if (m_onStatus)
            m_onStatus(status);
    };
    observer.records = [&](const RecordBatch& batch) {
        m_steps += int(batch.steps.size());
        m_ended += int(batch.ended.size());
    };
    const RunStatus status = superviseRun(run, programs(), observer, m_stop);
    m_onStatus = nullptr;
    const RunStatus written = run.status();
    if (written.state != status.state || written.reason != status.reason)
        qFatal("the state that was returned is not the one that was written");
    qInfo("%s: %s", toText(status.state), status.reason.c_str());
    return status;
}

void SupervisorTest::verifyGone(const RunDirectory& run)
{
    QCOMPARE(processesOfRun(run.id(), {}).size(), 0u);
}

void SupervisorTest::aRunThatGoesWellIsFinished()
{
    RunDirectory run = makeRun("well 0", 30);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Finished);
    QVERIFY(status.reason.empty());
    QVERIFY(!status.failedRank);
    QVERIFY(!status.endedUtc.empty());
    QCOMPARE(status.lastStep, 30);
    QCOMPARE(status.launcherPid, ::getpid());
    QCOMPARE(m_steps, 30);
    QCOMPARE(m_ended, 3);
    QCOMPARE(m_states,
             (std::vector<RunState>{RunState::Starting, RunState::Running, RunState::Finished}));
    // Nothing was printed: no warning of mpirun either.
    QCOMPARE(*readSmallFile(run.standardError()), "");
    verifyGone(run);
}

void SupervisorTest::reportsWhichRankExited()
{
    RunDirectory run = makeRun("exit 1", manySteps);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "rank 1 ended with exit code 3"), status.reason.c_str());
    QCOMPARE(status.failedRank->value, 1);
    verifyGone(run);
}

void SupervisorTest::reportsWhichRankDied()
{
    RunDirectory run = makeRun("kill 2", manySteps);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "rank 2 was killed by signal 9"), status.reason.c_str());
    QCOMPARE(status.failedRank->value, 2);
    QVERIFY(status.lastStep >= 2);
    verifyGone(run);
}

void SupervisorTest::reportsASegmentationFault()
{
    RunDirectory run = makeRun("segfault 0", manySteps);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "rank 0 was killed by signal 11 (SIGSEGV)"),
             status.reason.c_str());
    QCOMPARE(status.failedRank->value, 0);
    verifyGone(run);
}

void SupervisorTest::reportsTheReasonThatARankGives()
{
    RunDirectory run = makeRun("fault 2", manySteps);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "rank 2: the loss is not finite in layer 2"),
             status.reason.c_str());
    QCOMPARE(status.failedRank->value, 2);
    verifyGone(run);
}

void SupervisorTest::reportsAFullDisk()
{
    RunDirectory run = makeRun("full 1", manySteps);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "cannot write the record of rank 1"), status.reason.c_str());
    QCOMPARE(status.failedRank->value, 1);
    // What was written before is whole.
    const RunRecords records = readRun(run);
    QCOMPARE(records.all.tornBytes, 0);
    QVERIFY(!records.all.spans.empty());
    verifyGone(run);
}

void SupervisorTest::reportsARankThatEndsTooEarly()
{
    RunDirectory run = makeRun("forget 1", 5);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "rank 1 ended before the run was done"),
             status.reason.c_str());
    QCOMPARE(status.failedRank->value, 1);
    verifyGone(run);
}

void SupervisorTest::reportsRanksThatRefuseToStart()
{
    RunDirectory run = makeRun("refuse 0", 5);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "ended with exit code 2: the weights do not fit the model"),
             status.reason.c_str());
    QVERIFY(contains(*readSmallFile(run.standardError()), "the weights do not fit the model"));
    verifyGone(run);
}

void SupervisorTest::reportsAProgramThatIsMissing()
{
    RunDirectory run = makeRun("well 0", 5);
    ProgramPaths paths;
    paths.rank = "/nowhere/triaxis-rank";
    const RunStatus status = superviseRun(run, paths, {}, m_stop);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "/nowhere/triaxis-rank"), status.reason.c_str());
}

void SupervisorTest::hangEndsWithTheRankThatHangs()
{
    RunDirectory run = makeRun("hang 1", manySteps, 3, 3);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "rank 1 looks stuck, in step 3"), status.reason.c_str());
    QVERIFY2(contains(status.reason, "backward"), status.reason.c_str());
    QCOMPARE(status.failedRank->value, 1);
    const std::string log = *readSmallFile(run.standardError());
    QVERIFY2(contains(log, "rank 1: in step 3"), log.c_str());
    verifyGone(run);
}

void SupervisorTest::stoppedRankIsNamed()
{
    RunDirectory run = makeRun("stop 2", manySteps, 3, 3);
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "rank 2 is stopped (SIGSTOP)"), status.reason.c_str());
    QCOMPARE(status.failedRank->value, 2);
    verifyGone(run);
}

void SupervisorTest::stopRequestEndsTheRun()
{
    RunDirectory run = makeRun("well 0", manySteps);
    m_onStatus = [&](const RunStatus& status) { m_stop = status.state == RunState::Running; };
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Stopped);
    QVERIFY(status.reason.empty());
    QCOMPARE(m_states, (std::vector<RunState>{RunState::Starting, RunState::Running,
                                              RunState::Stopping, RunState::Stopped}));
    verifyGone(run);
}

void SupervisorTest::stopFileEndsTheRun()
{
    RunDirectory run = makeRun("well 0", manySteps);
    m_onStatus = [&](const RunStatus& status) {
        if (status.state == RunState::Running)
            std::ofstream(run.stopRequest()) << "";
    };
    QVERIFY(supervise(run).state == RunState::Stopped);
    verifyGone(run);
}

void SupervisorTest::ranksThatIgnoreTheirEndAreKilled()
{
    RunDirectory run = makeRun("deaf 1", manySteps);
    m_onStatus = [&](const RunStatus& status) { m_stop = status.state == RunState::Running; };
    QVERIFY(supervise(run).state == RunState::Stopped);
    verifyGone(run);
}

void SupervisorTest::whatRanksLeaveBehindIsKilled()
{
    RunDirectory run = makeRun("leave 1", 5);
    QVERIFY(supervise(run).state == RunState::Finished);
    verifyGone(run);
}

void SupervisorTest::killedMpirunIsReported()
{
    RunDirectory run = makeRun("deaf 1", manySteps);
    m_onStatus = [&](const RunStatus& status) {
        const int mpirun = status.state == RunState::Running ? childNamed(::getpid(), "mpirun") : 0;
        if (mpirun > 0)
            ::kill(mpirun, SIGKILL);
    };
    const RunStatus status = supervise(run);
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "mpirun was killed by signal 9"), status.reason.c_str());
    verifyGone(run);
}

void SupervisorTest::killedLauncherLeavesNothingBehind()
{
    RunDirectory run = makeRun("well 0", manySteps);
    const pid_t launcher = ::fork();
    if (launcher == 0) {
        superviseRun(run, programs(), {}, m_stop);
        ::_exit(0);
    }
    QVERIFY(waitUntil([&] { return run.status().state == RunState::Running; }));
    QVERIFY(processesOfRun(run.id(), {}).size() >= 4);
    ::kill(launcher, SIGKILL);
    ::waitpid(launcher, nullptr, 0);
    QVERIFY(waitUntil([&] { return processesOfRun(run.id(), {}).empty(); }));
    const RunStatus status = run.status();
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "launcher"), status.reason.c_str());
}

void SupervisorTest::outputIsKeptWithinBounds()
{
    RunDirectory run = makeRun("spam 1", 5);
    QVERIFY(supervise(run).state == RunState::Finished);
    const auto size = fs::file_size(run.standardError());
    QVERIFY2(size > (8u << 20) && size < (9u << 20), std::to_string(size).c_str());
    QVERIFY(contains(*readSmallFile(run.standardError()), "bytes left out"));
}

void SupervisorTest::observerThatThrowsDoesNotEndTheRun()
{
    RunDirectory run = makeRun("well 0", 10, 2);
    RunObserver observer;
    observer.status = [](const RunStatus&) { throw std::runtime_error("nobody looks"); };
    observer.records = [](const RecordBatch&) { throw std::runtime_error("nobody reads"); };
    QVERIFY(superviseRun(run, programs(), observer, m_stop).state == RunState::Finished);
}

void SupervisorTest::aRunIsStartedOnce()
{
    RunDirectory run = makeRun("well 0", 3, 1);
    QVERIFY(supervise(run).state == RunState::Finished);
    QVERIFY_EXCEPTION_THROWN(superviseRun(run, programs(), {}, m_stop), Error);
    QVERIFY(run.status().state == RunState::Finished);
}

QTEST_GUILESS_MAIN(SupervisorTest)
#include "supervisor_test.moc"

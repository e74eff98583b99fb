// Kills, stops and starves real runs, and looks at what is left of them.

#include "tests/integration/fault_support.h"

#include "engine/core/error.h"
#include "engine/record/records.h"
#include "storage/history.h"

#include <QElapsedTimer>
#include <QTest>
#include <csignal>
#include <sys/resource.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

constexpr int failedExit = 1;
constexpr int interruptedExit = 130;

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class FaultTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = m_folder->path().toStdString();
    }

    void reportsWhichRankDied();
    void killedMpirunEndsTheRun();
    void killedLauncherEndsTheRun();
    void stoppedRankEndsTheRunAtItsLimit();
    void fullDiskEndsTheRun();
    void fileLimitEndsTheRun();
    void interruptStopsTheRun();

private:
    /// The history lists the run as the directory has it, with its steps, and no damage was met.
    void verifyHistory(RunningJob& job, RunState state);

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
};

void FaultTest::verifyHistory(RunningJob& job, RunState state)
{
    History history(m_home);
    QCOMPARE(history.refresh(), 1);
    QVERIFY(history.takeNotes().empty());
    const RunSummary summary = history.run("last");
    QVERIFY(summary.state == state);
    QCOMPARE(summary.id, job.run().id());
    QCOMPARE(summary.reason, job.run().status().reason);
    QVERIFY(summary.steps >= 2);
    QCOMPARE(std::int64_t(history.steps(summary.id).size()), summary.steps);
    // What the ranks had written is whole.
    const RunRecords records = readRun(job.run());
    QCOMPARE(records.all.tornBytes, 0);
    QVERIFY(!records.all.spans.empty());
}

void FaultTest::reportsWhichRankDied()
{
    for (int rank : {2, 0}) {
        const fs::path home = m_home;
        m_home /= std::to_string(rank);
        RunningJob job(m_home);
        QVERIFY(job.waitForSteps(3));
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(::kill(job.rankPid(rank), SIGKILL), 0);
        QVERIFY(job.waitForFinalState());
        qInfo("failed %.1f s after the rank was killed", 1e-3 * double(timer.elapsed()));
        QVERIFY(job.waitUntilGone());
        QCOMPARE(job.waitForEnd(), failedExit);
        const RunStatus status = job.run().status();
        QVERIFY(status.state == RunState::Failed);
        QVERIFY2(
            contains(status.reason, "rank " + std::to_string(rank) + " was killed by signal 9"),
            status.reason.c_str());
        QCOMPARE(status.failedRank->value, rank);
        verifyHistory(job, RunState::Failed);
        m_home = home;
    }
}

void FaultTest::killedMpirunEndsTheRun()
{
    RunningJob job(m_home);
    QVERIFY(job.waitForSteps(3));
    const int mpirun = job.mpirunPid();
    QVERIFY(mpirun > 0);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(::kill(mpirun, SIGKILL), 0);
    QVERIFY(job.waitForFinalState());
    qInfo("failed %.1f s after mpirun was killed", 1e-3 * double(timer.elapsed()));
    QVERIFY(job.waitUntilGone());
    QCOMPARE(job.waitForEnd(), failedExit);
    const RunStatus status = job.run().status();
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "mpirun was killed by signal 9"), status.reason.c_str());
    verifyHistory(job, RunState::Failed);
}

void FaultTest::killedLauncherEndsTheRun()
{
    RunningJob job(m_home);
    QVERIFY(job.waitForSteps(3));
    QElapsedTimer timer;
    timer.start();
    job.process().kill();
    QVERIFY(job.waitUntilGone());
    qInfo("all ranks gone %.1f s after the launcher was killed", 1e-3 * double(timer.elapsed()));
    QCOMPARE(job.waitForEnd(), -1);
    const RunStatus status = job.run().status();
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "the launcher"), status.reason.c_str());
    verifyHistory(job, RunState::Failed);
}

void FaultTest::stoppedRankEndsTheRunAtItsLimit()
{
    RunningJob job(m_home, {"--hang", "5"});
    QVERIFY(job.waitForSteps(3));
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(::kill(job.rankPid(3), SIGSTOP), 0);
    QVERIFY(job.waitForFinalState());
    qInfo("failed %.1f s after a rank was stopped, with a limit of 5 s",
          1e-3 * double(timer.elapsed()));
    QVERIFY(timer.elapsed() >= 4900);
    QVERIFY(job.waitUntilGone());
    QCOMPARE(job.waitForEnd(), failedExit);
    const RunStatus status = job.run().status();
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "rank 3 is stopped (SIGSTOP)"), status.reason.c_str());
    QCOMPARE(status.failedRank->value, 3);
    verifyHistory(job, RunState::Failed);
}

void FaultTest::fullDiskEndsTheRun()
{
    SmallDisk disk(m_home);
    RunningJob job(m_home, {"--every-step", "1"});
    QVERIFY(job.waitForSteps(3));
    QElapsedTimer timer;
    timer.start();
    if (disk.isMounted()) {
        disk.fill(0);
    } else {
        // No file system may be mounted here: a rank that may write no longer files comes to the
        // same.
        const rlimit limit{0, 0};
        QCOMPARE(::prlimit(job.rankPid(1), RLIMIT_FSIZE, &limit, nullptr), 0);
    }
    QVERIFY(job.waitForFinalState());
    qInfo("failed %.1f s after the disk was full", 1e-3 * double(timer.elapsed()));
    QVERIFY(job.waitUntilGone());
    QCOMPARE(job.waitForEnd(), failedExit);
    const RunStatus status = job.run().status();
    QVERIFY(status.state == RunState::Failed);
    QVERIFY(status.failedRank);
    const std::string who = "rank " + std::to_string(status.failedRank->value);
    QVERIFY2(contains(status.reason, who), status.reason.c_str());
    if (disk.isMounted())
        QVERIFY2(contains(status.reason, "No space left on device"), status.reason.c_str());
    disk.give();
    verifyHistory(job, RunState::Failed);
}

/// A limit on the size of files is a full disk to its process, and no silent death by a signal.
void FaultTest::fileLimitEndsTheRun()
{
    RunningJob job(m_home, {"--every-step", "1"}, 2);
    QVERIFY(job.waitForSteps(3));
    const rlimit limit{0, 0};
    QCOMPARE(::prlimit(job.rankPid(1), RLIMIT_FSIZE, &limit, nullptr), 0);
    QVERIFY(job.waitForFinalState());
    QVERIFY(job.waitUntilGone());
    QCOMPARE(job.waitForEnd(), failedExit);
    const RunStatus status = job.run().status();
    QVERIFY(status.state == RunState::Failed);
    QVERIFY2(contains(status.reason, "rank 1") && contains(status.reason, "File too large"),
             status.reason.c_str());
    verifyHistory(job, RunState::Failed);
}

void FaultTest::interruptStopsTheRun()
{
    RunningJob job(m_home);
    QVERIFY(job.waitForSteps(3));
    QCOMPARE(::kill(pid_t(job.process().processId()), SIGINT), 0);
    QVERIFY(job.waitForFinalState());
    QVERIFY(job.waitUntilGone());
    QCOMPARE(job.waitForEnd(), interruptedExit);
    QVERIFY(job.run().status().state == RunState::Stopped);
    verifyHistory(job, RunState::Stopped);
}

QTEST_GUILESS_MAIN(FaultTest)
#include "fault_test.moc"

#include "engine/core/error.h"
#include "engine/record/process_info.h"
#include "engine/record/rank_status.h"
#include "tests/engine/record/record_fixtures.h"

#include <QTest>
#include <sys/wait.h>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;

class RankStatusTest : public QObject
{
    Q_OBJECT

private slots:
    void readerSeesWhatTheWriterDoes();
    void statusOutlivesAProcessThatIsKilled();
    void missingOrForeignFileIsNothing();
    void unwritablePlaceIsAnError();
    void processInfoTellsTheStartTimeAndZombies();
};

void RankStatusTest::readerSeesWhatTheWriterDoes()
{
    const QTemporaryDir folder;
    const auto file = pathIn(folder, "rank-0000.status");
    RankStatusWriter writer(file, ::getpid());
    auto status = readRankStatus(file);
    QVERIFY(status);
    QCOMPARE(status->pid, ::getpid());
    QCOMPARE(status->host, hostName());
    QVERIFY(isAlive(status->pid, status->startTime));
    QCOMPARE(status->finished, 0u);
    const InstructionId id(Kind::Backward, Chunk(1), Microbatch(7));
    writer.begin(3, id);
    writer.finished();
    writer.finished();
    status = readRankStatus(file);
    QVERIFY(status->current == id);
    QCOMPARE(status->step, 3);
    QCOMPARE(status->finished, 2u);
}

void RankStatusTest::statusOutlivesAProcessThatIsKilled()
{
    const QTemporaryDir folder;
    const auto file = pathIn(folder, "rank-0001.status");
    const pid_t child = ::fork();
    if (child == 0) {
        RankStatusWriter writer(file, ::getpid());
        writer.begin(12, InstructionId(Kind::Forward, Chunk(0), Microbatch(2)));
        ::kill(::getpid(), SIGKILL);
        ::_exit(0);
    }
    int result = 0;
    QCOMPARE(::waitpid(child, &result, 0), child);
    QVERIFY(WIFSIGNALED(result));
    const auto status = readRankStatus(file);
    QVERIFY(status);
    QCOMPARE(status->pid, int(child));
    QCOMPARE(status->step, 12);
    QVERIFY(!isAlive(status->pid, status->startTime));
}

void RankStatusTest::missingOrForeignFileIsNothing()
{
    const QTemporaryDir folder;
    const auto file = pathIn(folder, "x.status");
    QVERIFY(!readRankStatus(file));
    writeContent(file, {});
    QVERIFY(!readRankStatus(file));
    writeContent(file, std::vector<std::uint8_t>(4096, 'x'));
    QVERIFY(!readRankStatus(file));
}

void RankStatusTest::unwritablePlaceIsAnError()
{
    QVERIFY_EXCEPTION_THROWN(RankStatusWriter("/proc/none/rank-0000.status", 1), Error);
}

void RankStatusTest::processInfoTellsTheStartTimeAndZombies()
{
    const auto self = processInfo(::getpid());
    QVERIFY(self);
    QCOMPARE(self->parent, int(::getppid()));
    QVERIFY(self->startTime > 0);
    QVERIFY(isAlive(::getpid(), self->startTime));
    QVERIFY(!isAlive(::getpid(), self->startTime + 1));
    QVERIFY(!processInfo(0));
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(3);
    siginfo_t info{};
    QCOMPARE(::waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT), 0);
    const auto zombie = processInfo(child);
    QVERIFY(zombie);
    QCOMPARE(zombie->state, 'Z');
    QCOMPARE(WEXITSTATUS(zombie->exitStatus), 3);
    QVERIFY(!isAlive(child, 0));
    ::waitpid(child, nullptr, 0);
    QVERIFY(!processInfo(child));
}

QTEST_APPLESS_MAIN(RankStatusTest)
#include "rank_status_test.moc"

#include "launcher/cause.h"
#include "launcher/hang_watch.h"
#include "launcher/mpirun_messages.h"

#include <QTest>
#include <csignal>

using namespace triaxis;

namespace
{

const std::string frame(74, '-');
const std::string aborted =
    frame +
    "\nPrimary job  terminated normally, but 1 process returned\n"
    "a non-zero exit code. Per user-direction, the job has been aborted.\n" +
    frame + "\n";
const std::string noticed =
    aborted + frame +
    "\nmpirun noticed that process rank 2 with PID 0 on node vm exited on signal 9 (Killed).\n" +
    frame + "\n";

constexpr int signalled(int number)
{
    return number;
}

constexpr int exited(int code)
{
    return code << 8;
}

FaultRecord faultOf(int rank, double time, const char* reason)
{
    FaultRecord fault;
    fault.rank = Rank(rank);
    fault.time = time;
    fault.reason = reason;
    return fault;
}

RankActivity activityOf(int rank, int step, Kind kind, char state = 'S')
{
    RankActivity activity;
    activity.rank = Rank(rank);
    activity.started = true;
    activity.processState = state;
    activity.status.step = step;
    const InstructionId id(kind, Chunk(0), Microbatch(1));
    activity.status.current =
        kind == Kind::Wait
            ? waitFor(InstructionId(Kind::ReceiveActivation, Chunk(0), Microbatch(1)))
            : id;
    return activity;
}

bool contains(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class CauseTest : public QObject
{
    Q_OBJECT

private slots:
    void messagesOfMpirunAreUnderstood();
    void lastWordsOmitWhatEveryFailureHas();
    void cleanEndIsNoCause();
    void firstFaultByTimeWins();
    void signalComesFromTheWaitStatus();
    void signalComesFromMpirunWhereNothingElseIsKnown();
    void ranksThatMpirunEndedAreNotBlamed();
    void aRankOnAnotherHostIsKnownFromMpirunOnly();
    void faultThatAnotherRanksEndBroughtAboutIsNotBlamed();
    void faultExplainsTheEndsThatFollowIt();
    void lastWordsOfARankAreItsReason();
    void killedMpirunIsTheCauseOfWhatFollows();
    void mpirunThatFailsToStartIsQuoted();
    void hangIsNoticedAfterTheLimitOnly();
    void pauseOfTheWatcherIsNoHang();
    void startAndEndHaveALongerLimit();
    void stoppedRankIsBlamedFirst();
    void waitingRanksAreNotBlamed();
    void rankThatIsBehindIsBlamedWhenAllWait();
    void rankThatNeverStartedIsBlamed();
};

void CauseTest::messagesOfMpirunAreUnderstood()
{
    const auto notice = signalNotice(noticed);
    QVERIFY(notice);
    QCOMPARE(notice->rank.value, 2);
    QCOMPARE(notice->signal, 9);
    QVERIFY(!signalNotice(aborted));
    QVERIFY(!signalNotice("process rank 99999999999999 with PID 0 on node x exited on signal 9"));
    const auto ended = exitNotice("  Process name: [[3528,1],4]\n  Exit code:    2\n");
    QVERIFY(ended);
    QCOMPARE(ended->rank.value, 4);
    QCOMPARE(ended->code, 2);
    QCOMPARE(lastWordsOf(Rank(1), "rank 11: no\nrank 1: first\nrank 1: second\nfrank 1: no\n"),
             "second");
    QCOMPARE(lastWordsOf(Rank(3), "rank 1: first\n"), "");
}

void CauseTest::lastWordsOmitWhatEveryFailureHas()
{
    QCOMPARE(lastWords("There are not enough slots\n\n" + aborted), "There are not enough slots");
    QCOMPARE(lastWords("one\ntwo\n"), "one two");
    QCOMPARE(lastWords("far too long to be kept\nshort\n", 10), "short");
    QCOMPARE(lastWords("same\nsame\nother\n"), "same other");
    QCOMPARE(lastWords(""), "");
}

void CauseTest::cleanEndIsNoCause()
{
    Evidence evidence;
    QVERIFY(evidence.empty());
    evidence.mpirunEnded(0, 1);
    QVERIFY(!evidence.empty());
    QVERIFY(evidence.isClean());
    evidence.vanished(Rank(0), exited(0), 2);
    QVERIFY(!evidence.isClean());
}

void CauseTest::firstFaultByTimeWins()
{
    Evidence evidence;
    evidence.fault(faultOf(1, 5.1, "lost its partner"), 7);
    evidence.fault(faultOf(0, 5.0, "the loss is not finite"), 7);
    const Cause cause = evidence.conclude("");
    QCOMPARE(cause.reason, "rank 0: the loss is not finite");
    QCOMPARE(cause.rank->value, 0);
}

void CauseTest::signalComesFromTheWaitStatus()
{
    Evidence evidence;
    evidence.vanished(Rank(4), signalled(SIGBUS), 3);
    const Cause cause = evidence.conclude("");
    QVERIFY(contains(cause.reason, "rank 4 was killed by signal 7 (SIGBUS)"));
    QCOMPARE(cause.rank->value, 4);
}

void CauseTest::signalComesFromMpirunWhereNothingElseIsKnown()
{
    Evidence named;
    named.vanished(Rank(1), {}, 3);
    named.vanished(Rank(2), {}, 3);
    named.mpirunEnded(exited(137), 9);
    QVERIFY(contains(named.conclude(noticed).reason, "rank 2 was killed by signal 9 (SIGKILL)"));
    Evidence coded;
    coded.vanished(Rank(1), {}, 3);
    coded.mpirunEnded(exited(139), 9);
    QVERIFY(contains(coded.conclude(aborted).reason, "rank 1 was killed by signal 11"));
    Evidence plain;
    plain.vanished(Rank(1), {}, 3);
    plain.mpirunEnded(exited(3), 9);
    QCOMPARE(plain.conclude(aborted).reason, "rank 1 ended with exit code 3");
    Evidence silent;
    silent.vanished(Rank(1), {}, 3);
    QCOMPARE(silent.conclude("").reason, "rank 1 vanished before the run was done");
}

void CauseTest::ranksThatMpirunEndedAreNotBlamed()
{
    Evidence evidence;
    evidence.vanished(Rank(0), signalled(SIGTERM), 3);
    evidence.vanished(Rank(1), exited(3), 3);
    evidence.vanished(Rank(2), signalled(SIGTERM), 3);
    QCOMPARE(evidence.conclude("").reason, "rank 1 ended with exit code 3");
}

void CauseTest::aRankOnAnotherHostIsKnownFromMpirunOnly()
{
    Evidence evidence;
    evidence.vanished(Rank(0), signalled(SIGTERM), 3);
    evidence.vanished(Rank(1), std::nullopt, 3);
    evidence.mpirunEnded(exited(137), 9);
    const Cause cause = evidence.conclude(noticed);
    QVERIFY(cause.rank == Rank(2));
    QVERIFY(contains(cause.reason, "rank 2 was killed by signal 9"));
    Evidence mpirunLingers;
    mpirunLingers.vanished(Rank(0), signalled(SIGTERM), 3);
    QCOMPARE(mpirunLingers.conclude(noticed).reason, cause.reason);
}

void CauseTest::faultThatAnotherRanksEndBroughtAboutIsNotBlamed()
{
    Evidence before;
    before.vanished(Rank(2), signalled(SIGKILL), 3);
    before.fault(faultOf(1, 5.0, "lost its partner"), 4);
    QCOMPARE(before.conclude("").rank->value, 2);
    Evidence together;
    together.fault(faultOf(1, 5.0, "lost its partner"), 3);
    together.vanished(Rank(2), signalled(SIGKILL), 3);
    QCOMPARE(together.conclude("").rank->value, 2);
}

void CauseTest::faultExplainsTheEndsThatFollowIt()
{
    Evidence evidence;
    evidence.fault(faultOf(1, 5.0, "no memory"), 3);
    evidence.vanished(Rank(0), signalled(SIGTERM), 3);
    evidence.vanished(Rank(2), signalled(SIGKILL), 9);
    QCOMPARE(evidence.conclude("").reason, "rank 1: no memory");
}

void CauseTest::lastWordsOfARankAreItsReason()
{
    Evidence evidence;
    evidence.vanished(Rank(0), signalled(SIGTERM), 3);
    evidence.vanished(Rank(1), signalled(SIGTERM), 3);
    const Cause cause =
        evidence.conclude("rank 1: cannot write the record: no space left\n" + aborted);
    QCOMPARE(cause.reason, "rank 1: cannot write the record: no space left");
    QCOMPARE(cause.rank->value, 1);
}

void CauseTest::killedMpirunIsTheCauseOfWhatFollows()
{
    Evidence evidence;
    evidence.vanished(Rank(0), signalled(SIGTERM), 3);
    evidence.mpirunEnded(signalled(SIGKILL), 3);
    const Cause cause = evidence.conclude("");
    QVERIFY(contains(cause.reason, "mpirun was killed by signal 9"));
    QVERIFY(!cause.rank);
}

void CauseTest::mpirunThatFailsToStartIsQuoted()
{
    Evidence evidence;
    evidence.mpirunEnded(exited(1), 3);
    QCOMPARE(evidence.conclude("There are not enough slots\n" + aborted).reason,
             "mpirun ended with exit code 1: There are not enough slots");
}

void CauseTest::hangIsNoticedAfterTheLimitOnly()
{
    HangWatch watch(5, 100);
    std::uint64_t finished = 1;
    double now = 100;
    for (int i = 0; i < 100; ++i)
        watch.look(now += 0.5, finished++, HangWatch::Phase::Stepping);
    QVERIFY(!watch.isHung());
    for (int i = 0; i < 10; ++i)
        watch.look(now += 0.5, finished, HangWatch::Phase::Stepping);
    QVERIFY(!watch.isHung());
    watch.look(now += 0.5, finished, HangWatch::Phase::Stepping);
    watch.look(now += 0.5, finished, HangWatch::Phase::Stepping);
    QVERIFY(watch.isHung());
}

void CauseTest::pauseOfTheWatcherIsNoHang()
{
    HangWatch watch(5, 0);
    watch.look(0.1, 7, HangWatch::Phase::Stepping);
    watch.look(3600, 7, HangWatch::Phase::Stepping);
    QVERIFY(!watch.isHung());
}

void CauseTest::startAndEndHaveALongerLimit()
{
    for (const auto phase : {HangWatch::Phase::Starting, HangWatch::Phase::Ending}) {
        HangWatch watch(2, 0);
        double now = 0;
        watch.look(now, 0, phase);
        while (now < 59)
            watch.look(now += 0.5, 0, phase);
        QVERIFY(!watch.isHung());
        while (now < 61)
            watch.look(now += 0.5, 0, phase);
        QVERIFY(watch.isHung());
    }
    QCOMPARE(HangWatch(300, 0).limit(), 300.0);
}

void CauseTest::stoppedRankIsBlamedFirst()
{
    const std::vector<RankActivity> ranks{activityOf(0, 5, Kind::Forward),
                                          activityOf(1, 5, Kind::Wait, 'T'),
                                          activityOf(2, 4, Kind::Wait)};
    const Cause cause = hangCause(ranks, 60);
    QVERIFY2(contains(cause.reason, "rank 1 is stopped (SIGSTOP)"), cause.reason.c_str());
    QVERIFY(!contains(cause.reason, "rank 0"));
    QCOMPARE(cause.rank->value, 1);
    const auto lines = activityLines(ranks);
    QCOMPARE(lines.size(), 3u);
    QVERIFY(contains(lines[0], "rank 0: in step 5, forward of microbatch 1"));
    QVERIFY(contains(lines[1], "(stopped)"));
}

void CauseTest::waitingRanksAreNotBlamed()
{
    const Cause cause =
        hangCause({activityOf(0, 5, Kind::Wait), activityOf(1, 5, Kind::Backward)}, 60);
    QCOMPARE(cause.rank->value, 1);
    QVERIFY(contains(cause.reason, "rank 1 looks stuck, in step 5, backward of microbatch 1"));
}

void CauseTest::rankThatIsBehindIsBlamedWhenAllWait()
{
    const Cause cause = hangCause({activityOf(0, 5, Kind::Wait), activityOf(1, 4, Kind::Wait)}, 60);
    QCOMPARE(cause.rank->value, 1);
}

void CauseTest::rankThatNeverStartedIsBlamed()
{
    RankActivity missing;
    missing.rank = Rank(1);
    const Cause cause = hangCause({activityOf(0, 0, Kind::Forward), missing}, 60);
    QCOMPARE(cause.rank->value, 1);
    QVERIFY(contains(cause.reason, "before its first instruction"));
}

QTEST_APPLESS_MAIN(CauseTest)
#include "cause_test.moc"

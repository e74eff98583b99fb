#include "engine/record/run_state.h"

#include <QTest>
#include <array>
#include <set>

using namespace triaxis;

namespace
{

constexpr std::array states{RunState::Draft,    RunState::Starting, RunState::Running,
                            RunState::Stopping, RunState::Finished, RunState::Failed,
                            RunState::Stopped};
constexpr std::array events{RunEvent::Start, RunEvent::FirstStep, RunEvent::StopRequested,
                            RunEvent::RanksEnded, RunEvent::Fault};

} // namespace

class RunStateTest : public QObject
{
    Q_OBJECT

private slots:
    void aRunThatGoesWellEndsFinished();
    void aStopRequestEndsInStopped();
    void aFaultFailsEveryStateThatIsNotFinal();
    void finalStatesAreLeftByNothing();
    void everyStateIsReachedFromDraft();
    void textsAreUniqueAndComeBack();
};

void RunStateTest::aRunThatGoesWellEndsFinished()
{
    RunState state = RunState::Draft;
    state = next(state, RunEvent::Start).value();
    QVERIFY(state == RunState::Starting);
    state = next(state, RunEvent::FirstStep).value();
    QVERIFY(state == RunState::Running);
    QVERIFY(!next(state, RunEvent::FirstStep));
    state = next(state, RunEvent::RanksEnded).value();
    QVERIFY(state == RunState::Finished);
}

void RunStateTest::aStopRequestEndsInStopped()
{
    QVERIFY(next(RunState::Draft, RunEvent::StopRequested) == RunState::Stopped);
    for (RunState state : {RunState::Starting, RunState::Running}) {
        const auto stopping = next(state, RunEvent::StopRequested);
        QVERIFY(stopping == RunState::Stopping);
        QVERIFY(!next(*stopping, RunEvent::StopRequested));
        QVERIFY(next(*stopping, RunEvent::RanksEnded) == RunState::Stopped);
    }
}

void RunStateTest::aFaultFailsEveryStateThatIsNotFinal()
{
    for (RunState state : states)
        QCOMPARE(next(state, RunEvent::Fault) == RunState::Failed, !isFinal(state));
}

void RunStateTest::finalStatesAreLeftByNothing()
{
    for (RunState state : states)
        for (RunEvent event : events)
            if (isFinal(state))
                QVERIFY(!next(state, event));
}

void RunStateTest::everyStateIsReachedFromDraft()
{
    std::set<RunState> reached{RunState::Draft};
    for (std::size_t round = 0; round < states.size(); ++round)
        for (RunState state : std::set<RunState>(reached))
            for (RunEvent event : events)
                if (const auto to = next(state, event))
                    reached.insert(*to);
    QCOMPARE(reached.size(), states.size());
}

void RunStateTest::textsAreUniqueAndComeBack()
{
    std::set<std::string> texts;
    for (RunState state : states) {
        texts.insert(toText(state));
        QVERIFY(runStateFromText(toText(state)) == state);
    }
    QCOMPARE(texts.size(), states.size());
    QVERIFY(!runStateFromText("Running"));
    QVERIFY(!runStateFromText(""));
}

QTEST_APPLESS_MAIN(RunStateTest)
#include "run_state_test.moc"

#include "fixtures.h"
#include "queries.h"

#include "engine/schedule/generators.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

/// What consumes the receive that is waited for at `at`: the step behind, or, where an overlapped
/// pair waits for the inputs of both, the one of them that takes this kind.
InstructionId consumerBehind(const std::vector<Instruction>& list, std::size_t at, Kind receive)
{
    std::size_t next = at + 1;
    while (list[next].id.kind() == Kind::Wait && isReceive(list[next].target.kind()))
        ++next;
    const bool forward = receive == Kind::ReceiveActivation;
    const bool paired = list[next].pair != 0;
    if (paired && (list[next].id.kind() == Kind::Forward) != forward)
        return list[next + 1].id;
    return paired || next == at + 1 ? list[next].id : list[at].id;
}

/// The instructions of the fused group that begins at `at`.
std::vector<Instruction> groupAt(const std::vector<Instruction>& list, std::size_t at)
{
    std::vector<Instruction> group;
    for (std::size_t i = at; i < list.size() && list[i].fuse == list[at].fuse; ++i)
        group.push_back(list[i]);
    return group;
}

int pairsOf(const std::string& schedule, int stages, int microbatches)
{
    int pairs = 0;
    for (const auto& order : generate(schedule, stages, microbatches, leastVirtual(schedule)).order)
        for (const ComputeStep& step : order)
            pairs += step.withNext;
    return pairs;
}

} // namespace

class TransfersTest : public QObject
{
    Q_OBJECT

private slots:
    void transfersCarryOneActivation()
    {
        for (const Instruction& instruction :
             instructionsOf(programFor("1f1b", inputsFor(3, 4)), 1))
            if (isSend(instruction.id.kind()) || isReceive(instruction.id.kind()))
                QCOMPARE(instruction.bytes, std::int64_t(2 * 16 * 64 * 4));
    }

    void everythingEnqueuedIsWaitedForOnce()
    {
        for (const Program& program : manyPrograms()) {
            for (const StageProgram& stage : program.perStage) {
                std::map<InstructionId, int> waits;
                for (const Instruction& instruction : stage.instructions) {
                    if (instruction.id.kind() != Kind::Wait)
                        continue;
                    QCOMPARE(instruction.id, waitFor(instruction.target));
                    const int target = positionOf(stage.instructions, instruction.target);
                    QVERIFY(target >= 0);
                    QCOMPARE(instruction.peer, stage.instructions[target].peer);
                    ++waits[instruction.target];
                }
                for (const Instruction& instruction : stage.instructions)
                    if (!isCompute(instruction.id.kind()) && instruction.id.kind() != Kind::Wait)
                        QCOMPARE(waits[instruction.id], 1);
            }
        }
    }

    void receivesAreWaitedForRightBeforeTheirConsumer()
    {
        for (const Program& program : manyPrograms()) {
            for (const StageProgram& stage : program.perStage) {
                for (std::size_t at = 0; at < stage.instructions.size(); ++at) {
                    const Instruction& wait = stage.instructions[at];
                    if (wait.id.kind() != Kind::Wait || !isReceive(wait.target.kind()))
                        continue;
                    const InstructionId consumer =
                        consumerBehind(stage.instructions, at, wait.target.kind());
                    QCOMPARE(consumer.chunk(), wait.target.chunk());
                    QCOMPARE(consumer.microbatch(), wait.target.microbatch());
                    const bool forward = consumer.kind() == Kind::Forward;
                    QCOMPARE(forward, wait.target.kind() == Kind::ReceiveActivation);
                    QVERIFY(isCompute(consumer.kind()) && consumer.kind() != Kind::BackwardWeight);
                }
            }
        }
    }

    void atMostTwoSendsALaneAreUnderWay()
    {
        for (const Program& program : manyPrograms()) {
            for (const StageProgram& stage : program.perStage) {
                std::map<Lane, std::set<InstructionId>> underWay;
                for (const Instruction& instruction : stage.instructions) {
                    if (isSend(instruction.id.kind()))
                        underWay[instruction.lane].insert(instruction.id);
                    for (auto& [lane, sends] : underWay) {
                        sends.erase(instruction.target);
                        QVERIFY(sends.size() <= 2);
                    }
                }
            }
        }
    }

    void everyChannelStandsOnOneLane()
    {
        for (const Program& program : manyPrograms()) {
            for (const StageProgram& stage : program.perStage) {
                std::map<std::pair<bool, int>, std::set<Lane>> lanes;
                for (const Instruction& instruction : stage.instructions)
                    if (isSend(instruction.id.kind()) || isReceive(instruction.id.kind()))
                        lanes[{isSend(instruction.id.kind()), instruction.peer.value}].insert(
                            instruction.lane);
                for (const auto& [channel, used] : lanes)
                    QCOMPARE(int(used.size()), 1);
            }
        }
    }

    void goesRoundTheEndsOnALaneOfItsOwn()
    {
        const Program program = complete(interleavedThree());
        for (const Instruction& instruction : instructionsOf(program, 2))
            if (instruction.id.kind() == Kind::SendActivation) {
                QCOMPARE(instruction.peer, Stage(0));
                QCOMPARE(int(instruction.lane), int(Lane::SendNext));
                QCOMPARE(instruction.counterpart.chunk(), Chunk(1));
            }
        for (const Instruction& instruction :
             ofKind(instructionsOf(program, 0), Kind::ReceiveActivation))
            QCOMPARE(int(instruction.lane), int(Lane::ReceivePrevious));
    }

    void sendsNothingBetweenChunksOfOneStage()
    {
        const Program program = complete(vShaped());
        for (const Instruction& instruction :
             ofKind(instructionsOf(program, 1), Kind::SendActivation))
            QCOMPARE(program.perStage[1].chunks[instruction.id.chunk().value].virtualStage, 2);
        QCOMPARE(int(ofKind(instructionsOf(program, 1), Kind::SendActivation).size()), 3);
    }

    void fusesOppositeTransfersOfTheSteadyState()
    {
        for (const auto& [stages, microbatches] : {std::pair(2, 4), {4, 8}, {4, 2}, {6, 7}}) {
            const Program program = programFor("1f1b", inputsFor(stages, microbatches));
            for (int stage = 0; stage + 1 < stages; ++stage) {
                std::set<int> groups;
                for (const Instruction& instruction : instructionsOf(program, stage))
                    if (instruction.fuse != 0 && instruction.peer.value == stage + 1)
                        groups.insert(instruction.fuse);
                // All but the warm-up forwards of the next stage and this one's own first ones meet
                // a gradient.
                QCOMPARE(int(groups.size()), std::max(0, microbatches - (stages - stage)));
            }
        }
    }

    /// Both wait for what both need, and nothing stands between them.
    void overlappedPairsStandTogether()
    {
        int pairs = 0;
        for (const std::string schedule : {"dualpipe", "dualpipe-v"}) {
            const Program program = programOf(schedule, 4, 12);
            for (const StageProgram& stage : program.perStage) {
                int last = 0;
                for (std::size_t at = 0; at < stage.instructions.size(); ++at) {
                    const Instruction& first = stage.instructions[at];
                    if (first.pair == 0)
                        continue;
                    const Instruction& second = stage.instructions[++at];
                    QCOMPARE(first.pair, ++last);
                    QCOMPARE(second.pair, last);
                    QCOMPARE(first.id.kind(), Kind::Forward);
                    QCOMPARE(second.id.kind(), Kind::Backward);
                }
                pairs += last;
            }
        }
        QCOMPARE(pairs, pairsOf("dualpipe", 4, 12) + pairsOf("dualpipe-v", 4, 12));
        QVERIFY(pairs > 50);
    }

    void fusedGroupsFaceEachOther()
    {
        int groups = 0;
        int large = 0;
        for (const Program& program : manyPrograms()) {
            for (int stage = 0; stage < program.stages; ++stage) {
                const auto list = instructionsOf(program, stage);
                for (std::size_t at = 0; at < list.size(); ++at) {
                    if (list[at].fuse == 0)
                        continue;
                    const std::vector<Instruction> group = groupAt(list, at);
                    at += group.size() - 1;
                    ++groups;
                    large += group.size() > 2;
                    // Sends, then receives; the peer's group holds all their other ends.
                    QVERIFY(isSend(group.front().id.kind()) && isReceive(group.back().id.kind()));
                    QVERIFY(std::is_sorted(group.begin(), group.end(),
                                           [](const Instruction& a, const Instruction& b) {
                                               return isSend(a.id.kind()) > isSend(b.id.kind());
                                           }));
                    const auto other = instructionsOf(program, group.front().peer.value);
                    const int number = other[positionOf(other, group.front().counterpart)].fuse;
                    QVERIFY(number != 0);
                    QCOMPARE(std::count_if(other.begin(), other.end(),
                                           [&](const Instruction& i) { return i.fuse == number; }),
                             std::ptrdiff_t(group.size()));
                    for (const Instruction& transfer : group) {
                        QCOMPARE(transfer.peer, group.front().peer);
                        QCOMPARE(other[positionOf(other, transfer.counterpart)].fuse, number);
                    }
                }
            }
        }
        QVERIFY(groups > 100);
        QVERIFY(large > 10); // overlapped pairs send both ways on both steps
    }

    void gpipeFusesNothing()
    {
        for (const StageProgram& stage : programFor("gpipe", inputsFor(4, 8)).perStage)
            for (const Instruction& instruction : stage.instructions)
                QCOMPARE(instruction.fuse, 0);
    }
};

QTEST_APPLESS_MAIN(TransfersTest)
#include "transfers_test.moc"

#include "fixtures.h"
#include "queries.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace triaxis;
using namespace triaxis::tests;

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
                    const InstructionId consumer = stage.instructions[at + 1].id;
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

    void fusedGroupsArePairsThatFaceEachOther()
    {
        int pairs = 0;
        for (const Program& program : manyPrograms()) {
            for (int stage = 0; stage < program.stages; ++stage) {
                const auto list = instructionsOf(program, stage);
                for (std::size_t at = 0; at + 1 < list.size(); ++at) {
                    if (list[at].fuse == 0 || list[at + 1].fuse != list[at].fuse)
                        continue;
                    ++pairs;
                    const Instruction& send = list[at];
                    const Instruction& receive = list[at + 1];
                    QVERIFY(isSend(send.id.kind()) && isReceive(receive.id.kind()));
                    QCOMPARE(send.peer, receive.peer);
                    const auto other = instructionsOf(program, send.peer.value);
                    const int there = positionOf(other, send.counterpart);
                    const int back = positionOf(other, receive.counterpart);
                    QVERIFY(other[there].fuse != 0);
                    QCOMPARE(other[there].fuse, other[back].fuse);
                }
            }
        }
        QVERIFY(pairs > 100);
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

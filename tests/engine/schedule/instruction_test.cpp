// <set> first: moc of Qt 6.4 stumbles over a <compare> that comes before any other standard header.
#include <set>

#include "engine/schedule/channels.h"
#include "engine/schedule/instruction.h"

#include <QTest>

using namespace triaxis;

namespace
{

InstructionId id(Kind kind, int chunk, int microbatch, int part = 0)
{
    return {kind, Chunk(chunk), Microbatch(microbatch), part};
}

Instruction with(InstructionId id, int peer)
{
    Instruction instruction;
    instruction.id = id;
    instruction.peer = Stage(peer);
    if (id.kind() == Kind::Wait)
        instruction.target = {Kind(id.part() / 2048), id.chunk(), id.microbatch(),
                              id.part() % 2048};
    return instruction;
}

} // namespace

class InstructionTest : public QObject
{
    Q_OBJECT

private slots:
    void idsKeepTheirParts()
    {
        const InstructionId packed = id(Kind::LossReduce, 4095, (1 << 28) - 1, 65535);
        QCOMPARE(int(packed.kind()), int(Kind::LossReduce));
        QCOMPARE(packed.chunk().value, 4095);
        QCOMPARE(packed.microbatch().value, (1 << 28) - 1);
        QCOMPARE(packed.part(), 65535);
    }

    void everyKindHasItsOwnWait()
    {
        std::set<std::uint64_t> waits;
        int made = 0;
        for (int kind = 0; kind < int(Kind::TensorCollective); ++kind) {
            for (const int part : {0, 1, 2047}) {
                const InstructionId wait = waitFor(id(Kind(kind), 3, 5, part));
                QCOMPARE(int(wait.kind()), int(Kind::Wait));
                QCOMPARE(wait.chunk().value, 3);
                QCOMPARE(wait.microbatch().value, 5);
                waits.insert(wait.packed);
                ++made;
            }
        }
        QCOMPARE(int(waits.size()), made);
    }

    void kindsFallIntoGroups()
    {
        for (int number = 0; number <= int(Kind::TensorCollective); ++number) {
            const Kind kind = Kind(number);
            const int groups = isCompute(kind) + isSend(kind) + isReceive(kind) +
                               isCollective(kind) + (kind == Kind::Wait);
            QCOMPARE(groups, 1);
        }
    }

    void namesAreDistinct()
    {
        std::set<std::string> words;
        std::set<std::string> letters;
        for (int kind = 0; kind <= int(Kind::TensorCollective); ++kind) {
            words.insert(toText(Kind(kind)));
            letters.insert(shortName(Kind(kind)));
        }
        QCOMPARE(int(words.size()), 16);
        QCOMPARE(int(letters.size()), 16);
        std::set<std::string> lanes;
        for (int lane = 0; lane <= int(Lane::Copy); ++lane)
            lanes.insert(toText(Lane(lane)));
        QCOMPARE(int(lanes.size()), 8);
    }

    void speaksInWords_data()
    {
        QTest::addColumn<QString>("spoken");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& spoken, const char* expected) {
            QTest::newRow(name) << QString::fromStdString(spoken) << QString(expected);
        };
        row("forward", toText(id(Kind::Forward, 0, 3)), "forward of microbatch 3");
        row("chunk", toText(id(Kind::BackwardInput, 1, 3)),
            "backward for the input of microbatch 3, chunk 1");
        row("send", toText(with(id(Kind::SendActivation, 0, 2), 1)),
            "sending the activation of microbatch 2 to stage 1");
        row("receive", toText(with(id(Kind::ReceiveGradient, 1, 2), 0)),
            "receiving the gradient of microbatch 2, chunk 1 from stage 0");
        row("wait", toText(with(waitFor(id(Kind::ReceiveGradient, 0, 2)), 1)),
            "waiting for the gradient of microbatch 2 from stage 1");
        row("wait for a send", toText(with(waitFor(id(Kind::SendActivation, 0, 2)), 1)),
            "waiting for the sent activation of microbatch 2 to reach stage 1");
        row("wait without a peer", toText(waitFor(id(Kind::ReceiveActivation, 0, 2))),
            "waiting for the activation of microbatch 2");
        row("bucket", toText(id(Kind::GradientReduce, 1, 0, 3)),
            "gradient reduction, bucket 3 of chunk 1");
        row("wait for a bucket", toText(waitFor(id(Kind::GradientReduce, 0, 0, 3))),
            "waiting for the gradient reduction, bucket 3");
        row("optimizer", toText(id(Kind::OptimizerStep, 0, 0)), "optimizer step");
        row("wait for a wait", toText(waitFor(id(Kind::Wait, 0, 0))), "waiting");
        row("child", toText(id(Kind::TensorCollective, 0, 4, 2)),
            "tensor collective 2 of microbatch 4");
        row("damaged kind", toText(id(Kind(77), 0, 0)), "unknown instruction");
    }
    void speaksInWords()
    {
        QFETCH(QString, spoken);
        QFETCH(QString, expected);
        QCOMPARE(spoken, expected);
    }

    void eachNeighbourHasItsLane()
    {
        QCOMPARE(int(sendLane(Stage(1), Stage(2), 4)), int(Lane::SendNext));
        QCOMPARE(int(sendLane(Stage(2), Stage(1), 4)), int(Lane::SendPrevious));
        QCOMPARE(int(receiveLane(Stage(2), Stage(1), 4)), int(Lane::ReceivePrevious));
        // Round the ends.
        QCOMPARE(int(sendLane(Stage(3), Stage(0), 4)), int(Lane::SendNext));
        QCOMPARE(int(receiveLane(Stage(0), Stage(3), 4)), int(Lane::ReceivePrevious));
        // With two stages both ways are one channel.
        QCOMPARE(int(sendLane(Stage(0), Stage(1), 2)), int(Lane::SendNext));
        QCOMPARE(int(sendLane(Stage(1), Stage(0), 2)), int(Lane::SendPrevious));
    }

    void neighboursNeverShareALane()
    {
        for (int stages = 3; stages <= 16; ++stages) {
            for (int stage = 0; stage < stages; ++stage) {
                const Stage next((stage + 1) % stages);
                const Stage previous((stage + stages - 1) % stages);
                QVERIFY(sendLane(Stage(stage), next, stages) !=
                        sendLane(Stage(stage), previous, stages));
                QVERIFY(receiveLane(Stage(stage), next, stages) !=
                        receiveLane(Stage(stage), previous, stages));
            }
        }
    }
};

QTEST_APPLESS_MAIN(InstructionTest)
#include "instruction_test.moc"

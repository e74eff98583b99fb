#include "broken_programs.h"
#include "fixtures.h"
#include "queries.h"

#include "engine/schedule/generators.h"
#include "engine/schedule/verifier.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

std::string toText(const Verdict& verdict)
{
    if (!verdict.refusal)
        return "accepted";
    return "stage " + std::to_string(verdict.refusal->stage.value) + " position " +
           std::to_string(verdict.refusal->position) + ", " + triaxis::toText(verdict.refusal->id) +
           ": " + verdict.refusal->reason;
}

} // namespace

class VerifierTest : public QObject
{
    Q_OBJECT

    void refuses(const Broken& broken)
    {
        Program program = broken.program;
        QVERIFY2(verify(program).accepted(), toText(verify(program)).c_str());
        broken.change(program);
        const Verdict verdict = verify(program);
        const std::string what = std::string(broken.name) + ": " + toText(verdict);
        QVERIFY2(verdict.refusal.has_value(), what.c_str());
        QVERIFY2(verdict.refusal->stage.value == broken.stage, what.c_str());
        QVERIFY2(verdict.refusal->id == broken.id, what.c_str());
        QVERIFY2(verdict.refusal->reason.find(broken.reason) != std::string::npos, what.c_str());
        const List& list = program.perStage[broken.stage].instructions;
        const int position = verdict.refusal->position;
        QVERIFY2(position == int(list.size()) || list[position].id == broken.id, what.c_str());
    }

private slots:
    void acceptsOtherForms_data()
    {
        QTest::addColumn<int>("form");
        QTest::addColumn<QList<int>>("peaks");
        QTest::newRow("interleaved") << 0 << QList<int>{5, 3};
        QTest::newRow("interleaved on three") << 1 << QList<int>{6, 6, 4};
        QTest::newRow("split backward") << 2 << QList<int>{4, 3, 2};
        QTest::newRow("v-shaped") << 3 << QList<int>{5, 6};
        QTest::newRow("bidirectional") << 4 << QList<int>{3, 4, 4, 3};
    }
    void acceptsOtherForms()
    {
        QFETCH(int, form);
        QFETCH(QList<int>, peaks);
        const ComputeProgram forms[] = {interleaved(), interleavedThree(), splitBackward(),
                                        vShaped(), bidirectional()};
        for (const int dp : {1, 2}) {
            for (const ModelSpec& model : {smallGpt2(), smallLlama()}) {
                const Verdict verdict = verify(complete(forms[form], dp, model));
                QVERIFY2(verdict.accepted(), toText(verdict).c_str());
                QCOMPARE(QList<int>(verdict.peakLive.begin(), verdict.peakLive.end()), peaks);
            }
        }
    }

    /// Split backward: activations live until the weights' part.
    void activationsLiveUntilTheWeightGradients()
    {
        const Program late =
            complete(handWritten({{"0"}}, {"0F0 0I0 0F1 0I1 0F2 0I2 0W0 0W1 0W2"}, 3));
        const Program early =
            complete(handWritten({{"0"}}, {"0F0 0I0 0W0 0F1 0I1 0W1 0F2 0I2 0W2"}, 3));
        QCOMPARE(verify(late).peakLive, std::vector<int>{3});
        QCOMPARE(verify(early).peakLive, std::vector<int>{1});
    }

    void refusesBrokenOrders()
    {
        for (const Broken& broken : brokenOrders())
            refuses(broken);
    }

    void refusesBrokenTransfers()
    {
        for (const Broken& broken : brokenTransfers())
            refuses(broken);
    }

    void refusesBrokenPairs()
    {
        for (const Broken& broken : brokenPairs())
            refuses(broken);
    }

    /// A published generator of Chimera loses microbatches that are no whole unit.
    void findsMicrobatchesThatARuleDrops_data()
    {
        QTest::addColumn<QString>("schedule");
        for (const std::string& schedule : generatedNames())
            QTest::addRow("%s", schedule.c_str()) << QString::fromStdString(schedule);
    }
    void findsMicrobatchesThatARuleDrops()
    {
        QFETCH(QString, schedule);
        const std::string name = schedule.toStdString();
        for (const int dropped : {0, 3, 6}) {
            ComputeProgram compute = generate(name, 4, 7, leastVirtual(name));
            for (std::vector<ComputeStep>& order : compute.order) {
                std::erase_if(order, [&](const ComputeStep& step) {
                    return step.microbatch == Microbatch(dropped);
                });
                for (ComputeStep& step : order)
                    step.withNext = false;
            }
            const Verdict verdict = verify(complete(compute));
            QVERIFY(verdict.refusal.has_value());
            QCOMPARE(verdict.refusal->id.kind(), Kind::Forward);
            QCOMPARE(verdict.refusal->id.microbatch(), Microbatch(dropped));
            QVERIFY(contains(verdict.refusal->reason, "never runs forward"));
        }
    }

    void refusesBrokenTails()
    {
        for (const Broken& broken : brokenTails())
            refuses(broken);
    }

    /// Both wait for their send before they post their receive: the deadlock that fused transfers
    /// avoid.
    void refusesADeadlockAndTellsItsCycle()
    {
        Program program = oneForward(2, 4);
        moveBehind(listOf(program, 0), waitFor(id(Kind::SendActivation, 0, 2)),
                   id(Kind::SendActivation, 0, 2));
        moveBehind(listOf(program, 1), waitFor(id(Kind::SendGradient, 0, 1)),
                   id(Kind::SendGradient, 0, 1));
        unfuse(program);
        const Verdict verdict = verify(program);
        QVERIFY(verdict.refusal.has_value());
        QCOMPARE(verdict.refusal->stage, Stage(0));
        QCOMPARE(verdict.refusal->id, waitFor(id(Kind::SendActivation, 0, 2)));
        QCOMPARE(
            verdict.refusal->reason,
            std::string(
                "deadlock: stage 0 is waiting for the sent activation of microbatch 2 to reach "
                "stage 1, stage 1 is waiting for the sent gradient of microbatch 1 to reach "
                "stage 0"));
    }

    void refusesDamagedShapes_data()
    {
        QTest::addColumn<int>("change");
        QTest::addColumn<QString>("reason");
        QTest::newRow("no stages") << 0 << "at least one stage";
        QTest::newRow("list missing") << 1 << "no list for every stage";
        QTest::newRow("lists out of order") << 2 << "not in the order";
        QTest::newRow("chunk missing") << 3 << "does not hold 1 chunks";
        QTest::newRow("held twice") << 4 << "another chunk holds";
        QTest::newRow("no place") << 5 << "no place in the model";
        QTest::newRow("layer gap") << 6 << "missing or held twice";
        QTest::newRow("embedding missing") << 7 << "embedding belongs";
        QTest::newRow("head twice") << 8 << "head belongs";
        QTest::newRow("replicas") << 9 << "divide over the replicas";
        QTest::newRow("too many chunks") << 10 << "more chunks or microbatches";
    }
    void refusesDamagedShapes()
    {
        QFETCH(int, change);
        QFETCH(QString, reason);
        Program program = oneForward(3, 2);
        const std::function<void()> changes[] = {
            [&] { program.stages = 0; },
            [&] { program.perStage.pop_back(); },
            [&] { std::swap(program.perStage[0], program.perStage[1]); },
            [&] { program.perStage[1].chunks.clear(); },
            [&] {
                program.perStage[1].chunks[0].virtualStage = 2;
                program.perStage[1].chunks[0].head = true;
            },
            [&] { program.perStage[1].chunks[0].virtualStage = 3; },
            [&] { program.perStage[1].chunks[0].layerCount -= 1; },
            [&] { program.perStage[0].chunks[0].embedding = false; },
            [&] { program.perStage[1].chunks[0].head = true; },
            [&] { program.replicas = 2; },
            [&] { program.chunks = 4097; }};
        changes[change]();
        const Verdict verdict = verify(program);
        QVERIFY(verdict.refusal.has_value());
        QVERIFY2(QString::fromStdString(verdict.refusal->reason).contains(reason),
                 verdict.refusal->reason.c_str());
    }

    void refusesReplicasThatDiffer()
    {
        Program program = complete(bidirectional());
        // Replica 1 holds its first two virtual stages on stages 3 and 2: the layers are all there,
        // cut elsewhere.
        program.perStage[3].chunks[1].layerCount -= 1;
        program.perStage[2].chunks[1].firstLayer -= 1;
        program.perStage[2].chunks[1].layerCount += 1;
        const Verdict verdict = verify(program);
        QVERIFY(verdict.refusal.has_value());
        QCOMPARE(verdict.refusal->stage, Stage(2));
        QCOMPARE(verdict.refusal->reason,
                 std::string("replicas of virtual stage 1 hold different layers"));
    }

    /// Whatever is written into an id, the verifier answers.
    void refusesEveryDamagedId()
    {
        const Program sound = oneForward(2, 2, 2);
        for (int position = 0; position < int(sound.perStage[1].instructions.size()); ++position) {
            for (int bit = 0; bit < 64; ++bit) {
                Program program = sound;
                Instruction& instruction = listOf(program, 1)[position];
                instruction.id = InstructionId(instruction.id.packed ^ (std::uint64_t(1) << bit));
                const Verdict verdict = verify(program);
                QVERIFY2(!verdict.accepted(), triaxis::toText(instruction).c_str());
                QVERIFY(!verdict.refusal->reason.empty());
            }
        }
    }
};

QTEST_APPLESS_MAIN(VerifierTest)
#include "verifier_test.moc"

#include <QTest>

#include "fixtures.h"
#include "interpreter.h"
#include "queries.h"
#include "random_orders.h"

#include "engine/schedule/schedule_csv.h"
#include "engine/schedule/verifier.h"

using namespace triaxis;
using namespace triaxis::tests;

/// Orders and placements that no rule made: stages far from each other share lanes, pairs send to
/// several stages at once.
class RandomOrdersTest : public QObject
{
    Q_OBJECT

private slots:
    void becomeSoundPrograms_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 8; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }
    void becomeSoundPrograms()
    {
        QFETCH(int, seed);
        std::mt19937 random{std::uint32_t(seed)};
        int pairs = 0;
        int distant = 0;
        for (int round = 0; round < 100; ++round) {
            const ComputeProgram compute = randomOrder(random);
            // Tied copies of twins fit together in mirrored placements only.
            ModelSpec model = compute.replicas > 1 ? smallLlama() : smallGpt2();
            model.layers = 24;
            const Program program = complete(compute, 1 + round % 2, model);
            const Verdict verdict = verify(program);
            QVERIFY2(verdict.accepted(),
                     (toCsv(compute) + (verdict.refusal ? verdict.refusal->reason : "")).c_str());
            for (int order = 0; order < 3; ++order) {
                const Outcome outcome = execute(program, random());
                QVERIFY2(outcome.sound, (toCsv(compute) + outcome.fault).c_str());
            }
            for (const StageProgram& stage : program.perStage) {
                for (const Instruction& instruction : stage.instructions) {
                    pairs += instruction.pair != 0;
                    const int way = instruction.peer.value - stage.stage.value;
                    distant += isSend(instruction.id.kind()) && way != 1 && way != -1;
                }
            }
        }
        QVERIFY(pairs > 100);
        QVERIFY(distant > 100);
    }

    void comeBackFromTheirCsv()
    {
        std::mt19937 random{99};
        for (int round = 0; round < 200; ++round) {
            const std::string text = toCsv(randomOrder(random));
            QCOMPARE(toCsv(programFromCsv(text)), text);
        }
    }
};

QTEST_APPLESS_MAIN(RandomOrdersTest)
#include "random_orders_test.moc"

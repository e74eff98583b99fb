#include "fixtures.h"
#include "queries.h"

#include "engine/model/parameters.h"
#include "engine/schedule/gradient_sizes.h"

#include <QTest>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

/// Short names of the last instructions of a list: "NORM LOSS WAIT(NORM) OPT WAIT(LOSS)".
std::string tailOf(const std::vector<Instruction>& list, int count)
{
    std::string text;
    for (std::size_t at = list.size() - count; at < list.size(); ++at) {
        const Instruction& instruction = list[at];
        text += (text.empty() ? "" : " ") + std::string(shortName(instruction.id.kind()));
        if (instruction.id.kind() == Kind::Wait)
            text += "(" + std::string(shortName(instruction.target.kind())) + ")";
    }
    return text;
}

} // namespace

class StepTailTest : public QObject
{
    Q_OBJECT

private slots:
    void bucketsCoverTheGradientsOfTheLargestRank()
    {
        for (const ModelSpec& model : {smallGpt2(), smallLlama()}) {
            ProgramInputs inputs = inputsFor(3, 2, 2, 1, model);
            inputs.layout.tp = 4;
            const Program program = programFor("1f1b", inputs);
            const std::vector<ShardSizes> sizes = shardSizes(model, 4);
            for (const StageProgram& stage : program.perStage) {
                const std::vector<Instruction> buckets =
                    ofKind(stage.instructions, Kind::GradientReduce);
                const std::int64_t largest =
                    largestChunkElements(sizes, model, stage.chunks, Chunk(0));
                QCOMPARE(int(buckets.size()), bucketCount(largest, inputs));
                std::int64_t bytes = 0;
                for (int bucket = 0; bucket < int(buckets.size()); ++bucket) {
                    QCOMPARE(buckets[bucket].id.part(), bucket);
                    QVERIFY(buckets[bucket].bytes <= inputs.bucketBytes);
                    bytes += buckets[bucket].bytes;
                }
                QCOMPARE(bytes, largest * 4);
            }
        }
    }

    void elementsOfAllStagesAreTheModel()
    {
        for (const ModelSpec& model : {smallGpt2(), smallLlama()}) {
            for (const int stages : {1, 4}) {
                const ShardSizes sizes = shardSizes(model, 1).front();
                std::int64_t elements = 0;
                for (const StageProgram& stage :
                     programFor("1f1b", inputsFor(stages, 2, 1, 1, model)).perStage)
                    elements += chunkElements(sizes, stage.chunks[0],
                                              holdsOwnHeadTable(model, stage.chunks));
                const bool copied = model.tiedHead && stages > 1;
                const std::int64_t table = std::int64_t(model.vocabulary) * model.hidden;
                QCOMPARE(elements, parameterCount(model) + (copied ? table : 0));
            }
        }
    }

    void bucketsHaveAnUpperBound()
    {
        ProgramInputs inputs = inputsFor(1, 1);
        inputs.bucketBytes = 400;
        QCOMPARE(bucketElements(1000, inputs), std::int64_t(100));
        QCOMPARE(bucketCount(1000, inputs), 10);
        QCOMPARE(bucketCount(1001, inputs), 11);
        QCOMPARE(bucketCount(0, inputs), 0);
        QCOMPARE(bucketCount(100 * 2048, inputs), 2048);
        QCOMPARE(bucketElements(100 * 2048 + 1, inputs), std::int64_t(101));
        QVERIFY(bucketCount(std::int64_t(1) << 40, inputs) <= 2048);
    }

    void gradientsAreReducedRightBehindTheLastHandOver()
    {
        const auto list = instructionsOf(programFor("1f1b", inputsFor(2, 3, 2)), 1);
        const int last = positionOf(list, {Kind::Backward, Chunk(0), Microbatch(2)});
        const int send = positionOf(list, {Kind::SendGradient, Chunk(0), Microbatch(2)});
        const int reduce = positionOf(list, {Kind::GradientReduce, Chunk(0), Microbatch(0)});
        QVERIFY(last < send);
        QCOMPARE(reduce, send + 1);
    }

    void chunksReduceAsSoonAsEachIsDone()
    {
        const auto list = instructionsOf(complete(interleaved(), 2), 0);
        const int reduce = positionOf(list, {Kind::GradientReduce, Chunk(1), Microbatch(0)});
        QVERIFY(positionOf(list, {Kind::Backward, Chunk(1), Microbatch(3)}) < reduce);
        QVERIFY(reduce < positionOf(list, {Kind::Backward, Chunk(0), Microbatch(2)}));
    }

    void oneReplicaReducesNothing()
    {
        for (const StageProgram& stage : programFor("1f1b", inputsFor(3, 4, 1)).perStage)
            QVERIFY(ofKind(stage.instructions, Kind::GradientReduce).empty());
        // Twins within the pipeline are replicas too.
        for (const StageProgram& stage : complete(bidirectional(), 1).perStage)
            QVERIFY(!ofKind(stage.instructions, Kind::GradientReduce).empty());
    }

    void twinsReduceInOneOrder()
    {
        const Program program = complete(bidirectional(), 2);
        const auto orderOf = [&](int stage) {
            std::vector<std::pair<int, int>> order;
            for (const Instruction& reduce :
                 ofKind(instructionsOf(program, stage), Kind::GradientReduce))
                order.emplace_back(
                    program.perStage[stage].chunks[reduce.id.chunk().value].virtualStage,
                    reduce.id.part());
            return order;
        };
        QCOMPARE(orderOf(0), orderOf(3));
        QCOMPARE(orderOf(1), orderOf(2));
    }

    void tiedCopiesAreSummedWhereTheyAreApart()
    {
        const auto stagesOf = [](const Program& program) {
            std::vector<int> stages;
            for (const StageProgram& stage : program.perStage)
                if (!ofKind(stage.instructions, Kind::TiedReduce).empty())
                    stages.push_back(stage.stage.value);
            return stages;
        };
        QCOMPARE(stagesOf(programFor("1f1b", inputsFor(4, 4))), (std::vector<int>{0, 3}));
        QCOMPARE(stagesOf(programFor("1f1b", inputsFor(1, 4))), std::vector<int>{});
        QCOMPARE(stagesOf(programFor("1f1b", inputsFor(4, 4, 1, 1, smallLlama()))),
                 std::vector<int>{});
        QCOMPARE(stagesOf(complete(interleavedThree())), (std::vector<int>{0, 2}));
        // Embedding and head on one stage share one table.
        QCOMPARE(stagesOf(complete(vShaped())), std::vector<int>{});
        QCOMPARE(stagesOf(complete(bidirectional())), std::vector<int>{});
    }

    void tiedSumCarriesTheLargestShardOfTheTable()
    {
        ProgramInputs inputs = inputsFor(2, 2);
        inputs.layout.tp = 4;
        const auto list = instructionsOf(programFor("1f1b", inputs), 1);
        QCOMPARE(ofKind(list, Kind::TiedReduce).front().bytes, std::int64_t(128 * 64 * 4));
    }

    void replicatedHeadsAreSummedOnlyWhereTensorRanksExceedThem()
    {
        for (const int tensor : {1, 2, 4, 8}) {
            ProgramInputs inputs = inputsFor(2, 2, 1, 1, smallLlama());
            inputs.layout.tp = tensor;
            for (const StageProgram& stage : programFor("1f1b", inputs).perStage) {
                const std::vector<Instruction> sums =
                    ofKind(stage.instructions, Kind::ReplicaReduce);
                QCOMPARE(int(sums.size()), tensor > 4 ? 1 : 0);
                if (sums.empty())
                    continue;
                QCOMPARE(int(sums.front().lane), int(Lane::Tensor));
                // Key and value rows of one head of 8 in each of the stage's layers.
                const std::int64_t layers = stage.chunks[0].layerCount;
                QCOMPARE(sums.front().bytes, layers * 2 * 8 * 64 * 4);
            }
        }
    }

    void tailIsInMegatronsOrder()
    {
        ProgramInputs inputs = inputsFor(2, 2, 2, 1, smallLlama());
        inputs.model.tiedHead = true;
        inputs.layout.tp = 8;
        inputs.bucketBytes = 1 << 20;
        const Program program = programFor("1f1b", inputs);
        QCOMPARE(
            tailOf(instructionsOf(program, 0), 12),
            std::string("WAIT(SEND_F) WAIT(SEND_F) WAIT(REDUCE_GRAD) REDUCE_KV WAIT(REDUCE_KV) "
                        "REDUCE_TIED WAIT(REDUCE_TIED) NORM LOSS WAIT(NORM) OPT WAIT(LOSS)"));
    }

    void aLoneRankKeepsNormUpdateAndLoss()
    {
        const auto list = instructionsOf(programFor("gpipe", inputsFor(1, 1)), 0);
        QCOMPARE(tailOf(list, int(list.size())),
                 std::string("F B NORM LOSS WAIT(NORM) OPT WAIT(LOSS)"));
    }
};

QTEST_APPLESS_MAIN(StepTailTest)
#include "step_tail_test.moc"

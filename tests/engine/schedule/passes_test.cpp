#include "fixtures.h"
#include "queries.h"

#include "engine/schedule/generators.h"

#include <QTest>

#include <set>

using namespace triaxis;
using namespace triaxis::tests;

class PassesTest : public QObject
{
    Q_OBJECT

private slots:
    void chunksHoldTheLayerSplit()
    {
        ProgramInputs inputs = inputsFor(3, 2);
        inputs.layout.layersPerStage = {3, 9, 4};
        const Program program = programFor("1f1b", inputs);
        QCOMPARE(program.perStage[0].chunks,
                 (std::vector<ChunkContent>{{0, 0, 0, 3, true, false}}));
        QCOMPARE(program.perStage[1].chunks,
                 (std::vector<ChunkContent>{{1, 0, 3, 9, false, false}}));
        QCOMPARE(program.perStage[2].chunks,
                 (std::vector<ChunkContent>{{2, 0, 12, 4, false, true}}));
    }

    /// 12 layers on 8 virtual stages: as even as possible, by position in the model.
    void layersNeedNotDivide()
    {
        ModelSpec model = smallGpt2();
        model.layers = 12;
        for (const std::string schedule :
             {"interleaved", "looped-bfs", "zb-v", "v-half", "v-min", "dualpipe-v"}) {
            const ProgramInputs inputs = inputsFor(4, 8, 2, 2, model);
            const Program program = programFor(schedule, inputs);
            const std::vector<int> split = defaultLayerSplit(12, 8);
            std::vector<int> held(8, 0);
            for (const StageProgram& stage : program.perStage)
                for (const ChunkContent& chunk : stage.chunks)
                    held[chunk.virtualStage] = chunk.layerCount;
            QCOMPARE(held, split);
            QCOMPARE(*std::max_element(held.begin(), held.end()), 2);
        }
    }

    /// Embedding and head of a V lie on the first stage: one table, and nothing to sum.
    void aTiedTableOfAVIsOne()
    {
        for (const std::string schedule : {"zb-v", "v-half", "v-min", "dualpipe-v"}) {
            const Program program = programOf(schedule, 4, 6, 2);
            QVERIFY(program.perStage[0].chunks[0].embedding);
            QVERIFY(program.perStage[0].chunks[1].head);
            for (const StageProgram& stage : program.perStage)
                QVERIFY(ofKind(stage.instructions, Kind::TiedReduce).empty());
        }
        const Program looped = programOf("interleaved", 4, 8, 2);
        QCOMPARE(int(ofKind(instructionsOf(looped, 0), Kind::TiedReduce).size()), 1);
        QCOMPARE(int(ofKind(instructionsOf(looped, 3), Kind::TiedReduce).size()), 1);
    }

    /// Both ends of two opposite pipelines hold embedding and head; twins sum every bucket.
    void twinsSumTheirGradients()
    {
        for (const std::string schedule :
             {"chimera", "chimera-doubling", "chimera-halving", "dualpipe"}) {
            const Program program = programOf(schedule, 4, 6);
            for (const StageProgram& stage : program.perStage) {
                QVERIFY(ofKind(stage.instructions, Kind::TiedReduce).empty());
                std::set<int> chunks;
                for (const Instruction& sum : ofKind(stage.instructions, Kind::GradientReduce))
                    chunks.insert(sum.id.chunk().value);
                QCOMPARE(int(chunks.size()), 2);
            }
        }
    }

    void replicasHoldTheSameLayers()
    {
        const Program program = complete(bidirectional());
        const ChunkContent& down = program.perStage[0].chunks[0];
        const ChunkContent& up = program.perStage[3].chunks[1];
        QCOMPARE(down.virtualStage, up.virtualStage);
        QCOMPARE(down.firstLayer, up.firstLayer);
        QCOMPARE(down.layerCount, up.layerCount);
        QVERIFY(down.embedding && up.embedding);
        QCOMPARE(up.replica, 1);
    }

    void flopsAddUpToThoseOfTheStep()
    {
        for (const ModelSpec& model : {smallGpt2(), smallLlama()}) {
            for (const int tensor : {1, 2}) {
                ProgramInputs inputs = inputsFor(4, 6, 2, 1, model);
                inputs.layout.tp = tensor;
                std::int64_t flops = 0;
                for (const StageProgram& stage : programFor("1f1b", inputs).perStage)
                    for (const Instruction& instruction : stage.instructions)
                        flops += instruction.flops;
                const std::int64_t tokens = 6 * 2 * 16;
                QCOMPARE(flops * tensor, trainingFlops(model, tokens, 16));
            }
        }
    }

    void splitBackwardsAddUpToTheWholeOne()
    {
        const auto list = instructionsOf(complete(splitBackward()), 2);
        const auto flopsOf = [&](Kind kind) { return ofKind(list, kind).front().flops; };
        QCOMPARE(flopsOf(Kind::BackwardInput) + flopsOf(Kind::BackwardWeight),
                 2 * flopsOf(Kind::Forward));
        // Attention scores have no weights.
        QVERIFY(flopsOf(Kind::BackwardInput) > flopsOf(Kind::BackwardWeight));
    }

    void idsAreUniqueOnEveryStage()
    {
        for (const Program& program : manyPrograms()) {
            for (const StageProgram& stage : program.perStage) {
                std::set<InstructionId> ids;
                for (const Instruction& instruction : stage.instructions)
                    QVERIFY2(ids.insert(instruction.id).second, toText(instruction).c_str());
            }
        }
    }

    void sameStepHasTheSameIdInEverySchedule()
    {
        const auto idsOf = [](const std::string& schedule) {
            std::vector<std::set<InstructionId>> ids;
            for (const StageProgram& stage : programFor(schedule, inputsFor(4, 6, 2)).perStage) {
                ids.emplace_back();
                for (const Instruction& instruction : stage.instructions)
                    ids.back().insert(instruction.id);
            }
            return ids;
        };
        QCOMPARE(idsOf("gpipe"), idsOf("1f1b"));
    }

    void refusesAnOrderThatNeverGetsOn()
    {
        ComputeProgram compute = oneForwardOneBackward(2, 2);
        std::swap(compute.order[1][0], compute.order[1][1]); // backward first
        const std::string message = errorOf([&] { complete(compute); });
        QVERIFY2(contains(message, "stage 0 never gets to the backward of microbatch 0"),
                 message.c_str());
    }

    void refusesWhatDoesNotFitTogether()
    {
        const auto refuses = [](const char* part, void (*change)(ProgramInputs&)) {
            ProgramInputs inputs = inputsFor(2, 2);
            change(inputs);
            const std::string message = errorOf([&] { programFor("1f1b", inputs); });
            return contains(message, part) ? std::string()
                                           : "wanted: " + std::string(part) + ", got: " + message;
        };
        QCOMPARE(refuses("10 layers",
                         [](ProgramInputs& i) {
                             i.layout.layersPerStage = {4, 6};
                         }),
                 std::string());
        QCOMPARE(refuses("3 shares",
                         [](ProgramInputs& i) {
                             i.layout.layersPerStage = {4, 6, 6};
                         }),
                 std::string());
        QCOMPARE(refuses("layers",
                         [](ProgramInputs& i) {
                             i.layout.layersPerStage = {-1, 17};
                         }),
                 std::string());
        QCOMPARE(refuses("global batch", [](ProgramInputs& i) { i.batch.globalBatch = 3; }),
                 std::string());
        QCOMPARE(refuses("buckets", [](ProgramInputs& i) { i.bucketBytes = 3; }), std::string());
        QCOMPARE(refuses("chunks", [](ProgramInputs& i) { i.layout.virtualStages = 2; }),
                 std::string());
        QCOMPARE(refuses("0 stages", [](ProgramInputs& i) { i.layout.pp = 0; }), std::string());
        QVERIFY(contains(errorOf([] { completeProgram(gpipe(3, 2), inputsFor(2, 2)); }),
                         "2 stages for a schedule of 3"));
    }

    void refusesDamagedTables()
    {
        const auto message = [](void (*change)(ComputeProgram&)) {
            ComputeProgram compute = gpipe(2, 2);
            change(compute);
            return errorOf([&] { complete(compute); });
        };
        QVERIFY(
            contains(message([](ComputeProgram& c) { c.virtualStage[1][0] = 0; }), "held twice"));
        QVERIFY(contains(message([](ComputeProgram& c) { c.virtualStage[1][0] = 2; }), "no place"));
        QVERIFY(contains(message([](ComputeProgram& c) { c.replica[1][0] = 1; }), "no place"));
        QVERIFY(contains(message([](ComputeProgram& c) { c.order.pop_back(); }), "tables"));
        QVERIFY(contains(message([](ComputeProgram& c) { c.replica[0].clear(); }), "1 chunks"));
        QVERIFY(contains(message([](ComputeProgram& c) { c.replicas = 4; }), "replicas"));
        QVERIFY(contains(message([](ComputeProgram& c) { c.order[0][0].withNext = true; }),
                         "overlaps with no step"));
        QVERIFY(contains(message([](ComputeProgram& c) { c.order[1].back().withNext = true; }),
                         "overlaps with no step"));
        QVERIFY(
            contains(message([](ComputeProgram& c) { c.order[0][0].microbatch = Microbatch(2); }),
                     "microbatch 2"));
        QVERIFY(contains(message([](ComputeProgram& c) { c.order[0][0].chunk = Chunk(-1); }),
                         "chunk -1"));
        QVERIFY(
            contains(message([](ComputeProgram& c) { c.order[0][0].kind = Kind::Wait; }), "wait"));
    }
};

QTEST_APPLESS_MAIN(PassesTest)
#include "passes_test.moc"

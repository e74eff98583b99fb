#include "fixtures.h"

#include "engine/core/error.h"
#include "engine/model/parameters.h"
#include "engine/schedule/channels.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/gradient_sizes.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

using List = std::vector<Instruction>;

List listOf(const Program& program, int stage)
{
    return program.perStage[stage].instructions;
}

int positionOf(const List& list, InstructionId id)
{
    for (std::size_t at = 0; at < list.size(); ++at)
        if (list[at].id == id)
            return int(at);
    return -1;
}

std::vector<Instruction> ofKind(const List& list, Kind kind)
{
    std::vector<Instruction> found;
    for (const Instruction& instruction : list)
        if (instruction.id.kind() == kind)
            found.push_back(instruction);
    return found;
}

/// Short names of the last instructions of a list: "NORM LOSS WAIT(NORM) OPT WAIT(LOSS)".
std::string tailOf(const List& list, int count)
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

/// All programs whose general properties the tests below look at.
std::vector<Program> programs()
{
    std::vector<Program> all;
    for (const std::string& schedule : scheduleNames())
        for (int stages = 1; stages <= 6; ++stages)
            for (const int microbatches : {1, 2, 5, 8})
                all.push_back(programFor(schedule, inputsFor(stages, microbatches, 2)));
    for (const ComputeProgram& compute :
         {interleaved(), interleavedThree(), splitBackward(), vShaped(), bidirectional()})
        all.push_back(complete(compute, 2));
    return all;
}

template <class Action>
std::string errorOf(const Action& action)
{
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

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
        const List list = listOf(complete(splitBackward()), 2);
        const auto flopsOf = [&](Kind kind) { return ofKind(list, kind).front().flops; };
        QCOMPARE(flopsOf(Kind::BackwardInput) + flopsOf(Kind::BackwardWeight),
                 2 * flopsOf(Kind::Forward));
        // Attention scores have no weights.
        QVERIFY(flopsOf(Kind::BackwardInput) > flopsOf(Kind::BackwardWeight));
    }

    void transfersCarryOneActivation()
    {
        for (const Instruction& instruction : listOf(programFor("1f1b", inputsFor(3, 4)), 1))
            if (isSend(instruction.id.kind()) || isReceive(instruction.id.kind()))
                QCOMPARE(instruction.bytes, std::int64_t(2 * 16 * 64 * 4));
    }

    void idsAreUniqueOnEveryStage()
    {
        for (const Program& program : programs()) {
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

    void everythingEnqueuedIsWaitedForOnce()
    {
        for (const Program& program : programs()) {
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
        for (const Program& program : programs()) {
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
        for (const Program& program : programs()) {
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
        for (const Program& program : programs()) {
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
        for (const Instruction& instruction : listOf(program, 2))
            if (instruction.id.kind() == Kind::SendActivation) {
                QCOMPARE(instruction.peer, Stage(0));
                QCOMPARE(int(instruction.lane), int(Lane::SendNext));
                QCOMPARE(instruction.counterpart.chunk(), Chunk(1));
            }
        for (const Instruction& instruction : ofKind(listOf(program, 0), Kind::ReceiveActivation))
            QCOMPARE(int(instruction.lane), int(Lane::ReceivePrevious));
    }

    void sendsNothingBetweenChunksOfOneStage()
    {
        const Program program = complete(vShaped());
        for (const Instruction& instruction : ofKind(listOf(program, 1), Kind::SendActivation))
            QCOMPARE(program.perStage[1].chunks[instruction.id.chunk().value].virtualStage, 2);
        QCOMPARE(int(ofKind(listOf(program, 1), Kind::SendActivation).size()), 3);
    }

    void fusesOppositeTransfersOfTheSteadyState()
    {
        for (const auto& [stages, microbatches] : {std::pair(2, 4), {4, 8}, {4, 2}, {6, 7}}) {
            const Program program = programFor("1f1b", inputsFor(stages, microbatches));
            for (int stage = 0; stage + 1 < stages; ++stage) {
                std::set<int> groups;
                for (const Instruction& instruction : listOf(program, stage))
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
        for (const Program& program : programs()) {
            for (int stage = 0; stage < program.stages; ++stage) {
                const List list = listOf(program, stage);
                for (std::size_t at = 0; at + 1 < list.size(); ++at) {
                    if (list[at].fuse == 0 || list[at + 1].fuse != list[at].fuse)
                        continue;
                    ++pairs;
                    const Instruction& send = list[at];
                    const Instruction& receive = list[at + 1];
                    QVERIFY(isSend(send.id.kind()) && isReceive(receive.id.kind()));
                    QCOMPARE(send.peer, receive.peer);
                    const List other = listOf(program, send.peer.value);
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
        const List list = listOf(programFor("1f1b", inputsFor(2, 3, 2)), 1);
        const int last = positionOf(list, {Kind::Backward, Chunk(0), Microbatch(2)});
        const int send = positionOf(list, {Kind::SendGradient, Chunk(0), Microbatch(2)});
        const int reduce = positionOf(list, {Kind::GradientReduce, Chunk(0), Microbatch(0)});
        QVERIFY(last < send);
        QCOMPARE(reduce, send + 1);
    }

    void chunksReduceAsSoonAsEachIsDone()
    {
        const List list = listOf(complete(interleaved(), 2), 0);
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
            for (const Instruction& reduce : ofKind(listOf(program, stage), Kind::GradientReduce))
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
        const List list = listOf(programFor("1f1b", inputs), 1);
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
            tailOf(listOf(program, 0), 12),
            std::string("WAIT(SEND_F) WAIT(SEND_F) WAIT(REDUCE_GRAD) REDUCE_KV WAIT(REDUCE_KV) "
                        "REDUCE_TIED WAIT(REDUCE_TIED) NORM LOSS WAIT(NORM) OPT WAIT(LOSS)"));
    }

    void aLoneRankKeepsNormUpdateAndLoss()
    {
        const List list = listOf(programFor("gpipe", inputsFor(1, 1)), 0);
        QCOMPARE(tailOf(list, int(list.size())),
                 std::string("F B NORM LOSS WAIT(NORM) OPT WAIT(LOSS)"));
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

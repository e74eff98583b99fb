#include "fixtures.h"
#include "player.h"
#include "queries.h"

#include "engine/schedule/generators.h"

#include <QTest>

#include <random>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

/// "F0 F1 B0 …" of one stage.
std::string steps(const ComputeProgram& program, int stage)
{
    std::string text;
    for (const ComputeStep& step : program.order[stage])
        text += (text.empty() ? "" : " ") + std::string(shortName(step.kind)) +
                std::to_string(step.microbatch.value);
    return text;
}

} // namespace

class GeneratorsTest : public QObject
{
    Q_OBJECT

private slots:
    void gpipeRunsAllForwardsFirst()
    {
        const ComputeProgram program = gpipe(2, 3);
        QCOMPARE(steps(program, 0), std::string("F0 F1 F2 B0 B1 B2"));
        QCOMPARE(steps(program, 1), std::string("F0 F1 F2 B0 B1 B2"));
        QCOMPARE(program.virtualStage, (std::vector<std::vector<int>>{{0}, {1}}));
    }

    void oneForwardOneBackwardAlternates()
    {
        const ComputeProgram program = oneForwardOneBackward(3, 4);
        QCOMPARE(steps(program, 0), std::string("F0 F1 F2 B0 F3 B1 B2 B3"));
        QCOMPARE(steps(program, 1), std::string("F0 F1 B0 F2 B1 F3 B2 B3"));
        QCOMPARE(steps(program, 2), std::string("F0 B0 F1 B1 F2 B2 F3 B3"));
    }

    void oneForwardOneBackwardTakesFewMicrobatches()
    {
        const ComputeProgram program = oneForwardOneBackward(4, 2);
        QCOMPARE(steps(program, 0), std::string("F0 F1 B0 B1"));
        QCOMPARE(steps(program, 1), std::string("F0 F1 B0 B1"));
        QCOMPARE(steps(program, 2), std::string("F0 F1 B0 B1"));
        QCOMPARE(steps(program, 3), std::string("F0 B0 F1 B1"));
    }

    void generatesByName()
    {
        QCOMPARE(scheduleNames(),
                 (std::vector<std::string>{"gpipe", "1f1b", "interleaved", "looped-bfs", "zb-h1",
                                           "zb-h2", "zb-v", "v-half", "v-min", "chimera",
                                           "chimera-doubling", "chimera-halving", "dualpipe",
                                           "dualpipe-v", "custom", "auto"}));
        for (const std::string& name : generatedNames()) {
            const ScheduleInfo& info = scheduleInfo(name);
            const ComputeProgram program = generate(name, 4, 5, info.minimumVirtual);
            QCOMPARE(program.schedule, name);
            QCOMPARE(program.stages, 4);
            QCOMPARE(program.microbatches, 5);
            QCOMPARE(program.replicas, info.replicas);
            QCOMPARE(program.chunks, info.minimumVirtual * info.replicas);
            bool splits = false;
            for (const std::vector<ComputeStep>& order : program.order)
                for (const ComputeStep& step : order)
                    splits = splits || step.kind == Kind::BackwardInput;
            QCOMPARE(splits, info.splitsBackward);
        }
    }

    void namesTheKnownSchedulesWhenAskedForAnother()
    {
        const std::string message = errorOf([] { generate("pipedream", 2, 2); });
        QVERIFY2(contains(message, "pipedream"), message.c_str());
        for (const std::string& name : scheduleNames())
            QVERIFY2(contains(message, name) == (name != "custom"), message.c_str());
    }

    void refusesShapesThatCannotBe()
    {
        for (const ScheduleInfo& info : schedules()) {
            const std::string& name = info.name;
            const int chunks = info.minimumVirtual;
            QVERIFY(contains(errorOf([&] { generate(name, 0, 4, chunks); }), "0 stages"));
            QVERIFY(contains(errorOf([&] { generate(name, 4, 0, chunks); }), "0 microbatches"));
            QVERIFY(!errorOf([&] { generate(name, 1, (1 << 28) + 1, chunks); }).empty());
            QVERIFY(!errorOf([&] { generate(name, 1 << 20, 1 << 20, chunks); }).empty());
            QVERIFY(!errorOf([&] { generate(name, 1 << 30, 2, chunks); }).empty());
            QVERIFY(contains(errorOf([&] { generate(name, 2, 4, chunks - 1); }),
                             std::to_string(chunks - 1) + " chunks"));
            QVERIFY(contains(errorOf([&] { generate(name, 2, 4, info.maximumVirtual + 1); }),
                             std::to_string(info.maximumVirtual + 1) + " chunks"));
        }
    }

    /// Free transfers, the same times on all stages: idle (P−1)(F+B) on every stage.
    void playedIdleIsTheClosedForm()
    {
        for (const std::string name : {"gpipe", "1f1b"}) {
            for (int stages = 1; stages <= 8; ++stages) {
                for (const int microbatches : {1, 2, 3, 4, 7, 8, 16}) {
                    const Program program = programFor(name, inputsFor(stages, microbatches, 2));
                    for (const auto& [f, b] : {std::pair(1.0, 2.0), {1.0, 1.0}, {3.0, 2.0}}) {
                        const Played played = play(program, [f = f, b = b](Stage, Kind kind) {
                            return kind == Kind::Forward ? f : kind == Kind::Backward ? b : 0.0;
                        });
                        for (const double busy : played.busy)
                            QCOMPARE(played.makespan - busy, (stages - 1) * (f + b));
                    }
                }
            }
        }
    }

    /// Neither lanes nor the waits for sends hold up a step, however unlike the stages are.
    void transfersAndWaitsCostNoTimeOfTheirOwn()
    {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> factor(0.5, 2.0);
        std::vector<ComputeProgram> all{interleaved(), interleavedThree(), splitBackward(),
                                        vShaped(), bidirectional()};
        for (const std::string& name : generatedNames())
            for (const int stages : {2, 4, scheduleInfo(name).replicas == 1 ? 7 : 6})
                for (const int microbatches : {2, 3, 8, 17})
                    all.push_back(
                        generate(name, stages, microbatches, scheduleInfo(name).minimumVirtual));
        for (const ComputeProgram& compute : all) {
            const Program program = complete(compute);
            for (int draw = 0; draw < 5; ++draw) {
                std::vector<double> forward(compute.stages);
                std::vector<double> backward(compute.stages);
                for (int stage = 0; stage < compute.stages; ++stage) {
                    forward[stage] = factor(random);
                    backward[stage] = 2 * factor(random);
                }
                const Duration duration = [&](Stage stage, Kind kind) {
                    if (kind == Kind::OptimizerStep)
                        return 0.0;
                    const double whole =
                        kind == Kind::Forward ? forward[stage.value] : backward[stage.value];
                    return kind == Kind::Forward || kind == Kind::Backward ? whole : whole / 2;
                };
                const double least = dependencyMakespan(compute, duration);
                QVERIFY2(std::abs(play(program, duration).makespan - least) < 1e-9 * least,
                         (compute.schedule + " on " + std::to_string(compute.stages) + " with " +
                          std::to_string(compute.microbatches))
                             .c_str());
            }
        }
    }
};

QTEST_APPLESS_MAIN(GeneratorsTest)
#include "generators_test.moc"

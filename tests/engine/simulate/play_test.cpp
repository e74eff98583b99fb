#include <QTest>

#include "clockwork.h"
#include "random_programs.h"

#include "engine/core/error.h"
#include "engine/schedule/generators.h"

#include <cmath>
#include <string>
#include <tuple>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

bool near(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a));
}

bool near(const std::vector<double>& a, const std::vector<double>& b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!near(a[i], b[i]))
            return false;
    return true;
}

/// Empty if both players agree, else what they disagree about.
std::string difference(const Played& played, const Watched& watched)
{
    if (watched.stuck)
        return "the clock gets stuck";
    if (!near(played.makespan, watched.makespan))
        return "makespan " + std::to_string(played.makespan) + ", by the clock " +
               std::to_string(watched.makespan);
    if (!near(played.idle, watched.idle))
        return "idle";
    if (!near(played.idleOwn, watched.idleOwn))
        return "own idle";
    if (!near(played.peakLive, watched.peakLive))
        return "peak live";
    for (std::size_t stage = 0; stage < played.stages.size(); ++stage) {
        std::vector<double> begin;
        std::vector<double> end;
        for (const PlayedStep& step : played.stages[stage]) {
            begin.push_back(step.begin);
            end.push_back(step.end);
        }
        if (!near(begin, watched.begin[stage]) || !near(end, watched.end[stage]))
            return "times of stage " + std::to_string(stage);
    }
    return {};
}

std::string messageOf(const ComputeProgram& program, const StageCosts& costs)
{
    try {
        play(program, costs);
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

class PlayTest : public QObject
{
    Q_OBJECT

private slots:
    void playsASmallPipelineByHand()
    {
        StageCosts costs = evenCosts(2, 1, 1, 0.5, 1.5);
        costs.transfer = 0.25;
        const Played played = play(oneForwardOneBackward(2, 2), costs);
        // Stage 0: F0 0–1, F1 1–2, B0 4.5–6.5, B1 7.5–9.5; stage 1: F0 1.25–2.25, B0 2.25–4.25,
        // F1 4.25–5.25, B1 5.25–7.25.
        QCOMPARE(played.makespan, 9.5);
        QCOMPARE(played.stages[1][2].begin, 4.25);
        QCOMPARE(played.stages[0][2].begin, 4.5);
        QCOMPARE(played.stages[0][3].begin, 7.5);
        QVERIFY(near(played.idle, {3.5, 3.5}));
        QVERIFY(near(played.idleOwn, {3.5, 0.0}));
        QCOMPARE(played.peakLive, (std::vector<double>{2, 1}));
    }

    void spreadsAShareOverItsVirtualStages()
    {
        const StageCosts costs = evenCosts(2, 4, 1, 2, 3);
        QCOMPARE(costs.forward, std::vector<double>(8, 0.25));
        QCOMPARE(costs.input, std::vector<double>(8, 0.5));
        QCOMPARE(costs.weight, std::vector<double>(8, 0.75));
    }

    void runsAPairAsOneStep()
    {
        ComputeProgram program = oneForwardOneBackward(1, 2);
        program.order[0] = {{Kind::Forward, Chunk(0), Microbatch(0)},
                            {Kind::Forward, Chunk(0), Microbatch(1), true},
                            {Kind::Backward, Chunk(0), Microbatch(0)},
                            {Kind::Backward, Chunk(0), Microbatch(1)}};
        StageCosts costs = evenCosts(1, 1, 1, 1, 1);
        costs.overlapGain = 0.5;
        const Played played = play(program, costs);
        QCOMPARE(played.stages[0][1].begin, 1.0);
        QCOMPARE(played.stages[0][1].end, 3.5);
        QCOMPARE(played.stages[0][2].begin, 1.0);
        QCOMPARE(played.stages[0][2].end, 3.5);
        QCOMPARE(played.makespan, 5.5);
        QCOMPARE(played.peakLive.front(), 2.0);
    }

    void agreesWithAClockOnRandomPrograms()
    {
        Random random(11);
        int stuck = 0;
        int paired = 0;
        for (int draw = 0; draw < 1500; ++draw) {
            const ComputeProgram program = randomProgram(random, draw % 2 == 1);
            const StageCosts costs = randomCosts(random, program);
            const Watched watched = watch(program, costs);
            const std::string message = messageOf(program, costs);
            if (watched.stuck || !message.empty()) {
                QVERIFY2(watched.stuck && contains(message, "never gets to"), message.c_str());
                ++stuck;
                continue;
            }
            const std::string found = difference(play(program, costs), watched);
            QVERIFY2(found.empty(), ("draw " + std::to_string(draw) + ": " + found).c_str());
            for (const std::vector<ComputeStep>& order : program.order)
                for (const ComputeStep& step : order)
                    paired += step.withNext ? 1 : 0;
        }
        QVERIFY(stuck > 20);
        QVERIFY(paired > 100);
    }

    void agreesWithAClockOnEverySchedule()
    {
        int played = 0;
        for (const ScheduleInfo& info : schedules()) {
            if (info.name == "custom" || info.name == "auto")
                continue; // they carry an order of their own
            int ofThis = 0;
            for (int stages = 2; stages <= 8; stages += 2)
                for (const int microbatches : {1, 3, 8, 17})
                    for (int chunks = info.minimumVirtual; chunks <= std::min(3, info.maximumVirtual); ++chunks) {
                        ComputeProgram program;
                        try {
                            program = generate(info.name, stages, microbatches, chunks);
                        } catch (const Error&) {
                            continue; // it does not exist for this shape
                        }
                        for (const auto& [forward, input, weight] :
                             {std::tuple(1.0, 1.0, 1.0), {1.0, 1.2, 0.8}, {1.0, 1.5, 1.0}, {0.7, 1.1, 0.4}}) {
                            const StageCosts costs = evenCosts(stages, chunks, forward, input, weight);
                            const std::string found = difference(play(program, costs), watch(program, costs));
                            QVERIFY2(found.empty(), (info.name + ", P " + std::to_string(stages) + ", M " +
                                                     std::to_string(microbatches) + ", V " +
                                                     std::to_string(chunks) + ": " + found)
                                                        .c_str());
                            ++ofThis;
                        }
                    }
            QVERIFY2(ofThis >= 4, info.name.c_str());
            played += ofThis;
        }
        qInfo("%d programs played both ways", played);
    }

    void saysWhichStepIsNeverReached()
    {
        ComputeProgram program = oneForwardOneBackward(2, 2);
        std::swap(program.order[1][0], program.order[1][1]);
        const std::string message = messageOf(program, evenCosts(2, 1, 1, 1, 1));
        QVERIFY2(contains(message, "stage 0 never gets to the backward of microbatch 0") ||
                     contains(message, "stage 1 never gets to the backward of microbatch 0"),
                 message.c_str());
    }

    void refusesPairsThatAreNone()
    {
        ComputeProgram program = oneForwardOneBackward(2, 2);
        program.order[0][0].withNext = true;
        QVERIFY(contains(messageOf(program, evenCosts(2, 1, 1, 1, 1)), "overlap"));
        program = oneForwardOneBackward(2, 2);
        program.order[0].back().withNext = true;
        QVERIFY(contains(messageOf(program, evenCosts(2, 1, 1, 1, 1)), "overlap"));
    }

    void refusesCostsThatDoNotFit()
    {
        const ComputeProgram program = oneForwardOneBackward(4, 2);
        QVERIFY(contains(messageOf(program, evenCosts(2, 1, 1, 1, 1)), "4 virtual stages"));
        StageCosts costs = evenCosts(4, 1, 1, 1, 1);
        costs.weight[2] = -1;
        QVERIFY(!messageOf(program, costs).empty());
        costs = evenCosts(4, 1, 1, 1, 1);
        costs.transfer = NAN;
        QVERIFY(!messageOf(program, costs).empty());
        costs = evenCosts(4, 1, 1, 1, 1);
        costs.overlapGain = 1.5;
        QVERIFY(!messageOf(program, costs).empty());
        QVERIFY_EXCEPTION_THROWN(evenCosts(0, 1, 1, 1, 1), Error);
        QVERIFY_EXCEPTION_THROWN(evenCosts(1, 1, -1, 1, 1), Error);
    }
};

QTEST_APPLESS_MAIN(PlayTest)
#include "play_test.moc"

#include <QTest>

#include "random_programs.h"

#include "engine/core/error.h"
#include "engine/schedule/generators.h"
#include "engine/simulate/replay.h"

#include <algorithm>
#include <cmath>
#include <string>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

bool near(double a, double b)
{
    return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(a));
}

bool near(const std::vector<double>& a, const std::vector<double>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return near(x, y); });
}

/// Empty if both say the same, else what they disagree about.
std::string difference(const Played& a, const Played& b)
{
    if (!near(a.makespan, b.makespan))
        return "makespan " + std::to_string(a.makespan) + " and " + std::to_string(b.makespan);
    if (!near(a.idle, b.idle) || !near(a.idleOwn, b.idleOwn))
        return "idle";
    if (a.peakLive != b.peakLive)
        return "peak live";
    for (std::size_t stage = 0; stage < a.stages.size(); ++stage) {
        if (a.stages[stage].size() != b.stages[stage].size())
            return "number of steps";
        for (std::size_t i = 0; i < a.stages[stage].size(); ++i) {
            const PlayedStep& x = a.stages[stage][i];
            const PlayedStep& y = b.stages[stage][i];
            if (!(x.step == y.step) || !near(x.begin, y.begin) || !near(x.end, y.end))
                return "step " + std::to_string(i) + " of stage " + std::to_string(stage);
        }
    }
    return {};
}

std::string messageOf(const ComputeProgram& program)
{
    try {
        CompiledSchedule compiled(program);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::vector<double> backwardOf(const StageCosts& costs)
{
    std::vector<double> sum;
    for (std::size_t i = 0; i < costs.input.size(); ++i)
        sum.push_back(costs.input[i] + costs.weight[i]);
    return sum;
}

} // namespace

class ReplayTest : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithThePlayerOnRandomPrograms()
    {
        Random random(5);
        ReplayScratch scratch;
        int stuck = 0;
        for (int draw = 0; draw < 1500; ++draw) {
            const ComputeProgram program = randomProgram(random, draw % 2 == 1);
            StageCosts costs = randomCosts(random, program);
            const std::string message = messageOf(program);
            if (!message.empty()) {
                QVERIFY2(message.find("never gets to") != std::string::npos, message.c_str());
                QVERIFY_THROWS_EXCEPTION(Error, play(program, costs));
                ++stuck;
                continue;
            }
            const CompiledSchedule compiled(program);
            for (int again = 0; again < 2; ++again) {
                const Played played = play(program, costs);
                QVERIFY(near(compiled.makespan(costs, scratch), played.makespan));
                const std::string found = difference(compiled.play(costs, scratch), played);
                QVERIFY2(found.empty(), ("draw " + std::to_string(draw) + ": " + found).c_str());
                costs = randomCosts(random, program);
            }
        }
        QVERIFY(stuck > 20);
    }

    void agreesWithThePlayerOnEverySchedule()
    {
        Random random(6);
        ReplayScratch scratch;
        int compared = 0;
        for (const ScheduleInfo& info : schedules()) {
            if (info.name == "custom" || info.name == "auto")
                continue; // they carry an order of their own
            for (int stages = 1; stages <= 8; stages += stages < 2 ? 1 : 2)
                for (const int microbatches : {1, 3, 8, 17})
                    for (int chunks = info.minimumVirtual;
                         chunks <= std::min(3, info.maximumVirtual); ++chunks) {
                        ComputeProgram program;
                        try {
                            program = generate(info.name, stages, microbatches, chunks);
                        } catch (const Error&) {
                            continue; // it does not exist for this shape
                        }
                        const StageCosts costs = randomCosts(random, program);
                        const CompiledSchedule compiled(program);
                        const std::string found =
                            difference(compiled.play(costs, scratch), play(program, costs));
                        QVERIFY2(found.empty(), (info.name + ": " + found).c_str());
                        ++compared;
                    }
        }
        QVERIFY(compared > 100);
    }

    void straightSchedulesNeedNoProgram()
    {
        Random random(7);
        ReplayScratch scratch;
        for (int stages = 1; stages <= 12; ++stages)
            for (int microbatches = 1; microbatches <= 30; ++microbatches) {
                const ComputeProgram program = oneForwardOneBackward(stages, microbatches);
                const StageCosts costs = randomCosts(random, program);
                const std::vector<double> backward = backwardOf(costs);
                const double straight =
                    makespanOneForwardOneBackward(stages, microbatches, costs.forward.data(),
                                                  backward.data(), costs.transfer, scratch);
                QVERIFY(near(straight, play(program, costs).makespan));
                const double allForwards = makespanGpipe(stages, microbatches, costs.forward.data(),
                                                         backward.data(), costs.transfer, scratch);
                QVERIFY(near(allForwards, play(gpipe(stages, microbatches), costs).makespan));
            }
    }

    void saysWhichStepIsNeverReached()
    {
        ComputeProgram program = oneForwardOneBackward(2, 2);
        std::swap(program.order[1][0], program.order[1][1]);
        const std::string message = messageOf(program);
        QVERIFY2(message.find("never gets to the backward of microbatch 0") != std::string::npos,
                 message.c_str());
    }

    void refusesCostsThatDoNotFit()
    {
        const CompiledSchedule compiled(oneForwardOneBackward(4, 2));
        ReplayScratch scratch;
        QVERIFY_THROWS_EXCEPTION(Error, compiled.makespan(evenCosts(2, 1, 1, 1, 1), scratch));
        StageCosts costs = evenCosts(4, 1, 1, 1, 1);
        costs.input[2] = -1;
        QVERIFY_THROWS_EXCEPTION(Error, compiled.makespan(costs, scratch));
        costs.input[2] = 1;
        costs.transfer = std::nan("");
        QVERIFY_THROWS_EXCEPTION(Error, compiled.play(costs, scratch));
    }
};

QTEST_APPLESS_MAIN(ReplayTest)
#include "replay_test.moc"

#include <QtTest>

#include "engine/core/error.h"
#include "engine/schedule/compute_program.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/schedule_csv.h"
#include "engine/search/auto_schedule.h"

#include <algorithm>
#include <random>

using namespace triaxis;

namespace
{

/// Costs by stage, for searchSchedule.
void setCosts(AutoRequest& request, const StageCosts& ofStages)
{
    request.costs = [ofStages](const ComputeProgram& placement) { return costsByStage(ofStages, placement); };
}

struct Case
{
    AutoRequest request;
    bool uneven = false;
};

Case randomCase(std::mt19937& random)
{
    const auto uniform = [&](double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(random);
    };
    const auto whole = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    Case one;
    one.uneven = whole(0, 2) > 0;
    AutoRequest& request = one.request;
    request.stages = whole(2, 6);
    request.microbatches = whole(2, 14);
    const double forward = 1, input = uniform(0.8, 1.5), weight = uniform(0.5, 1.2);
    StageCosts costs;
    for (int stage = 0; stage < request.stages; ++stage) {
        const double factor = one.uneven ? uniform(0.6, 1.6) : 1;
        costs.forward.push_back(forward * factor);
        costs.input.push_back(input * factor);
        costs.weight.push_back(weight * factor);
    }
    costs.transfer = whole(0, 1) ? uniform(0, 0.2) : 0;
    request.mostChunks = whole(1, 2);
    setCosts(request, costs);
    request.memory = whole(1, 2 * request.stages);
    return one;
}

double bestNamed(const AutoRequest& request)
{
    double best = std::numeric_limits<double>::infinity();
    for (const ScheduleInfo& info : schedules())
        for (int chunks = 1; chunks <= request.mostChunks; ++chunks) {
            try {
                const ComputeProgram program = generate(info.name, request.stages, request.microbatches, chunks);
                const Played played = play(program, request.costs(program));
                if (*std::max_element(played.peakLive.begin(), played.peakLive.end()) <= request.memory + 1e-9)
                    best = std::min(best, played.makespan);
            } catch (const Error&) {
            }
        }
    return best;
}

} // namespace

class AutoScheduleTest : public QObject
{
    Q_OBJECT

private slots:
    void isNeverWorseThanTheBestNamed();
    void isBetterWhereStagesDiffer();
    void keepsToTheMemoryAndCanBeReadBack();
    void givesTheSameTwice();
    void refusesWhatMakesNoSense();
};

void AutoScheduleTest::isNeverWorseThanTheBestNamed()
{
    std::mt19937 random(7);
    int uneven = 0, better = 0;
    for (int i = 0; i < 200; ++i) {
        const Case one = randomCase(random);
        const AutoSchedule found = searchSchedule(one.request);
        const double named = bestNamed(one.request);
        QVERIFY2(found.makespan <= named * (1 + 1e-9), qPrintable(QString("case %1: %2 against %3").arg(i).arg(found.makespan).arg(named)));
        QVERIFY(found.lowerBound > 0 && found.lowerBound <= found.makespan * (1 + 1e-9));
        if (one.uneven) {
            ++uneven;
            better += found.makespan <= named * 0.99 ? 1 : 0;
        }
    }
    qInfo("better by 1 %% or more in %d of %d cases whose stages differ", better, uneven);
    QVERIFY2(2 * better >= uneven, qPrintable(QString("better in %1 of %2").arg(better).arg(uneven)));
}

void AutoScheduleTest::isBetterWhereStagesDiffer()
{
    AutoRequest request;
    request.stages = 4;
    request.microbatches = 12;
    StageCosts costs;
    costs.forward = {1, 1, 1, 1.6};
    costs.input = {1.1, 1.1, 1.1, 1.8};
    costs.weight = {0.9, 0.9, 0.9, 1.2};
    setCosts(request, costs);
    const AutoSchedule found = searchSchedule(request);
    QVERIFY(found.makespan <= found.bestNamedMakespan);
    // The slowest stage works without a pause once the first microbatch has come, but for what nobody can avoid.
    QVERIFY2(found.gap() < 0.03, qPrintable(QString::number(found.gap())));
}

void AutoScheduleTest::keepsToTheMemoryAndCanBeReadBack()
{
    for (const double memory : {1.0, 2.0, 4.0, 8.0}) {
        AutoRequest request;
        request.stages = 4;
        request.microbatches = 9;
        setCosts(request, evenCosts(4, 1, 1, 1.2, 0.8));
        request.memory = memory;
        const AutoSchedule found = searchSchedule(request);
        checkShape(found.program);
        const Played played = play(found.program, found.costs);
        QVERIFY(std::abs(played.makespan - found.makespan) < 1e-9);
        QVERIFY(*std::max_element(played.peakLive.begin(), played.peakLive.end()) <= memory + 1e-9);
        const ComputeProgram again = programFromCsv(toCsv(found.program), "auto");
        QVERIFY(again.order == found.program.order);
    }
}

void AutoScheduleTest::givesTheSameTwice()
{
    AutoRequest request;
    request.stages = 3;
    request.microbatches = 7;
    StageCosts costs;
    costs.forward = {1, 2, 1};
    costs.input = {1, 2, 1};
    costs.weight = {1, 1, 2};
    setCosts(request, costs);
    QVERIFY(searchSchedule(request).program.order == searchSchedule(request).program.order);
}

void AutoScheduleTest::refusesWhatMakesNoSense()
{
    AutoRequest request;
    request.stages = 3;
    request.microbatches = 4;
    setCosts(request, evenCosts(2, 1, 1, 1, 1));
    QVERIFY_EXCEPTION_THROWN(searchSchedule(request), Error);
    setCosts(request, evenCosts(3, 1, 1, 1, 1));
    request.memory = 0.25;
    QVERIFY_EXCEPTION_THROWN(searchSchedule(request), Error);
    request.memory = -1;
    QVERIFY_EXCEPTION_THROWN(searchSchedule(request), Error);
    request.memory = 0;
    request.microbatches = 0;
    QVERIFY_EXCEPTION_THROWN(searchSchedule(request), Error);
    request.microbatches = 4;
    StageCosts negative = evenCosts(3, 1, 1, 1, 1);
    negative.weight[1] = -1;
    setCosts(request, negative);
    QVERIFY_EXCEPTION_THROWN(searchSchedule(request), Error);
}

QTEST_APPLESS_MAIN(AutoScheduleTest)
#include "auto_schedule_test.moc"

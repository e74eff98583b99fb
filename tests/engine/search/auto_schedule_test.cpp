#include <QTest>

#include "engine/core/error.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/schedule_csv.h"
#include "engine/search/auto_schedule.h"

#include <random>

using namespace triaxis;

namespace
{

double between(std::mt19937& random, double least, double most)
{
    return std::uniform_real_distribution<double>(least, most)(random);
}

/// Stages that are all alike where `even`.
AutoRequest randomRequest(std::mt19937& random, bool even)
{
    AutoRequest request;
    request.stages = 2 + int(random() % 5);
    request.microbatches = 2 + int(random() % 9);
    for (int stage = 0; stage < request.stages; ++stage)
        for (std::vector<double>* times :
             {&request.costs.forward, &request.costs.input, &request.costs.weight})
            times->push_back(even && stage > 0 ? times->front() : between(random, 0.5, 2.0));
    request.costs.transfer = random() % 2 == 0 ? 0 : 0.1;
    if (random() % 3 != 0)
        request.memory.assign(std::size_t(request.stages),
                              1 + double(random() % unsigned(2 * request.stages)));
    request.seconds = 5;
    return request;
}

bool fits(const AutoRequest& request, const Played& played)
{
    for (std::size_t stage = 0; stage < request.memory.size(); ++stage)
        if (played.peakLive[stage] > request.memory[stage] + 1e-9)
            return false;
    return true;
}

/// Fastest of the schedules of one replica with one and two chunks a stage; 0 if none fits the
/// memory.
double fastestNamed(const AutoRequest& request)
{
    double fastest = 0;
    for (const std::string& name : scheduleNames())
        for (int chunks = 1; chunks <= 2; ++chunks) {
            try {
                const ComputeProgram program =
                    generate(name, request.stages, request.microbatches, chunks);
                if (program.replicas > 1)
                    continue;
                StageCosts costs = evenCosts(request.stages, chunks, 0, 0, 0);
                costs.transfer = request.costs.transfer;
                for (int stage = 0; stage < request.stages; ++stage)
                    for (int chunk = 0; chunk < chunks; ++chunk) {
                        const int position = program.virtualStage[stage][chunk];
                        costs.forward[position] = request.costs.forward[stage] / chunks;
                        costs.input[position] = request.costs.input[stage] / chunks;
                        costs.weight[position] = request.costs.weight[stage] / chunks;
                    }
                const Played played = play(program, costs);
                if (fits(request, played) && (fastest == 0 || played.makespan < fastest))
                    fastest = played.makespan;
            } catch (const Error&) { // not for this shape
            }
        }
    return fastest;
}

} // namespace

class AutoScheduleTest : public QObject
{
    Q_OBJECT

private slots:
    void isNeverSlowerThanTheNamedSchedules()
    {
        std::mt19937 random(3);
        int uneven = 0;
        int better = 0;
        for (int draw = 0; draw < 200; ++draw) {
            const bool even = draw % 4 == 0;
            const AutoRequest request = randomRequest(random, even);
            const AutoResult result = autoSchedule(request);
            const Played played = play(result.program, result.costs);
            QCOMPARE(played.makespan, result.makespan);
            QVERIFY(fits(request, played));
            QVERIFY(result.makespan >= result.lowerBound - 1e-9);
            QVERIFY(std::abs(result.gap - (result.makespan / result.lowerBound - 1)) < 1e-12);
            const double named = fastestNamed(request);
            if (named == 0)
                continue;
            QVERIFY(result.makespan <= named + 1e-9);
            QVERIFY(result.makespan <= result.namedMakespan + 1e-9);
            if (even)
                continue;
            ++uneven;
            better += result.makespan < 0.99 * named ? 1 : 0;
        }
        qInfo("better by 1 %% in %d of %d draws with unlike stages", better, uneven);
        QVERIFY(uneven > 80);
        QVERIFY(2 * better >= uneven);
    }

    void travelsAsCsv()
    {
        std::mt19937 random(8);
        for (int draw = 0; draw < 20; ++draw) {
            const AutoResult result = autoSchedule(randomRequest(random, false));
            const ComputeProgram back = programFromCsv(toCsv(result.program), "auto");
            QCOMPARE(play(back, result.costs).makespan, result.makespan);
        }
    }

    void findsOnesForALargePipeline()
    {
        std::mt19937 random(4);
        AutoRequest request;
        request.stages = 16;
        request.microbatches = 64;
        for (int stage = 0; stage < 16; ++stage)
            for (std::vector<double>* times :
                 {&request.costs.forward, &request.costs.input, &request.costs.weight})
                times->push_back(between(random, 0.8, 1.25));
        request.memory.assign(16, 16);
        const AutoResult result = autoSchedule(request);
        QVERIFY(!result.bestNamed.empty());
        QVERIFY(result.makespan <= result.namedMakespan);
        QVERIFY(result.gap < 0.1);
    }

    void refusesWhatCannotBe()
    {
        AutoRequest request;
        request.stages = 2;
        request.microbatches = 4;
        request.costs = evenCosts(2, 1, 1, 1, 1);
        request.memory = {0.5, 0.5};
        QVERIFY_EXCEPTION_THROWN(autoSchedule(request), Error);
        request.memory = {1};
        QVERIFY_EXCEPTION_THROWN(autoSchedule(request), Error);
        request.memory.clear();
        request.costs.input.pop_back();
        QVERIFY_EXCEPTION_THROWN(autoSchedule(request), Error);
    }
};

QTEST_APPLESS_MAIN(AutoScheduleTest)
#include "auto_schedule_test.moc"

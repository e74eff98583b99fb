#include <QtTest>

#include "machine_fixture.h"

#include "engine/cost/core_sharing.h"
#include "engine/cost/machine_costs.h"
#include "engine/formats/hf_config.h"

#include <cmath>
#include <limits>

using namespace triaxis;

namespace
{

bool near(double value, double expected, double tolerance = 1e-9)
{
    return std::abs(value - expected) <= tolerance * std::abs(expected);
}

/// Core 0 takes turns between its quickest and twice that, core 1 between 1 and 4 times.
PaceTrace uneven()
{
    PaceTrace trace;
    trace.date = "2026-01-02T03:04:05Z";
    trace.interval = 0.1;
    trace.seconds = {{1e-3, 2e-3}, {4e-3, 1e-3}};
    trace.alone = trace.crowded = trace.team = {1e-3};
    return trace;
}

MachineCalibration unevenMachine()
{
    MachineCalibration machine = madeUpMachine();
    machine.paces = {uneven()};
    return machine;
}

RunPlan planOf(int dp)
{
    RunPlan plan;
    plan.model = modelPreset("gpt2-1m");
    plan.training.batch = {8, 1, 64};
    plan.layout.dp = dp;
    plan.execution.threadsPerRank = 1;
    return plan;
}

} // namespace

class CorePaceTest : public QObject
{
    Q_OBJECT

private slots:
    void isEvenWhereNothingIsKnown()
    {
        const CorePace pace(madeUpMachine());
        QVERIFY(pace.even());
        QCOMPARE(pace.slowestOf(0, 2, 17), 1.0);
        QCOMPARE(pace.nextChange(3), std::numeric_limits<double>::infinity());
        QCOMPARE(CorePace(1.5).shared(8, 0), 1.5);
        QCOMPARE(slownessOfSamples(madeUpMachine(), {1, 1}), 1.0);
    }

    void everyMomentIsSlowedAlike()
    {
        const CorePace pace = CorePace(unevenMachine()).times(1.5);
        QVERIFY(near(pace.slowness(0, 0.05), 1.5));
        QVERIFY(near(pace.slowness(1, 0.05), 6));
        QVERIFY(near(pace.mean(), 1.5 * CorePace(unevenMachine()).mean()));
        QCOMPARE(CorePace(2).times(1.5).mean(), 3.0);
    }

    void momentsFollowEachOtherForEver()
    {
        const CorePace pace(unevenMachine());
        QVERIFY(near(pace.slowness(0, 0.05), 1));
        QVERIFY(near(pace.slowness(0, 0.15), 2));
        QVERIFY(near(pace.slowness(0, 0.25), 1));
        QVERIFY(near(pace.slowness(0, 20.15), 2));
        QVERIFY(near(pace.slowness(1, 0.05), 4));
        QVERIFY(near(pace.slowness(2, 0.05), 1)); // as core 0
        double time = 0;
        for (int i = 1; i < 100; ++i) {
            time = pace.nextChange(time);
            QVERIFY(near(time, 0.1 * i));
        }
    }

    void aTeamGoesAsItsSlowestAndSharedCoresAsTheirMean()
    {
        const CorePace pace(unevenMachine());
        QVERIFY(near(pace.slowestOf(0, 2, 0), 4));
        QVERIFY(near(pace.slowestOf(0, 2, 0.15), 2));
        QVERIFY(near(pace.shared(2, 0), 2 / (1 + 0.25)));
        QVERIFY(near(pace.mean(), 4 / (1 + 0.5 + 0.25 + 1)));
    }

    void whatWasFoundLastCounts()
    {
        MachineCalibration machine = unevenMachine();
        PaceTrace later = uneven();
        later.seconds = {{3e-3}, {3e-3}};
        machine.now = {later};
        QVERIFY(near(CorePace(machine).slowness(0, 0.15), 3));
    }

    void samplesOfMoreRoundsAreNearerToTheQuickest()
    {
        MachineCalibration machine = unevenMachine();
        machine.paces.front().alone = {1e-3, 2e-3};
        QVERIFY(near(slownessOfSamples(machine, {1, 1}), 1.5));
        machine.paces.push_back(machine.paces.front());
        QVERIFY(near(slownessOfSamples(machine, {1, 1}), 1.25));
        machine.paces.front().team = {4e-3};
        machine.paces.back().team = {3e-3};
        QVERIFY(near(slownessOfSamples(machine, {2, 1}), 3));
    }

    void workTakesAsLongAsItsCoreIsSlow()
    {
        CoreSharing cores(2, 2, 1, CorePace(unevenMachine()));
        cores.begin(0, {0.15, 0.15}); // 0.1 in a quick moment, the rest in a slow one
        QCOMPARE(cores.next(), 0);
        QVERIFY(near(cores.now(), 0.2));
        cores.begin(1, {0.125, 0.125}); // 0.025 in a slow moment, the rest in a quick one
        QCOMPARE(cores.next(), 1);
        QVERIFY(near(cores.now(), 0.4));
    }

    void anEvenlySlowMachineTakesSoMuchLonger()
    {
        MachineCalibration slow = madeUpMachine();
        slow.paces = {uneven()};
        slow.paces.front().seconds = {{3e-3, 3e-3}, {3e-3, 3e-3}};
        const MachinePrediction quick = predictOnMachine(planOf(1), madeUpMachine());
        const MachinePrediction predicted = predictOnMachine(planOf(1), slow);
        QVERIFY(near(predicted.stepSeconds, 3 * quick.stepSeconds, 1e-6));
        QVERIFY(near(predicted.slowness, 3));
        QVERIFY(predicted.spread < 1e-6);
        QCOMPARE(quick.spread, 0.0);
    }

    void anUnevenMachineSpreadsTheSteps()
    {
        MachineCalibration machine = unevenMachine();
        const double quick = predictOnMachine(planOf(2), madeUpMachine()).stepSeconds;
        machine.paces.front().interval = 1.7 * quick;
        const MachinePrediction predicted = predictOnMachine(planOf(2), machine);
        QVERIFY2(predicted.spread > 0.1, qPrintable(QString::number(predicted.spread)));
        QVERIFY(predicted.stepSeconds > 1.3 * quick && predicted.stepSeconds < 4.1 * quick);
        // The step that is shown is as long as the one that is told.
        double end = 0;
        for (const Span& span : predicted.spans)
            end = std::max(end, span.end);
        QVERIFY2(near(end, predicted.stepSeconds, 0.05),
                 qPrintable(QString("%1, %2").arg(end).arg(predicted.stepSeconds)));
    }
};

QTEST_APPLESS_MAIN(CorePaceTest)
#include "core_pace_test.moc"

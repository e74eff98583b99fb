// Slots and links of a run that goes as a model on other devices would.

#include <QtTest>

#include "engine/core/error.h"
#include "engine/cost/collectives.h"
#include "engine/cost/step_estimate.h"
#include "engine/formats/hf_config.h"
#include "engine/formats/model_shape.h"
#include "engine/sweep/paced_as.h"

#include <numeric>

using namespace triaxis;

namespace
{

PacedTarget target()
{
    PacedTarget target;
    target.model = findModelShape("gpt2-medium");
    target.cluster = clusterPreset("dgx-a100");
    target.software = softwareProfile("megatron-core-2024");
    return target;
}

RunPlan run(int dp, int tp, int pp)
{
    RunPlan plan;
    plan.model = modelPreset("gpt2-1m");
    plan.layout.dp = dp;
    plan.layout.tp = tp;
    plan.layout.pp = pp;
    plan.training.batch = {32, 2, 64};
    return plan;
}

double sum(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Bytes of a layer's output in the small run.
double activationOf(const RunPlan& plan)
{
    const BatchShape& batch = plan.training.batch;
    return 4.0 * batch.microbatch * batch.sequence * shapeOf(plan.model).hidden;
}

} // namespace

class PacedAsTest : public QObject
{
    Q_OBJECT

private slots:
    void oneRankTakesWhatTheSimulatorSays()
    {
        const RunPlan plan = run(1, 1, 1);
        const PacePlan pace = pacedAs(target(), plan);
        const double inSlots =
            16 * (sum(pace.forward) + sum(pace.input) + sum(pace.weight)) + pace.optimizer;
        const double predicted = estimateStep(targetJob(target(), plan), targetPlan(plan)).seconds;
        QVERIFY2(std::abs(inSlots / predicted - 1) < 0.01,
                 qPrintable(QString("%1 of %2").arg(inSlots).arg(predicted)));
    }

    void aSmallMessageTakesAsLongAsTheTargets()
    {
        const PacedTarget as = target();
        const RunPlan plan = run(1, 2, 1);
        const PacePlan pace = pacedAs(as, plan);
        const double bytes = 2.0 * 2 * 1024 * as.model.hidden; // bf16
        const double expected =
            collectiveSeconds(as.cluster, Collective::AllReduce, bytes, {2, 1, 4}) /
            as.software.linkEfficiency;
        QVERIFY(std::abs(ringSeconds(pace.tensor, activationOf(plan), 2) / expected - 1) < 1e-6);
    }

    void aHopTakesAsLongAsTheTargets()
    {
        const RunPlan plan = run(1, 1, 4);
        const TrainingJob job = targetJob(target(), plan);
        const ParallelPlan parallel = targetPlan(plan);
        const double hop = stageCosts(job, parallel, unitCosts(job, parallel)).transfer;
        const PacePlan pace = pacedAs(target(), plan);
        QVERIFY(hop > 0);
        QVERIFY(std::abs(pace.pipeline.seconds(activationOf(plan)) / hop - 1) < 1e-6);
        QCOMPARE(pace.forward.size(), std::size_t(4));
    }

    void slotsDoNotHoldTensorCollectives()
    {
        const double whole = sum(pacedAs(target(), run(1, 1, 1)).forward);
        const double halves = sum(pacedAs(target(), run(1, 2, 1)).forward);
        QVERIFY(halves < whole);
        QVERIFY(halves > 0.45 * whole);
    }

    void replicasShareTheWorkAndAddASum()
    {
        const PacePlan one = pacedAs(target(), run(1, 1, 1));
        const PacePlan four = pacedAs(target(), run(4, 1, 1));
        QCOMPARE(four.forward, one.forward);
        QVERIFY(four.data.latency > 0);
        QCOMPARE(one.data.latency, 0.0);
        QCOMPARE(one.pipeline.latency, 0.0);
    }

    void stretchesEverything()
    {
        const RunPlan plan = run(2, 2, 2);
        const PacePlan once = pacedAs(target(), plan);
        const PacePlan slow = pacedAs(target(), plan, 5);
        for (std::size_t i = 0; i < once.forward.size(); ++i)
            QVERIFY(std::abs(slow.forward[i] / once.forward[i] - 5) < 1e-9);
        QVERIFY(std::abs(slow.data.seconds(1e6) / once.data.seconds(1e6) - 5) < 1e-9);
        QVERIFY(std::abs(slow.tensor.seconds(1e6) / once.tensor.seconds(1e6) - 5) < 1e-9);
        QVERIFY(std::abs(slow.pipeline.seconds(1e6) / once.pipeline.seconds(1e6) - 5) < 1e-9);
        QVERIFY(std::abs(slow.optimizer / once.optimizer - 5) < 1e-9);
    }

    void refusesALayoutThatTheTargetCannotHave()
    {
        QVERIFY_THROWS_EXCEPTION(Error, pacedAs(target(), run(1, 3, 1)));
    }

    void memoryFallsAlongTheTensorAxis()
    {
        const double whole = targetMemory(target(), run(1, 1, 1));
        QVERIFY(targetMemory(target(), run(1, 2, 1)) < 0.7 * whole);
        QCOMPARE(targetMemory(target(), run(4, 1, 1)), whole);
    }

    void findsAStretchForMostSlots()
    {
        std::vector<SlotSample> samples(100);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            samples[i].begin = 1;
            samples[i].end = 1.010;
            samples[i].work = i < 90 ? 0.001 : 0.030;
        }
        QCOMPARE(enoughStretch(samples, 1), 5.0); // 3 × 1.2, rounded up
        QCOMPARE(enoughStretch(samples, 2), 10.0);
        samples.resize(90);
        QCOMPARE(enoughStretch(samples, 1), 1.0);
        QCOMPARE(enoughStretch({}, 3), 3.0);
    }
};

QTEST_GUILESS_MAIN(PacedAsTest)
#include "paced_as_test.moc"

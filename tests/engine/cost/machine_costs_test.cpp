#include <QtTest>

#include "machine_fixture.h"

#include "../core/expect_error.h"
#include "engine/cost/core_sharing.h"
#include "engine/cost/machine_costs.h"
#include "engine/cost/reference_layers.h"
#include "engine/cost/run_samples.h"
#include "engine/formats/hf_config.h"

#include <cmath>
#include <numeric>

using namespace triaxis;

namespace
{

bool near(double value, double expected, double tolerance = 1e-9)
{
    return std::abs(value - expected) <= tolerance * std::abs(expected);
}

RunPlan planOf(int dp, int tp, int pp, const std::string& schedule = "1f1b")
{
    RunPlan plan;
    plan.model = modelPreset("gpt2-1m");
    plan.training.batch = {8, 1, 64};
    plan.training.schedule = schedule;
    plan.layout.dp = dp;
    plan.layout.tp = tp;
    plan.layout.pp = pp;
    plan.execution.threadsPerRank = 1;
    return plan;
}

/// Seconds of a rank's own work in a step.
MachineSeconds ownWork(const RunPlan& plan, int rank)
{
    const MachineRates rates(madeUpMachine(), 1);
    const RankWork work = rankWork(plan, programOf(plan), Rank(rank), rates);
    MachineSeconds sum;
    for (const auto& parts : work.parts)
        for (const WorkPart& part : parts)
            sum += part.seconds;
    return sum;
}

} // namespace

class MachineCostsTest : public QObject
{
    Q_OBJECT

private slots:
    void samplesAreMetAndPowersInterpolated()
    {
        const MachineRates one(madeUpMachine(), 1);
        QVERIFY(near(one.product(ProductForm::Plain, 64, 100, 200).alone, 64e-9 * 100 * 200));
        QVERIFY(
            near(one.product(ProductForm::Plain, 64, 100, 200).crowded, 1.2 * 64e-9 * 100 * 200));
        QVERIFY(near(one.product(ProductForm::Plain, 4096, 4096, 4096).alone,
                     std::pow(4096, 3) * 1e-9));
        QVERIFY(near(one.operation(MachineOperation::AdamW, 5000).alone, 5e-5));
        QVERIFY(near(one.operation(MachineOperation::AdamW, 1 << 24).alone, (1 << 24) * 1e-8));
        QVERIFY(near(one.attention(false, 3, 4, 2, 64, 32).alone, 3 * 4 * 64e-9 * 64 * 32));
        QVERIFY(near(one.allReduce(2, 4096), 4096e-9));
        QVERIFY(near(one.allReduce(8, 4096), 4096e-9));
        const MachineRates both(madeUpMachine(), 2);
        QVERIFY(near(both.product(ProductForm::Plain, 64, 64, 64).alone, 0.5e-9 * 64 * 64 * 64));
        QVERIFY(near(both.attention(false, 3, 1, 1, 64, 32).alone, 2 * 64e-9 * 64 * 32));
    }

    void ranksOnOneCoreTakeTwiceAsLong()
    {
        CoreSharing one(2, 1, 1);
        one.begin(0, {1, 1});
        one.begin(1, {1, 1});
        one.next();
        one.next();
        QVERIFY(near(one.now(), 2));
    }

    void ranksOnTheirOwnCoresOnlyCrowdEachOther()
    {
        CoreSharing two(2, 2, 1);
        two.begin(0, {1, 1.2});
        two.begin(1, {1, 1.2});
        two.next();
        QVERIFY(near(two.now(), 1.2));
    }

    void aRankThatIsDoneLeavesItsCoreToOthers()
    {
        CoreSharing one(2, 1, 1);
        one.begin(0, {1, 1});
        one.begin(1, {3, 3});
        QCOMPARE(one.next(), 0);
        QVERIFY(near(one.now(), 2)); // half of the core each
        QCOMPARE(one.next(), 1);
        QVERIFY(near(one.now(), 4)); // all that was to do
        QCOMPARE(one.next(), -1);
    }

    void sleepTakesNoCore()
    {
        CoreSharing one(2, 1, 1);
        one.sleep(0, 5);
        one.begin(1, {1, 1});
        QCOMPARE(one.next(), 1);
        QVERIFY(near(one.now(), 1));
        QCOMPARE(one.next(), 0);
        QVERIFY(near(one.now(), 5));
    }

    void aRankAloneTakesItsOwnWork()
    {
        const RunPlan plan = planOf(1, 1, 1);
        const double predicted = predictOnMachine(plan, madeUpMachine()).stepSeconds;
        QVERIFY(near(predicted, ownWork(plan, 0).alone, 1e-6));
        // The products alone: 3 passes over 8 sequences of 64 tokens, at 1 ns a multiply-and-add.
        const ModelSpec& model = plan.model;
        const double products =
            3 * 512e-9 *
            (double(model.layers) * double(layerMatrixFlopsPerToken(model)) / 2 +
             double(headFlopsPerToken(model)) / 2);
        QVERIFY2(predicted > products && predicted < 1.6 * products,
                 qPrintable(QString("%1 s, products %2 s").arg(predicted).arg(products)));
    }

    void replicasMeetOverTheirGradients()
    {
        const RunPlan plan = planOf(2, 1, 1);
        const double own = ownWork(plan, 0).crowded;
        const double gradients = 1e-9 * 4 * 1'051'000; // about
        const double predicted = predictOnMachine(plan, madeUpMachine()).stepSeconds;
        QVERIFY(predicted > own + 0.5 * gradients);
        QVERIFY(predicted < own + 2 * gradients);
    }

    /// Messages move on while ranks compute: what is enqueued before the optimizer is over before it.
    void aCollectiveEndsWhenItIsDoneNotWhenItIsWaitedFor()
    {
        for (const int replicas : {1, 2}) {
            const MachinePrediction predicted =
                predictOnMachine(planOf(replicas, 1, 1), madeUpMachine());
            std::map<int, double> optimizerEnd;
            int losses = 0;
            for (const Span& span : predicted.spans)
                if (span.id.kind() == Kind::OptimizerStep)
                    optimizerEnd[span.rank.value] = span.end;
            for (const Span& span : predicted.spans)
                if (span.id.kind() == Kind::LossReduce) {
                    QVERIFY(span.end >= span.begin && span.end < optimizerEnd.at(span.rank.value));
                    ++losses;
                }
            QCOMPARE(losses, replicas);
        }
    }

    void moreRanksThanCoresShareThem()
    {
        const double two = predictOnMachine(planOf(2, 1, 1), madeUpMachine()).stepSeconds;
        const double eight = predictOnMachine(planOf(8, 1, 1), madeUpMachine()).stepSeconds;
        // The same work in all on the same cores, and four times the optimizer and gradients.
        QVERIFY(eight > 0.99 * two && eight < 2 * two);
    }

    void everyLayoutAndScheduleComesToItsEnd_data()
    {
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("pp");
        QTest::addColumn<QString>("schedule");
        QTest::newRow("tensor") << 1 << 2 << 1 << "1f1b";
        QTest::newRow("all axes") << 2 << 2 << 2 << "1f1b";
        QTest::newRow("gpipe") << 1 << 1 << 4 << "gpipe";
        QTest::newRow("zb-h1") << 1 << 2 << 2 << "zb-h1";
        QTest::newRow("chimera") << 1 << 1 << 4 << "chimera";
        QTest::newRow("chimera of replicas") << 2 << 1 << 2 << "chimera";
    }
    void everyLayoutAndScheduleComesToItsEnd()
    {
        QFETCH(int, dp);
        QFETCH(int, tp);
        QFETCH(int, pp);
        QFETCH(QString, schedule);
        const RunPlan plan = planOf(dp, tp, pp, schedule.toStdString());
        const MachinePrediction predicted = predictOnMachine(plan, madeUpMachine());
        QCOMPARE(int(predicted.memory.size()), dp * tp * pp);
        double all = 0;
        for (int rank = 0; rank < dp * tp * pp; ++rank)
            all += ownWork(plan, rank).alone;
        QVERIFY(predicted.stepSeconds > all / 2); // two cores
        QVERIFY(predicted.stepSeconds < 1.5 * all);
    }

    void slotsSetThePaceOfAPacedRun()
    {
        RunPlan plan = planOf(1, 1, 2);
        plan.execution.pace.forward = {0.5};
        plan.execution.pace.input = {0.5};
        plan.execution.pace.weight = {0.5};
        const double predicted = predictOnMachine(plan, madeUpMachine()).stepSeconds;
        // 1F1B with slots far longer than the work: (M + P − 1)·(F + I + W), and the next step
        // begins on the first stage where this one ends there.
        QVERIFY2(near(predicted, (8 + 1) * 1.5, 0.02), qPrintable(QString::number(predicted)));
    }

    void aRankThatHasWaitedWakesUpFirst()
    {
        const MachineRates rates(madeUpMachine(), 1);
        QVERIFY(near(rates.wakeUp(2, 1e-3), 1e-5));
        QVERIFY(near(rates.wakeUp(8, 1e-6), 1e-8));
        QVERIFY(near(rates.wakeUp(4, 10), 1e-5)); // waits longer than measured
        QCOMPARE(rates.wakeUp(1, 1), 0.0);
    }

    void wakingUpLengthensAPipelineAtEveryHopItWaitsFor()
    {
        MachineCalibration slow = madeUpMachine();
        constexpr double more = 1e-3;
        for (WakeSample& sample : slow.wakes)
            sample.seconds += more;
        const RunPlan one = planOf(1, 1, 1);
        QVERIFY(near(predictOnMachine(one, slow).stepSeconds,
                     predictOnMachine(one, madeUpMachine()).stepSeconds));
        const RunPlan two = planOf(1, 1, 2);
        const double longer = predictOnMachine(two, slow).stepSeconds -
                              predictOnMachine(two, madeUpMachine()).stepSeconds;
        // At least the first activation and the last gradient are waited for; at most every
        // message and the collectives of the tail are.
        QVERIFY2(longer > 1.9 * more && longer < 24 * more, qPrintable(QString::number(longer)));
    }

    void runsOfItsKindSayHowMuchLongerItAllTakes()
    {
        MachineCalibration machine = madeUpMachine(); // two cores
        QCOMPARE(runsOverSamples(machine, 4), 1.0);
        machine.runs = {{"a", 4, 3, 2}, {"b", 8, 7, 2}, {"c", 4, 1, 2}, {"d", 1, 1, 1}};
        QVERIFY(near(runsOverSamples(machine, 6), 1.5));
        QVERIFY(near(runsOverSamples(machine, 1), 1));
        QVERIFY(near(runsOverSamples(machine, 2), 1.25)); // none of its kind: all of them
        const auto times = [&](int dp) {
            return predictOnMachine(planOf(dp, 1, 1), machine).stepSeconds /
                   predictOnMachine(planOf(dp, 1, 1), madeUpMachine()).stepSeconds;
        };
        QVERIFY(near(times(1), 1));
        QVERIFY2(near(times(4), 1.5, 0.02), qPrintable(QString::number(times(4))));
    }

    void memoryBeyondTheCachesTakesLonger()
    {
        MachineCalibration machine = madeUpMachine();
        for (const Occupancy under : {Occupancy{1, 1}, Occupancy{1, 2}, Occupancy{2, 1}})
            for (const auto& [size, seconds] : {std::pair{1 << 20, 1e-3}, {1 << 26, 3e-3}})
                machine.streams.push_back({under, StreamUse::Optimizer, size, 1 << 20, seconds});
        const MachineRates rates(machine, 1);
        const double more = 2e-3 / (1 << 20);
        QVERIFY(near(rates.beyondCaches(StreamUse::Optimizer, 1 << 26, 100).alone, 100 * more));
        QVERIFY(near(rates.beyondCaches(StreamUse::Optimizer, 1 << 30, 100).crowded, 100 * more));
        QCOMPARE(rates.beyondCaches(StreamUse::Optimizer, 1 << 20, 100).alone, 0.0);
        QCOMPARE(rates.beyondCaches(StreamUse::Weights, 1 << 26, 100).alone, 0.0);
        // 16 bytes a parameter, all of which the optimizer comes back to.
        const RunPlan plan = planOf(1, 1, 1);
        const double longer = predictOnMachine(plan, machine).stepSeconds -
                              predictOnMachine(plan, madeUpMachine()).stepSeconds;
        QVERIFY(longer > 0 && longer < 2e-3 / (1 << 20) * 16 * 1.1e6);
    }

    void whatLayersTookInCompanyCountsForAll()
    {
        const auto factors = [](double passes, double update) {
            MachineCalibration machine = madeUpMachine();
            machine.layers.push_back({{1, 1}, 128, 128, 4, 800'000, passes, update});
            return ratesInCompany(machine, 1).company(workOf(128, 128));
        };
        QCOMPARE(ratesInCompany(madeUpMachine(), 1).company(1).layers.alone, 1.0);
        const Company once = factors(0.5, 0.01);
        const Company twice = factors(1, 0.02);
        QVERIFY(once.layers.alone > 1 && once.layers.alone < 2);
        QVERIFY(near(twice.layers.alone, 2 * once.layers.alone));
        QVERIFY(near(twice.update.alone, 2 * once.update.alone));
        QCOMPARE(once.layers.crowded, 1.0); // nothing was measured there

        MachineCalibration machine = madeUpMachine();
        machine.layers.push_back({{1, 1}, 128, 128, 4, 800'000, 1, 0.02});
        const double alone = predictOnMachine(planOf(1, 1, 1), madeUpMachine()).stepSeconds;
        const double company = predictOnMachine(planOf(1, 1, 1), machine).stepSeconds;
        QVERIFY2(near(company, twice.layers.alone * alone, 0.05),
                 qPrintable(QString("%1, %2").arg(company).arg(twice.layers.alone * alone)));
    }

    void refusesWhatItCannotPrice()
    {
        MachineCalibration poor = madeUpMachine();
        poor.attention.clear();
        QVERIFY(errorText([&] { predictOnMachine(planOf(1, 1, 1), poor); }).contains("attention"));
        MachineCalibration sleepless = madeUpMachine();
        sleepless.wakes.clear();
        QVERIFY(
            errorText([&] { predictOnMachine(planOf(1, 1, 1), sleepless); }).contains("waited"));
        RunPlan spread = planOf(1, 1, 1);
        spread.execution.hostfile = "/hosts";
        QVERIFY(errorText([&] { predictOnMachine(spread, madeUpMachine()); }).contains("/hosts"));
    }
};

QTEST_APPLESS_MAIN(MachineCostsTest)
#include "machine_costs_test.moc"

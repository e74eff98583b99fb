#include "engine/plan/drawn_prediction.h"

#include "engine/cost/collectives.h"
#include "engine/cost/machine_costs.h"
#include "engine/formats/hf_config.h"
#include "engine/record/demo_plan.h"
#include "tests/engine/cost/machine_fixture.h"
#include "tests/engine/plan/random_plans.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace triaxis;
using namespace triaxis::tests;

class DrawnPredictionTest : public QObject
{
    Q_OBJECT

private:
    static DrawnPlan onCluster(int dp, int tp, int pp, const char* model = "llama3-8b")
    {
        RunPlan run = demoPlan();
        run.data = {};
        DrawnPlan plan = withModel(drawnPlan(run), modelPreset(model));
        plan = withNetwork(plan, clusterPreset("dgx-h100"));
        plan.cluster.nodes = 1;
        plan = withAxisSizes(plan, dp, tp, pp);
        plan.run.training.batch = {dp * 8, 1, 4096};
        plan.zero = ZeroStage::Optimizer;
        return plan;
    }

    static double secondsOf(const DrawnPlan& plan)
    {
        const DrawnPrediction prediction = predictDrawn(plan);
        return prediction.known ? prediction.seconds : unknownFigure;
    }

private slots:
    void isTheEstimateOfTheSameJob()
    {
        for (const DrawnPlan& plan : {onCluster(2, 8, 1), onCluster(2, 4, 4), onCluster(8, 1, 2)}) {
            const DrawnPrediction prediction = predictDrawn(plan);
            QVERIFY(prediction.known);
            const StepEstimate estimate = estimateStep(trainingJob(plan), parallelPlan(plan));
            QCOMPARE(prediction.seconds, estimate.seconds);
            QCOMPARE(prediction.tokensPerSecond, estimate.tokensPerSecond);
            QVERIFY(prediction.mfu > 0.05 && prediction.mfu < 1);
            QCOMPARE(prediction.memory.size(), std::size_t(plan.run.layout.pp));
            QVERIFY(prediction.exposed.total() < prediction.seconds);
        }
    }

    void aTornTensorGroupCostsAndAnotherOrderToo()
    {
        const DrawnPlan plan = onCluster(2, 8, 1);
        const double whole = secondsOf(plan);
        const double torn = secondsOf(withRanksSwapped(plan, Rank(1), Rank(9)));
        QVERIFY2(torn > 1.05 * whole, qPrintable(QString("%1 %2").arg(whole).arg(torn)));
        DrawnPlan turned = plan;
        turned.run.layout.order = parseRankOrder("dp-tp-pp");
        QVERIFY(secondsOf(turned) > 1.05 * whole);
        // Ranks that change places within their group change nothing.
        QCOMPARE(secondsOf(withRanksSwapped(plan, Rank(1), Rank(3))), whole);
    }

    void aSlowerNodeSlowsAll()
    {
        DrawnPlan plan = onCluster(2, 8, 1);
        const double alike = secondsOf(plan);
        plan.cluster.mixed = {{1, 1, devicePreset("a100-80gb")}};
        const DrawnPrediction mixed = predictDrawn(plan);
        QVERIFY(mixed.known && mixed.seconds > 1.3 * alike);
        QCOMPARE(mixed.slowRanks, 8);
        plan.cluster.mixed = {{1, 1, devicePreset("h200")}};
        QVERIFY(secondsOf(plan) <= alike * 1.001); // the slower half sets the pace
    }

    void capacityIsThatOfEachDevice()
    {
        DrawnPlan plan = onCluster(2, 8, 1);
        plan.cluster.mixed = {{1, 1, devicePreset("a100-40gb")}};
        QCOMPARE(capacityOf(plan, Rank(0), {}), double(devicePreset("h100-sxm").memoryBytes));
        QCOMPARE(capacityOf(plan, Rank(8), {}), double(devicePreset("a100-40gb").memoryBytes));
    }

    void outOfMemoryIsToldWithItsCellAndAmount()
    {
        DrawnPlan plan = onCluster(1, 1, 1, "llama3-70b");
        plan.zero = ZeroStage::None;
        const DrawnPrediction prediction = predictDrawn(plan);
        QVERIFY(prediction.known && prediction.fullest > 1);
        QCOMPARE(prediction.findings.size(), std::size_t(1));
        QCOMPARE(prediction.findings[0].where, std::string("rank 0"));
        QVERIFY(prediction.findings[0].what.find("too much") != std::string::npos);
    }

    void trafficFollowsTheSizes()
    {
        const DrawnPlan plan = onCluster(2, 4, 2);
        const std::vector<AxisTraffic> stages = trafficByStage(trainingJob(plan), parallelPlan(plan));
        QCOMPARE(stages.size(), std::size_t(2));
        // 16 layers, 8 microbatches, 4 all-reduces of 4096 × 4096 in bf16; one more for the embedding.
        const double vector = 4096.0 * 4096 * 2;
        const double expected = busFactor(Collective::AllReduce, 4) * vector * 8 * (16 * 4 + 1);
        QCOMPARE(stages[0].tensor, expected);
        QCOMPARE(stages[0].context, 0.0);
        QVERIFY(stages[0].pipeline > 0 && stages[0].data > 0);
        const DrawnPlan alone = onCluster(1, 1, 1);
        const AxisTraffic none = trafficByStage(trainingJob(alone), parallelPlan(alone))[0];
        QCOMPARE(none.tensor + none.pipeline + none.data, 0.0);
    }

    void thisMachineWithoutCalibrationKnowsSharesOnly()
    {
        RunPlan run = demoPlan();
        run.data = {};
        const DrawnPrediction prediction = predictDrawn(drawnPlan(run));
        QVERIFY(prediction.known);
        QVERIFY(prediction.basis == PredictionBasis::Units);
        QVERIFY(std::isnan(prediction.seconds));
        QVERIFY(prediction.bubble > 0 && prediction.bubble < 0.5);
        const DrawnTimeline timeline = drawnTimeline(drawnPlan(run));
        QVERIFY2(timeline.problem.empty(), timeline.problem.c_str());
        QVERIFY(!timeline.spans.empty());
        QCOMPARE(timeline.layout.ranks(), 2);
    }

    void theTimelineOfThisMachineIsWhatItsCalibrationSays()
    {
        RunPlan run = demoPlan();
        run.data = {};
        MachineFacts machine;
        machine.calibration = madeUpMachine();
        const DrawnPlan plan = drawnPlan(run);
        const DrawnTimeline timeline = drawnTimeline(plan, machine);
        QVERIFY2(timeline.problem.empty(), timeline.problem.c_str());
        QVERIFY(timeline.basis == PredictionBasis::Machine);
        QVERIFY(timeline.layout == run.layout);
        QCOMPARE(timeline.calibrated, machine.calibration->date);
        const MachinePrediction predicted = predictOnMachine(plan.run, *machine.calibration);
        QCOMPARE(timeline.spans.size(), predicted.spans.size());
        std::set<Rank> ranks;
        for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
            QCOMPARE(timeline.spans[i].id.packed, predicted.spans[i].id.packed);
            QCOMPARE(timeline.spans[i].end, predicted.spans[i].end);
            ranks.insert(timeline.spans[i].rank);
        }
        QCOMPARE(int(ranks.size()), run.layout.ranks());
        QCOMPARE(int(timeline.shares.perRank.size()), run.layout.ranks());
    }

    void aDisturbedCalibrationIsToldOf()
    {
        RunPlan run = demoPlan();
        run.data = {};
        MachineFacts machine;
        machine.calibration = madeUpMachine();
        machine.calibration->others = 0.01;
        const DrawnPrediction calm = predictDrawn(drawnPlan(run), machine);
        QVERIFY(calm.findings.empty());
        machine.calibration->others = 0.6;
        const DrawnPrediction disturbed = predictDrawn(drawnPlan(run), machine);
        QCOMPARE(disturbed.findings.size(), std::size_t(1));
        QVERIFY(!hasErrors(disturbed.findings));
        QVERIFY(disturbed.findings[0].what.find("60") != std::string::npos);
        QCOMPARE(disturbed.seconds, calm.seconds);
        if (disturbed.errorBasis == ErrorBasis::Calibration)
            QVERIFY(disturbed.expectedError >= 0.6);
    }

    void theTimelineIsAsLongAsTheStep()
    {
        for (const DrawnPlan& plan : {onCluster(2, 8, 1), onCluster(2, 4, 4)}) {
            const DrawnTimeline timeline = drawnTimeline(plan);
            QVERIFY(!timeline.spans.empty());
            double end = 0;
            for (const Span& span : timeline.spans)
                end = std::max(end, span.end);
            QVERIFY(std::abs(end / secondsOf(plan) - 1) < 0.02);
            QVERIFY(timeline.criticalPath > 0 && timeline.criticalPath <= end * 1.0001);
        }
    }

    void nothingThrowsWhateverIsDrawn()
    {
        std::mt19937 random(5);
        int known = 0;
        for (int i = 0; i < 60; ++i) {
            DrawnPlan plan = randomPlan(random);
            if (plan.run.training.schedule == "auto")
                continue;
            known += predictDrawn(plan).known ? 1 : 0;
        }
        QVERIFY(known > 0);
    }
};

QTEST_APPLESS_MAIN(DrawnPredictionTest)
#include "drawn_prediction_test.moc"

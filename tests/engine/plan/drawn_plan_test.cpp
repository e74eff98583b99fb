#include "engine/plan/drawn_plan.h"

#include "engine/formats/hf_config.h"
#include "engine/formats/plan_file.h"
#include "engine/formats/shape_presets.h"
#include "engine/plan/placement_reach.h"
#include "engine/record/demo_plan.h"
#include "tests/engine/plan/random_plans.h"

#include <QTest>

using namespace triaxis;
using namespace triaxis::tests;

class DrawnPlanTest : public QObject
{
    Q_OBJECT

private:
    static DrawnPlan onCluster(int dp, int tp, int pp, int nodes, const char* model = "llama3-8b")
    {
        RunPlan run = demoPlan();
        run.data = {};
        DrawnPlan plan = withModel(drawnPlan(run), modelPreset(model));
        plan = withAxisSizes(withNetwork(plan, clusterPreset("dgx-h100")), dp, tp, pp);
        plan.cluster.nodes = nodes;
        plan.run.training.batch = {dp * 8, 1, 4096};
        return plan;
    }

    static const Diagnostic* findingAt(const std::vector<Diagnostic>& findings, const char* where)
    {
        for (const Diagnostic& finding : findings)
            if (finding.where == where)
                return &finding;
        return nullptr;
    }

private slots:
    void theFloorOfThisMachineFollowsTheRanks()
    {
        DrawnPlan plan = drawnPlan(demoPlan());
        QCOMPARE(plan.cluster.devices(), 8);
        plan.cluster.nodes = 2;
        plan = withAxisSizes(plan, 2, 2, 4);
        QCOMPARE(plan.cluster.nodes, 2);
        QCOMPARE(plan.cluster.nodeSize, 8);
        plan = withAxisSizes(plan, 3, 1, 1);
        QCOMPARE(plan.cluster.nodes, 1);
        QCOMPARE(plan.cluster.nodeSize, 3);
    }

    void aClusterGrowsWithTheLayoutAndNeverShrinks()
    {
        DrawnPlan plan = onCluster(1, 8, 1, 1);
        plan = withAxisSizes(plan, 4, 8, 2);
        QCOMPARE(plan.cluster.nodes, 8);
        plan = withAxisSizes(plan, 1, 8, 1);
        QCOMPARE(plan.cluster.nodes, 8);
        const Diagnostic* idle = findingAt(checkDrawn(plan), "cluster.nodes");
        QVERIFY(idle != nullptr);
    }

    void ranksThatDoNotFitAreTold()
    {
        DrawnPlan plan = onCluster(4, 8, 2, 8);
        QVERIFY(!hasErrors(checkDrawn(plan)));
        plan.cluster.nodes = 7;
        const auto findings = checkDrawn(plan);
        const Diagnostic* finding = findingAt(findings, "cluster.nodes");
        QVERIFY(finding != nullptr && finding->severity == Severity::Error);
        QVERIFY(finding->mend.find("8 nodes") != std::string::npos);
    }

    void aSwapOverNodesTearsTwoTensorGroups()
    {
        DrawnPlan plan = onCluster(2, 8, 1, 2);
        QCOMPARE(reachOf(plan, Axis::Tensor).leaving, 0);
        plan = withRanksSwapped(plan, Rank(1), Rank(9));
        const AxisReach reach = reachOf(plan, Axis::Tensor);
        QCOMPARE(reach.leaving, 2);
        QCOMPARE(reach.groups, 2);
        QCOMPARE(reach.fewestMembers, 1);
        const auto findings = checkDrawn(plan);
        QVERIFY(findingAt(findings, "rank 0") != nullptr);
        plan = withRanksSwapped(plan, Rank(1), Rank(9));
        QVERIFY(plan.deviceOfRank.empty()); // the identity is no placement
    }

    void reachFollowsTheRankOrder()
    {
        DrawnPlan plan = onCluster(8, 2, 1, 2);
        QCOMPARE(reachOf(plan, Axis::Tensor).leaving, 0);
        plan.run.layout.order = parseRankOrder("dp-tp-pp");
        const AxisReach reach = reachOf(plan, Axis::Tensor);
        QCOMPARE(reach.stride, 8);
        QCOMPARE(reach.leaving, reach.groups);
        QCOMPARE(reachOf(plan, Axis::Data).leaving, 0);
    }

    void slowLinksAreNoted()
    {
        const auto findings = checkDrawn(onCluster(2, 8, 1, 2));
        const Diagnostic* note = findingAt(findings, "layout.dp");
        QVERIFY(note != nullptr && note->severity == Severity::Note);
        QVERIFY(note->what.find("InfiniBand") != std::string::npos);
        QVERIFY(findingAt(checkDrawn(onCluster(1, 8, 1, 1)), "layout.dp") == nullptr);
    }

    void pricedModelsDoNotRunHere()
    {
        DrawnPlan plan = withShape(drawnPlan(demoPlan()), shapePresets().front().shape);
        QVERIFY(hasErrors(checkDrawn(plan)));
        plan = withNetwork(plan, clusterPreset("dgx-h100"));
        QVERIFY(!whyNotRunnable(plan).empty());
        plan = withModel(plan, modelPreset("gpt2"));
        plan.cluster.thisMachine = true;
        QVERIFY(whyNotRunnable(plan).empty());
    }

    /// Every field, each with a value of its own.
    void pricedLayoutsGoThereAndBack()
    {
        ParallelPlan parallel;
        parallel.dp = 4;
        parallel.tp = 8;
        parallel.cp = 2;
        parallel.pp = 3;
        parallel.virtualStages = 2;
        parallel.ep = 16;
        parallel.expertTp = 4;
        parallel.microbatch = 5;
        parallel.schedule = "auto";
        parallel.sequenceParallel = true;
        parallel.zero = ZeroStage::Gradients;
        parallel.shardGroup = 7;
        parallel.recompute = Recompute::Full;
        parallel.recomputedLayers = 9;
        parallel.offloadActivations = true;
        parallel.vocabularyBarriers = 2;
        parallel.scheduleMemory = 3.5;
        parallel.layersPerStage = {11, 12, 13, 14, 15, 31};
        const DrawnPlan drawn = withParallelPlan(onCluster(4, 8, 2, 8), parallel);
        QVERIFY(parallelPlan(drawn) == parallel);
        QVERIFY(parallelPlan(withParallelPlan(drawn, ParallelPlan())) == ParallelPlan());
    }

    void drawnLayoutsGoThereAndBack()
    {
        std::mt19937 random(5);
        for (int i = 0; i < 200; ++i) {
            DrawnPlan plan = randomPlan(random);
            plan.cluster.thisMachine = false;
            const ParallelPlan parallel = parallelPlan(plan);
            QVERIFY(parallelPlan(withParallelPlan(plan, parallel)) == parallel);
            QVERIFY(parallelPlan(withParallelPlan(onCluster(4, 8, 2, 8), parallel)) == parallel);
        }
    }

    void nothingThrowsWhateverIsDrawn()
    {
        std::mt19937 random(3);
        for (int i = 0; i < 400; ++i) {
            const DrawnPlan plan = randomPlan(random);
            checkDrawn(plan);
        }
        DrawnPlan absurd = onCluster(4, 8, 2, 8);
        for (const int size : {0, -1, 1 << 30}) {
            absurd.run.layout.dp = size;
            QVERIFY(hasErrors(checkDrawn(absurd)));
        }
    }

    void networksShrinkAndGrow()
    {
        const ClusterSpec network = clusterPreset("dgx-h100");
        QCOMPARE(usualNodeSize(network), 8);
        QCOMPARE(networkWithNodes(network, 4).nodeSize(), 4);
        QCOMPARE(networkWithNodes(network, 1).levels.size(), std::size_t(1));
        QCOMPARE(networkSeenFrom(network, 2).nodeSize(), 4);
        QCOMPARE(networkSeenFrom(network, 8).levels.size(), std::size_t(1));
        QVERIFY(sameNetwork(networkSeenFrom(network, 1), network));
    }
};

QTEST_APPLESS_MAIN(DrawnPlanTest)
#include "drawn_plan_test.moc"

#include <QtTest>

#include "engine/cost/memory.h"
#include "tests/engine/cost/job_fixture.h"

namespace
{

using namespace triaxis;
using namespace triaxis::tests;

constexpr double sbh = 2048.0 * 4 * 6144;
constexpr double scoresOverHidden = 5.0 * 64 * 2048 / 6144; // 5as/h

bool near(double a, double b, double relative)
{
    return std::abs(a - b) <= relative * std::abs(b);
}

} // namespace

class JobMemoryTest : public QObject
{
    Q_OBJECT

private slots:
    /// Equations 1 to 6 of Korthikanti et al. 2022.
    void activationsFollowThePublishedEquations()
    {
        const TrainingJob job = megatron22B();
        ParallelPlan plan = plan22B();
        QVERIFY(near(layerActivationBytes(job, plan), sbh * (10 + 24 / 8.0 + scoresOverHidden / 8),
                     1e-12));
        plan.sequenceParallel = true;
        QVERIFY(near(layerActivationBytes(job, plan), sbh / 8 * (34 + scoresOverHidden), 1e-12));
        plan.recompute = Recompute::Selective;
        QVERIFY(near(layerActivationBytes(job, plan), sbh / 8 * 34, 1e-12));
        plan.sequenceParallel = false;
        QVERIFY(near(layerActivationBytes(job, plan), sbh * (10 + 24 / 8.0), 1e-12));
        plan.recompute = Recompute::Full;
        QVERIFY(near(layerActivationBytes(job, plan), sbh * 2, 1e-12));
    }

    void partsAddUpAndPipelinesHoldWhatTheyHaveInFlight()
    {
        const TrainingJob job = pipelinedJob();
        const ParallelPlan plan = pipelinedPlan();
        const std::vector<MemoryParts> stages = memoryByStage(job, plan);
        QCOMPARE(stages.size(), std::size_t{8});
        const double perShare = 6 * layerActivationBytes(job, plan);
        for (int stage = 0; stage < 8; ++stage) {
            const MemoryParts& parts = stages[stage];
            QVERIFY(near(parts.activations, perShare * (8 - stage), 1e-12));
            const double sum = parts.weights + parts.gradients + parts.optimizer +
                               parts.activations + parts.logits + parts.gathers + parts.workspace +
                               parts.allocator + parts.fixed;
            QVERIFY(near(parts.total(), sum, 1e-12));
            QCOMPARE(parts.logits > 0, stage == 7);
        }
        QVERIFY(peakMemory(job, plan) >= stages[0].total());
    }

    void shardingDividesTheStatesThatItsStageNames()
    {
        const TrainingJob job = pipelinedJob();
        ParallelPlan plan = pipelinedPlan();
        const MemoryParts whole = memoryByStage(job, plan)[3];
        plan.zero = ZeroStage::Optimizer;
        const MemoryParts first = memoryByStage(job, plan)[3];
        plan.zero = ZeroStage::Gradients;
        const MemoryParts second = memoryByStage(job, plan)[3];
        plan.zero = ZeroStage::Parameters;
        const MemoryParts third = memoryByStage(job, plan)[3];
        QVERIFY(near(first.optimizer, whole.optimizer / 2, 1e-12));
        QCOMPARE(first.gradients, whole.gradients);
        QCOMPARE(second.gradients, whole.gradients); // summed whole over the microbatches
        QCOMPARE(second.weights, whole.weights);
        QVERIFY(near(third.weights, whole.weights / 2, 1e-12));
        QVERIFY(near(third.gradients, whole.gradients / 2, 1e-12));
    }

    void withoutAPipelineGradientsAreKeptInShards()
    {
        TrainingJob job = pipelinedJob();
        job.devices = 8;
        ParallelPlan plan = pipelinedPlan();
        plan.pp = 1;
        const MemoryParts whole = memoryByStage(job, plan).front();
        plan.zero = ZeroStage::Gradients;
        const MemoryParts second = memoryByStage(job, plan).front();
        QVERIFY(near(second.gradients, whole.gradients / 2, 1e-12));
        QCOMPARE(second.weights, whole.weights);
        QCOMPARE(whole.gathers, 0.0);
        // Two layers' gradients in full.
        QVERIFY(second.gathers > 0 && second.gathers < whole.gradients / 10);
    }

    void everyRankTogetherHoldsTheModelOnce()
    {
        TrainingJob job = pipelinedJob();
        const ParallelPlan plan = pipelinedPlan();
        double weights = 0;
        for (const MemoryParts& parts : memoryByStage(job, plan)) {
            weights += parts.weights * plan.tp;
        }
        // 16 bits each; the tied head is a second copy on the last stage.
        const double norm = 2.0 * job.model.hidden;
        QVERIFY(near(weights, 2 * (parameterCount(job.model) - norm + headParameters(job.model)),
                     1e-9));
    }

    void moreMicrobatchesOfGPipeAreAllAlive()
    {
        ParallelPlan plan = pipelinedPlan();
        plan.schedule = "gpipe";
        QCOMPARE(liveMicrobatches(plan, 16, 0), 16.0);
        plan.schedule = "1f1b";
        QCOMPARE(liveMicrobatches(plan, 16, 0), 8.0);
        QCOMPARE(liveMicrobatches(plan, 4, 0), 4.0);
        plan.schedule = "interleaved";
        plan.virtualStages = 2;
        QCOMPARE(liveMicrobatches(plan, 16, 0), (2 * 7 + 8 + 1) / 2.0);
    }
};

QTEST_APPLESS_MAIN(JobMemoryTest)
#include "job_memory_test.moc"

#include <QtTest>

#include "engine/core/error.h"
#include "engine/cost/step_estimate.h"
#include "tests/engine/cost/job_fixture.h"

#include <functional>

namespace
{

using namespace triaxis;
using namespace triaxis::tests;

bool near(double a, double b, double relative)
{
    return std::abs(a - b) <= relative * std::abs(b);
}

std::vector<ParallelPlan> variedPlans()
{
    std::vector<ParallelPlan> plans;
    for (const int tp : {1, 2, 8}) {
        for (const int pp : {1, 4}) {
            for (const Recompute recompute :
                 {Recompute::None, Recompute::Selective, Recompute::Full}) {
                ParallelPlan plan;
                plan.tp = tp;
                plan.pp = pp;
                plan.dp = 64 / tp / pp;
                plan.recompute = recompute;
                plan.sequenceParallel = tp == 8;
                plan.zero = tp == 2 ? ZeroStage::Optimizer : ZeroStage::None;
                plans.push_back(plan);
            }
        }
    }
    return plans;
}

/// A mixture of experts over several nodes, whose tokens travel between them.
TrainingJob expertJob()
{
    TrainingJob job = pipelinedJob();
    job.model.expert = {32, 4, 0, 6144, 0, 8, 2};
    job.globalBatch = 256;
    return job;
}

ParallelPlan expertPlan(const std::string& schedule)
{
    ParallelPlan plan;
    plan.dp = 16;
    plan.pp = 4;
    plan.ep = 16;
    plan.schedule = schedule;
    plan.zero = ZeroStage::Optimizer;
    return plan;
}

TrainingJob variedJob()
{
    TrainingJob job = pipelinedJob();
    job.globalBatch = 128;
    return job;
}

} // namespace

class StepEstimateTest : public QObject
{
    Q_OBJECT

private slots:
    void shardedGradientsAreScatteredInEveryMicrobatch()
    {
        TrainingJob job = pipelinedJob();
        job.devices = 8;
        job.software.dataOverlap = 0;
        ParallelPlan plan = pipelinedPlan();
        plan.pp = 1;
        plan.zero = ZeroStage::Optimizer;
        const StepTail first = stepTail(job, plan, unitCosts(job, plan));
        plan.zero = ZeroStage::Gradients;
        const StepTail second = stepTail(job, plan, unitCosts(job, plan));
        job.globalBatch *= 2;
        const StepTail twice = stepTail(job, plan, unitCosts(job, plan));
        QCOMPARE(first.gathers, 0.0);
        QVERIFY(second.gathers > 0);
        QVERIFY(near(twice.gathers, 2 * second.gathers, 1e-12));
        QVERIFY(second.gradients > 0 && second.gradients < first.gradients); // weights only
        QCOMPARE(twice.gradients, second.gradients);
    }

    void inAPipelineGradientsAreScatteredOnce()
    {
        const TrainingJob job = pipelinedJob();
        ParallelPlan plan = pipelinedPlan();
        plan.zero = ZeroStage::Optimizer;
        const double first = estimateStep(job, plan).seconds;
        plan.zero = ZeroStage::Gradients;
        QCOMPARE(estimateStep(job, plan).seconds, first);
    }

    void copiesOfShardedWeightsAddTheirGradients()
    {
        TrainingJob job = pipelinedJob();
        job.software.dataOverlap = 0;
        ParallelPlan plan = pipelinedPlan();
        plan.zero = ZeroStage::Parameters;
        const double one = stepTail(job, plan, unitCosts(job, plan)).gradients;
        plan.schedule = "dualpipe";
        const double both = stepTail(job, plan, unitCosts(job, plan)).gradients;
        QCOMPARE(one, 0.0);
        QVERIFY(both > 0);
        job.cluster.levels.back().bandwidth /= 2;
        QVERIFY(stepTail(job, plan, unitCosts(job, plan)).gradients > both);
    }

    void betterHardwareNeverHurts()
    {
        const std::pair<const char*, std::function<void(TrainingJob&)>> improvements[] = {
            {"memory bandwidth",
             [](TrainingJob& job) { job.cluster.device.memoryBandwidth *= 1.5; }},
            {"peak",
             [](TrainingJob& job) {
                 for (double& peak : job.cluster.device.peak) {
                     peak *= 1.5;
                 }
             }},
            {"link bandwidth",
             [](TrainingJob& job) {
                 for (LinkLevel& level : job.cluster.levels) {
                     level.bandwidth *= 1.5;
                 }
             }},
            {"latency",
             [](TrainingJob& job) {
                 for (LinkLevel& level : job.cluster.levels) {
                     level.latency /= 2;
                     level.startup /= 2;
                 }
             }},
            {"launch floor",
             [](TrainingJob& job) {
                 job.software.layerFloor /= 2;
                 job.software.backwardFloor /= 2;
             }},
        };
        for (const ParallelPlan& plan : variedPlans()) {
            const double before = estimateStep(variedJob(), plan).seconds;
            for (const auto& [name, improve] : improvements) {
                TrainingJob job = variedJob();
                improve(job);
                QVERIFY2(estimateStep(job, plan).seconds <= before * (1 + 1e-12), name);
            }
        }
    }

    void pairsOfPassesHideTheExpertsExchanges()
    {
        TrainingJob job = expertJob();
        const ParallelPlan paired = expertPlan("dualpipe");
        job.software.overlapCost = 1;
        const StepEstimate whole = estimateStep(job, paired);
        job.software.overlapCost = 0.15;
        const StepEstimate hidden = estimateStep(job, paired);
        job.software.overlapCost = 0;
        const StepEstimate free = estimateStep(job, paired);
        QVERIFY(free.seconds < hidden.seconds && hidden.seconds < whole.seconds);
        QVERIFY(hidden.exposed < whole.exposed);
        QVERIFY(near(hidden.compute, whole.compute, 1e-9));
        // No longer than what each takes alone, no shorter than the compute.
        QVERIFY(free.pipeline >= free.compute);
        const StepEstimate plain = estimateStep(job, expertPlan("1f1b"));
        job.software.overlapCost = 1;
        QVERIFY(near(estimateStep(job, expertPlan("1f1b")).seconds, plain.seconds, 1e-12));
        job.software.overlapCost = 0.15;
        for (LinkLevel& level : job.cluster.levels)
            level.bandwidth *= 1.5;
        QVERIFY(estimateStep(job, paired).seconds <= hidden.seconds);
    }

    void tokensThatTravelOnceToANodeTakeLess()
    {
        TrainingJob job = expertJob();
        const ParallelPlan plan = expertPlan("1f1b");
        const double each = unitCosts(job, plan).expertLayer.dispatch;
        job.software.dispatchesOnce = true;
        const double limited = unitCosts(job, plan).expertLayer.dispatch;
        job.model.expert.groups = job.model.expert.activeGroups = 0;
        const double once = unitCosts(job, plan).expertLayer.dispatch;
        QVERIFY(limited < once && once < each);
        QCOMPARE(unitCosts(job, plan).denseLayer.dispatch, 0.0);
    }

    void ownersOfStateShareWithinTheirGroupOnly()
    {
        TrainingJob job = pipelinedJob();
        job.software.dataOverlap = 0;
        ParallelPlan plan;
        plan.tp = 1;
        plan.dp = 64;
        plan.zero = ZeroStage::Optimizer;
        job.globalBatch = 64;
        const auto seconds = [&] { return stepTail(job, plan, unitCosts(job, plan)).gradients; };
        const double all = seconds();
        job.software.ownerSeconds = 0.01;
        QVERIFY(near(seconds() - all, 0.64, 1e-9));
        plan.shardGroup = 8;
        const double grouped = seconds();
        job.software.ownerSeconds = 0;
        QVERIFY(near(grouped - seconds(), 0.08, 1e-9));
        QVERIFY(seconds() > 0 && seconds() != all);
    }

    void reductionsOverDividedNodesAreSlower()
    {
        TrainingJob job = pipelinedJob();
        job.software.dataOverlap = 0;
        ParallelPlan plan = pipelinedPlan();
        const auto seconds = [&] { return stepTail(job, plan, unitCosts(job, plan)).gradients; };
        const double within = seconds(); // two replicas of tensor size 4: in one node
        job.software.dividedNodeRate = 0.5;
        QVERIFY(near(seconds(), within, 1e-12));
        plan.dp = 4;
        plan.pp = 4;
        const double divided = seconds();
        job.software.dividedNodeRate = 1;
        QVERIFY(near(divided, 2 * seconds(), 1e-9));
    }

    void expectedErrorGrowsOutsideOfTheProfile()
    {
        TrainingJob job = megatron22B();
        QVERIFY(outsideOfProfile(job, plan22B()).empty());
        QCOMPARE(estimateStep(job, plan22B()).expectedError, job.software.expectedError);
        const double within = job.software.expectedError;
        job.devices = 4 * job.software.domain.mostDevices;
        QCOMPARE(doublingsBeyondProfile(job), 2.0);
        QCOMPARE(expectedErrorOf(job, plan22B()), 3 * within);
        job.devices = 1 << 24;
        QCOMPARE(expectedErrorOf(job, plan22B()), errorOutsideDomain);
        job = megatron22B();
        job.cluster = clusterPreset("dgx-h100");
        job.precision = NumberFormat::Bf16;
        QCOMPARE(int(outsideOfProfile(job, plan22B()).size()), 1);
        QVERIFY(estimateStep(job, plan22B()).expectedError >= errorOutsideDomain);
        job.model.expert = {8, 2, 0, 6144, 0};
        QCOMPARE(int(outsideOfProfile(job, plan22B()).size()), 2);
        for (const SoftwareProfile& profile : softwareProfiles()) {
            QVERIFY(!profile.source.empty());
            QVERIFY2(profile.domain.none() || !profile.fit.empty(), profile.name.c_str());
            QVERIFY(!domainText(profile).empty());
        }
    }

    void partsMakeTheWholeAndFollowTheClosedForm()
    {
        for (const ParallelPlan& plan : variedPlans()) {
            const TrainingJob job = variedJob();
            const StepEstimate step = estimateStep(job, plan);
            QVERIFY(near(step.seconds, step.pipeline + step.tail.total(), 1e-12));
            QVERIFY(step.compute > 0 && step.exposed >= 0 && step.bubble >= 0);
            if (plan.pp == 1) {
                QVERIFY(near(step.pipeline, step.compute + step.exposed, 1e-9));
            }
            // A rank's work lies between nothing and all of its time.
            QVERIFY(step.hardwareFlopsPerDevice >= step.modelFlopsPerDevice);
            QVERIFY(step.hardwareFlopsPerDevice < job.cluster.device.peakOf(job.precision));
        }
    }

    /// Equal stages, free transfers: the bubble of 1F1B is (P − 1)(F + B), of interleaved that over
    /// V.
    void closedFormBubblesAreMet()
    {
        TrainingJob job = pipelinedJob();
        job.model.vocabulary = 1;
        job.model.positions = 0;
        job.software.pipelineOverlap = 1;
        job.software.elementwiseFactor = 0;
        for (LinkLevel& level : job.cluster.levels) {
            level.bandwidth = 1e30;
            level.latency = level.startup = 0;
        }
        ParallelPlan plan = pipelinedPlan();
        const auto idleOverWork = [&](const char* schedule, int chunks) {
            plan.schedule = schedule;
            plan.virtualStages = chunks;
            const StepEstimate step = estimateStep(job, plan);
            return step.bubble / (step.compute + step.exposed);
        };
        QVERIFY(near(idleOverWork("1f1b", 1), 7.0 / 16, 1e-2));
        QVERIFY(near(idleOverWork("gpipe", 1), 7.0 / 16, 1e-2));
        QVERIFY(near(idleOverWork("interleaved", 2), 7.0 / 32, 2e-2));
        QVERIFY(near(idleOverWork("interleaved", 3), 7.0 / 48, 2e-2));
    }

    void fullRecomputeRunsTheForwardAgain()
    {
        const TrainingJob job = megatron22B();
        ParallelPlan plan = plan22B();
        const PassSeconds none = unitCosts(job, plan).denseLayer;
        plan.recompute = Recompute::Full;
        const PassSeconds full = unitCosts(job, plan).denseLayer;
        QCOMPARE(none.recompute, 0.0);
        QCOMPARE(full.recompute, full.forward);
        QCOMPARE(full.forward, none.forward);
        plan.recompute = Recompute::Selective;
        const PassSeconds selective = unitCosts(job, plan).denseLayer;
        QVERIFY(selective.recompute > 0 && selective.recompute < full.recompute);
    }

    void launchFloorBoundsSmallLayersOnly()
    {
        TrainingJob job = megatron22B();
        job.software.layerFloor = 1;
        job.software.backwardFloor = 2;
        job.software.floorJitter = 0;
        job.software.unfusedFloor = 1;
        const PassSeconds bound = unitCosts(job, plan22B()).denseLayer;
        QVERIFY(near(bound.forward, 1, 1e-3));
        QVERIFY(near(bound.input + bound.weight, 2, 1e-3));
        job.software.layerFloor = job.software.backwardFloor = 1e-9;
        const PassSeconds free = unitCosts(job, plan22B()).denseLayer;
        QVERIFY(free.floor < 1e-12);
    }

    void countsFlopsByTheNamedConvention()
    {
        const TrainingJob job = megatron22B();
        ParallelPlan plan = plan22B();
        plan.recompute = Recompute::Full;
        // Narayanan et al. 2021, equation 3: 96 B s l h² (1 + s/6h + V/16lh).
        const double h = 6144, s = 2048, l = 48, v = 51200, batch = 4;
        const double published = 96 * batch * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h));
        QVERIFY(near(stepFlops(job, plan, FlopConvention::MegatronSc21), published, 1e-12));
        const double full = 72 * batch * s * l * h * h * (1 + s / (6 * h) + v / (12 * l * h));
        QVERIFY(near(stepFlops(job, plan, FlopConvention::ModelFullAttention), full, 1e-12));
        QVERIFY(stepFlops(job, plan, FlopConvention::Model) < full);
        QVERIFY(stepFlops(job, plan, FlopConvention::Hardware) >
                stepFlops(job, plan, FlopConvention::Model));
    }

    void refusesBrokenPlansWithWhatToDo()
    {
        const TrainingJob job = megatron22B();
        ParallelPlan plan = plan22B();
        plan.tp = 7;
        const std::vector<Diagnostic> findings = checkPlan(job, plan);
        QVERIFY(hasErrors(findings));
        for (const Diagnostic& finding : findings) {
            QVERIFY(!finding.what.empty() && !finding.mend.empty() && !finding.where.empty());
        }
        QVERIFY_THROWS_EXCEPTION(Error, estimateStep(job, plan));
        plan = plan22B();
        plan.microbatch = 3;
        QVERIFY_THROWS_EXCEPTION(Error, estimateStep(job, plan));
        plan = plan22B();
        plan.dp = 0;
        QVERIFY(hasErrors(checkPlan(job, plan)));
        plan = plan22B();
        plan.schedule = "waltz";
        QVERIFY(hasErrors(checkPlan(job, plan)));
    }

    void profilesAreReadWithTheirFieldsChecked()
    {
        const auto profiles = parseProfiles(
            R"({"profiles": [{"name": "megatron-2022", "lossBytes": 5}]})", softwareProfiles());
        QCOMPARE(profiles.front().lossBytes, 5.0);
        QCOMPARE(profiles.front().layerFloor, softwareProfile("megatron-2022").layerFloor);
        QVERIFY_THROWS_EXCEPTION(Error,
                                 parseProfiles(R"({"profiles": [{"name": "a", "lossBites": 5}]})"));
        QVERIFY_THROWS_EXCEPTION(
            Error, parseProfiles(R"({"profiles": [{"name": "a", "tensorOverlap": 2}]})"));
        QVERIFY_THROWS_EXCEPTION(Error, parseProfiles("{"));
        QVERIFY_THROWS_EXCEPTION(
            Error, parseProfiles(R"({"profiles": [{"name": "a", "domain": {"years": "2024",
                "tables": ["t"], "devices": ["abacus"], "formats": ["bf16"]}}]})"));
        QVERIFY_THROWS_EXCEPTION(Error, softwareProfile("none such"));
    }
};

QTEST_APPLESS_MAIN(StepEstimateTest)
#include "step_estimate_test.moc"

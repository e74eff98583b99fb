#include <QtTest>

#include "engine/core/error.h"
#include "engine/formats/model_shape.h"
#include "engine/simulate/prediction.h"

#include <algorithm>

using namespace triaxis;

namespace
{

bool near(double a, double b, double tolerance = 1e-9)
{
    return std::abs(a - b) <= tolerance * std::abs(b);
}

/// Two devices share each of the network's links; a stage fills a node.
struct Case
{
    TrainingJob job;
    ParallelPlan plan;
};

Case networked(const std::string& schedule, int virtualStages = 1)
{
    Case made;
    TrainingJob& job = made.job;
    job.model = findModelShape("gpt2-xl");
    job.cluster = clusterPreset("dgx-a100");
    job.cluster.levels.back().sharing = 2;
    job.cluster.levels.back().bandwidth = 1e9;
    job.software = softwareProfile("megatron-core-2024");
    job.software.pipelineOverlap = 1;
    job.devices = 32;
    job.globalBatch = 64;
    job.sequence = 1024;
    ParallelPlan& plan = made.plan;
    plan.dp = 8;
    plan.pp = 4;
    plan.schedule = schedule;
    plan.virtualStages = virtualStages;
    return made;
}

Prediction predicted(const Case& made, bool shared, const Perturbations& perturbations = {})
{
    PredictionOptions options;
    options.sharedLinks = shared;
    options.everyPipeline = true;
    options.perturbations = perturbations;
    return predict(simulatedPlan(made.job, made.plan), options);
}

} // namespace

class SharedLinksTest : public QObject
{
    Q_OBJECT

private slots:
    void alikePipelinesKeepToTheCostRule_data()
    {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("virtualStages");
        QTest::newRow("1f1b") << "1f1b" << 1;
        QTest::newRow("gpipe") << "gpipe" << 1;
        QTest::newRow("interleaved") << "interleaved" << 3;
        QTest::newRow("zb-h1") << "zb-h1" << 1;
        QTest::newRow("zb-v") << "zb-v" << 2;
        QTest::newRow("dualpipe") << "dualpipe" << 1;
    }

    void alikePipelinesKeepToTheCostRule()
    {
        QFETCH(QString, schedule);
        QFETCH(int, virtualStages);
        const Case made = networked(schedule.toStdString(), virtualStages);
        const Prediction alone = predicted(made, false);
        const Prediction shared = predicted(made, true);
        QVERIFY(near(shared.seconds, alone.seconds));
        QVERIFY(near(shared.pipeline, alone.pipeline));
        QCOMPARE(shared.spans.size(), alone.spans.size());
        for (std::size_t index = 0; index < alone.spans.size(); ++index) {
            QVERIFY(std::abs(shared.spans[index].begin - alone.spans[index].begin) <
                    1e-9 * alone.seconds);
            QVERIFY(std::abs(shared.spans[index].end - alone.spans[index].end) <
                    1e-9 * alone.seconds);
        }
    }

    void linksThatNobodySharesChangeNothing()
    {
        Case made = networked("1f1b");
        made.job.cluster.levels.back().sharing = 1;
        Perturbations perturbations;
        perturbations.jitter = 0.1;
        QVERIFY(near(predicted(made, true, perturbations).seconds,
                     predicted(made, false, perturbations).seconds));
    }

    /// Of two pipelines on one link the second is late: each has the link to itself for a while, so
    /// that no transfer takes longer than with the equal part, and none less than half of that.
    void whoComesAtAnotherTimeHasTheLinkAlone()
    {
        const Case made = networked("1f1b");
        Perturbations perturbations;
        for (int rank = 0; rank < 32; rank += 2)
            perturbations.slowRanks.push_back({Rank(rank), 1.5});
        const Prediction alone = predicted(made, false, perturbations);
        const Prediction shared = predicted(made, true, perturbations);
        QVERIFY(shared.pipeline <= alone.pipeline * (1 + 1e-9));
        QVERIFY(shared.pipeline < alone.pipeline * (1 - 1e-6));
        QVERIFY(shared.seconds > 0.5 * alone.seconds);
    }

    void jitterIsPlayedToTheEnd()
    {
        const Case made = networked("interleaved", 3);
        Perturbations perturbations;
        perturbations.jitter = 0.2;
        const Prediction first = predicted(made, true, perturbations);
        const Prediction second = predicted(made, true, perturbations);
        QCOMPARE(first.seconds, second.seconds);
        QVERIFY(first.seconds > predicted(made, true).seconds * 0.9);
        QVERIFY(std::isfinite(first.seconds));
    }

    void onlyFreeTransfersShare()
    {
        const Case made = networked("1f1b");
        PredictionOptions options;
        options.sharedLinks = true;
        options.transfers = TransferRule::Rendezvous;
        QVERIFY_THROWS_EXCEPTION(Error, predict(simulatedPlan(made.job, made.plan), options));
    }
};

QTEST_APPLESS_MAIN(SharedLinksTest)
#include "shared_links_test.moc"

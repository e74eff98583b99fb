#include <QtTest>

#include "engine/core/error.h"
#include "engine/cost/step_estimate.h"
#include "engine/formats/model_shape.h"
#include "engine/schedule/generators.h"
#include "engine/simulate/prediction.h"

using namespace triaxis;

namespace
{

TrainingJob smallJob(int layers)
{
    TrainingJob job;
    job.model = findModelShape("gpt2");
    job.model.layers = layers;
    job.cluster = clusterPreset("dgx-a100");
    job.software = softwareProfile("megatron-core-2024");
    job.sequence = 256;
    return job;
}

/// Empty: prices and plays; else why not.
std::string refusal(const TrainingJob& job, const ParallelPlan& plan)
{
    try {
        estimateStep(job, plan);
        predict(simulatedPlan(job, plan));
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

QString textOf(const TrainingJob& job, const ParallelPlan& plan)
{
    return QString("%1, %2 layers, P %3, V %4, batch %5, microbatch %6, dp %7, tp %8")
        .arg(plan.schedule.c_str())
        .arg(job.model.layers)
        .arg(plan.pp)
        .arg(plan.virtualStages)
        .arg(job.globalBatch)
        .arg(plan.microbatch)
        .arg(plan.dp)
        .arg(plan.tp);
}

} // namespace

/// What checkPlan says is what pricing and playing a plan do.
class PlanRulesTest : public QObject
{
    Q_OBJECT

private slots:
    void plansWithoutErrorsPlay_data()
    {
        QTest::addColumn<QString>("schedule");
        for (const ScheduleInfo& info : schedules())
            QTest::addRow("%s", info.name.c_str()) << QString::fromStdString(info.name);
    }

    void plansWithoutErrorsPlay()
    {
        QFETCH(QString, schedule);
        int played = 0;
        int refused = 0;
        const bool searched = schedule == "auto";
        for (const int layers : {1, 2, 3, 8})
            for (int stages = 1; stages <= (searched ? 4 : 6); ++stages)
                for (int virtualStages = 1; virtualStages <= 3; ++virtualStages)
                    for (const int batch : {1, 2, 3, 8}) {
                        TrainingJob job = smallJob(layers);
                        job.devices = stages;
                        job.globalBatch = batch;
                        ParallelPlan plan;
                        plan.pp = stages;
                        plan.virtualStages = virtualStages;
                        plan.schedule = schedule.toStdString();
                        const bool sound = !hasErrors(checkPlan(job, plan));
                        const std::string why = refusal(job, plan);
                        QVERIFY2(sound == why.empty(),
                                 qPrintable(textOf(job, plan) + ": " + why.c_str()));
                        ++(sound ? played : refused);
                    }
        QVERIFY(refused > 0);
        QVERIFY(schedule == "custom" || played > 0);
    }

    void sizesThatDoNotDivideAreFound()
    {
        for (int dp = 1; dp <= 3; ++dp)
            for (int tp = 1; tp <= 5; ++tp)
                for (int microbatch = 1; microbatch <= 4; ++microbatch)
                    for (const bool split : {false, true}) {
                        TrainingJob job = smallJob(4);
                        job.devices = dp * tp;
                        job.globalBatch = 12;
                        ParallelPlan plan;
                        plan.dp = dp;
                        plan.tp = tp;
                        plan.microbatch = microbatch;
                        plan.sequenceParallel = split;
                        const bool sound = !hasErrors(checkPlan(job, plan));
                        const std::string why = refusal(job, plan);
                        QVERIFY2(sound == why.empty(),
                                 qPrintable(textOf(job, plan) + ": " + why.c_str()));
                    }
    }

    void absurdSizesAreRefusedAtOnce()
    {
        TrainingJob job = smallJob(8);
        job.devices = 4;
        job.globalBatch = std::int64_t(1) << 40;
        ParallelPlan plan;
        plan.pp = 4;
        QVERIFY(hasErrors(checkPlan(job, plan)));
        QVERIFY(!refusal(job, plan).empty());
        plan.microbatch = 1 << 19; // 2 M microbatches on 4 stages
        QVERIFY(hasErrors(checkPlan(job, plan)));
        plan.pp = 1'000'000;
        QVERIFY(hasErrors(checkPlan(job, plan)));
        plan.pp = -1;
        QVERIFY(hasErrors(checkPlan(job, plan)));
    }
};

QTEST_APPLESS_MAIN(PlanRulesTest)
#include "plan_rules_test.moc"

#include <QtTest>

#include "../cost/machine_fixture.h"

#include "engine/core/cores.h"
#include "engine/cost/ideal_machine.h"
#include "engine/formats/hf_config.h"
#include "engine/record/run_plan.h"
#include "engine/simulate/run_prediction.h"
#include "engine/timeline/metrics.h"

#include <QTemporaryDir>
#include <set>
#include <unistd.h>

using namespace triaxis;

namespace
{

RunPlan planOf(int dp, int tp, int pp)
{
    RunPlan plan;
    plan.model = modelPreset("gpt2-1m");
    plan.training.batch = {8, 1, 64};
    plan.layout.dp = dp;
    plan.layout.tp = tp;
    plan.layout.pp = pp;
    plan.execution.threadsPerRank = 1;
    return plan;
}

RunPlan pacedPlan(int dp, int tp, int pp)
{
    RunPlan plan = planOf(dp, tp, pp);
    plan.execution.pace.forward = {0.010};
    plan.execution.pace.input = {0.010};
    plan.execution.pace.weight = {0.010};
    plan.execution.pace.pipeline = {0.001, 0};
    plan.execution.pace.data = {0.0005, 0};
    plan.execution.pace.tensor = {0.00001, 0};
    return plan;
}

std::string thisHost()
{
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    return host;
}

} // namespace

class RunPredictionTest : public QObject
{
    Q_OBJECT

private slots:
    void spansHaveTheIdsOfTheProgramOnEveryRank()
    {
        for (const auto& [dp, tp, pp] :
             {std::tuple(1, 1, 2), std::tuple(2, 2, 2), std::tuple(2, 1, 1), std::tuple(1, 1, 4)}) {
            const RunPlan plan = planOf(dp, tp, pp);
            const MachinePrediction predicted = predictOnMachine(plan, madeUpMachine());
            const Program program = programOf(plan);
            std::set<std::pair<int, std::uint64_t>> ids;
            for (const Span& span : predicted.spans) {
                QVERIFY(ids.insert({span.rank.value, span.id.packed}).second);
                QVERIFY(span.ready <= span.begin && span.begin <= span.end);
                QVERIFY(span.begin >= 0);
            }
            for (int rank = 0; rank < plan.layout.ranks(); ++rank) {
                const auto stage = std::size_t(coordinatesOf(plan.layout, Rank(rank)).pipeline);
                for (const Instruction& instruction : program.perStage[stage].instructions)
                    QCOMPARE(ids.count({rank, instruction.id.packed}) == 1,
                             instruction.id.kind() != Kind::Wait);
            }
        }
    }

    void computationsOfARankDoNotOverlapAndFillTheStep()
    {
        const RunPlan plan = planOf(2, 2, 2);
        const MachinePrediction predicted = predictOnMachine(plan, madeUpMachine());
        std::vector<double> last(std::size_t(plan.layout.ranks()), 0);
        for (const Span& span : predicted.spans) {
            if (span.lane != Lane::Compute)
                continue;
            double& end = last[std::size_t(span.rank.value)];
            QVERIFY(span.begin >= end - 1e-12);
            end = span.end;
            QVERIFY(span.tensorWait + span.tensorTransfer <= span.end - span.begin + 1e-12);
        }
        const StepShares shares = stepShares(predicted.spans, plan.layout);
        QVERIFY(qAbs((shares.end - shares.begin) / predicted.stepSeconds - 1) < 0.05);
        QVERIFY(shares.perRank[0].tensorTransfer > 0);
    }

    void aPacedRunIsPredictedFromItsSlots()
    {
        QTemporaryDir home;
        const RunPlan plan = pacedPlan(1, 1, 2);
        const RunPrediction result = predictRun(plan, thisHost(), home.path().toStdString());
        QVERIFY2(result.prediction.has_value(), result.problem.c_str());
        QVERIFY(result.wantsCalibration);
        QVERIFY(result.basis.find("slots") != std::string::npos);
        // 1F1B with M = 8, P = 2: M + P − 1 slots of 30 ms, and what the transfers add.
        const StepShares shares = stepShares(result.prediction->spans, plan.layout);
        const double step = shares.end - shares.begin;
        QVERIFY2(step > 0.27 && step < 0.31, qPrintable(QString::number(step)));
        for (const Span& span : result.prediction->spans)
            if (span.id.kind() == Kind::Forward)
                QVERIFY(qAbs(span.end - span.begin - 0.010) < 1e-6);
        const double idle = bubble(shares, plan.layout);
        QVERIFY2(idle > 0.09 && idle < 0.16, qPrintable(QString::number(idle)));
        QCOMPARE(int(result.prediction->memory.size()), 2);
        QVERIFY(result.prediction->memory[0].peakTotal > 0);
    }

    void tensorCollectivesOfAPacedRunAreInsideItsSlots()
    {
        QTemporaryDir home;
        const RunPrediction result =
            predictRun(pacedPlan(1, 2, 2), thisHost(), home.path().toStdString());
        QVERIFY(result.prediction.has_value());
        for (const Span& span : result.prediction->spans)
            if (span.id.kind() == Kind::Forward)
                QVERIFY(span.tensorTransfer > 0 && span.end - span.begin > 0.010);
    }

    void withoutCalibrationOrSlotsItSaysWhatToDo()
    {
        QTemporaryDir home;
        const RunPrediction result =
            predictRun(planOf(1, 1, 2), thisHost(), home.path().toStdString());
        QVERIFY(!result.prediction);
        QVERIFY(result.wantsCalibration);
        QVERIFY(result.remedy.find("triaxis calibrate") != std::string::npos);
    }

    void theCalibrationOfThisMachineIsUsed()
    {
        QTemporaryDir home;
        MachineCalibration calibration = idealMachine(usableCores());
        for (ProductSample& sample : calibration.products)
            sample.seconds = 1e-9;
        for (OperationSample& sample : calibration.operations)
            sample.seconds = 1e-9;
        for (AttentionSample& sample : calibration.attention)
            sample.seconds = 1e-9;
        for (MessageSample& sample : calibration.messages)
            sample.seconds = 1e-9;
        for (WakeSample& sample : calibration.wakes)
            sample.seconds = 1e-9;
        calibration.host = thisHost();
        calibration.cpu = processorName();
        calibration.date = "2026-01-02T03:04:05Z";
        calibration.version = "0.1.0";
        storeCalibration(home.path().toStdString(), calibration);
        const RunPlan plan = planOf(2, 1, 1);
        const RunPrediction result = predictRun(plan, thisHost(), home.path().toStdString());
        QVERIFY2(result.prediction.has_value(), result.problem.c_str());
        QVERIFY(!result.wantsCalibration);
        QCOMPARE(result.prediction->stepSeconds, predictOnMachine(plan, calibration).stepSeconds);
        const RunPrediction elsewhere =
            predictRun(plan, "another-machine", home.path().toStdString());
        QVERIFY(!elsewhere.prediction);
        QVERIFY(!elsewhere.wantsCalibration);
        QVERIFY(elsewhere.problem.find("another-machine") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(RunPredictionTest)
#include "run_prediction_test.moc"

// Every schedule trains the same model as one rank does, holds as many activations as its program
// says, and, paced, passes its slots as the player has them.

#include "train_support.h"

#include "engine/record/parity.h"
#include "engine/schedule/verifier.h"
#include "engine/simulate/play.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace triaxis;
using namespace triaxis::test;

namespace
{

constexpr int steps = 3;

RunPlan planFor(bool llama, const std::string& schedule, const QString& layout)
{
    ModelSpec model = llama ? smallLlama() : smallGpt2();
    model.layers = 8;
    RunPlan plan = smallPlan(model);
    plan.training.steps = steps;
    plan.training.batch = {16, 1, 12};
    plan.layout = layoutOf(layout);
    plan.training.schedule = schedule;
    if (plan.layout.pp > 1)
        plan.layout.virtualStages = std::min(2, scheduleInfo(schedule).maximumVirtual);
    return plan;
}

/// Those that need nothing but a name.
std::vector<std::string> schedulesByName()
{
    std::vector<std::string> names;
    for (const std::string& name : scheduleNames())
        if (name != "custom" && name != "auto")
            names.push_back(name);
    return names;
}

RecordBatch recordOf(const RunBatch& batch, int run, int rank)
{
    return RecordReader(batch.directory(run).recordFile(Rank(rank))).poll(true);
}

void checkParity(const RunBatch& batch, int run, int reference, const std::string& name)
{
    const ParityReport report = compareRuns(batch.directory(run), batch.directory(reference));
    QCOMPARE(report.losses.size(), std::size_t(steps));
    QVERIFY(!report.tensors.empty());
    for (const LossParity& step : report.losses)
        QVERIFY2(step.within(), qPrintable(QString("%1, step %2: loss off by %3, norm by %4")
                                               .arg(QString::fromStdString(name))
                                               .arg(step.step)
                                               .arg(step.lossError)
                                               .arg(step.normError)));
    for (const TensorParity& tensor : report.tensors)
        QVERIFY2(tensor.within(), qPrintable(QString("%1: gradient of %2 off by %3, bound %4")
                                                 .arg(QString::fromStdString(name))
                                                 .arg(QString::fromStdString(tensor.name))
                                                 .arg(tensor.error)
                                                 .arg(tensor.bound)));
}

void checkPeaks(const RunBatch& batch, int run, const std::string& name)
{
    const RunPlan plan = batch.directory(run).plan();
    const Verdict verdict = verify(programOf(plan));
    for (int rank = 0; rank < plan.layout.ranks(); ++rank) {
        const int stage = coordinatesOf(plan.layout, Rank(rank)).pipeline;
        const std::vector<LiveSample> live = recordOf(batch, run, rank).live;
        QCOMPARE(live.size(), std::size_t(steps));
        for (const LiveSample& sample : live)
            QVERIFY2(int(sample.peak) == verdict.peakLive[std::size_t(stage)],
                     qPrintable(QString("%1, rank %2: %3 activations at once, the program says %4")
                                    .arg(QString::fromStdString(name))
                                    .arg(rank)
                                    .arg(int(sample.peak))
                                    .arg(verdict.peakLive[std::size_t(stage)])));
    }
}

} // namespace

class TrainSchedulesTest : public QObject
{
    Q_OBJECT

private slots:
    void everyScheduleTrainsTheSameModel_data();
    void everyScheduleTrainsTheSameModel();
    void pacedSlotsAreThoseOfThePlayer();
};

void TrainSchedulesTest::everyScheduleTrainsTheSameModel_data()
{
    QTest::addColumn<bool>("llama");
    QTest::addColumn<QStringList>("layouts");
    QTest::newRow("gpt2, pipelines of 2") << false << QStringList{"222"};
    QTest::newRow("gpt2, pipelines of 4") << false << QStringList{"214"};
    QTest::newRow("llama, pipelines of 4") << true << QStringList{"124"};
}

void TrainSchedulesTest::everyScheduleTrainsTheSameModel()
{
    QFETCH(bool, llama);
    QFETCH(QStringList, layouts);
    RunBatch batch;
    const int reference = batch.add(planFor(llama, "1f1b", "111"));
    std::vector<std::pair<int, std::string>> runs;
    for (const std::string& schedule : schedulesByName())
        for (const QString& layout : layouts)
            runs.emplace_back(batch.add(planFor(llama, schedule, layout)),
                              schedule + " " + layout.toStdString());
    const QString error = batch.run();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (const auto& [run, name] : runs) {
        checkParity(batch, run, reference, name);
        checkPeaks(batch, run, name);
        if (QTest::currentTestFailed())
            return;
    }
}

void TrainSchedulesTest::pacedSlotsAreThoseOfThePlayer()
{
    RunBatch batch;
    std::vector<int> runs;
    constexpr double forward = 2e-3, input = 2.4e-3, weight = 1.6e-3;
    for (const std::string& schedule : schedulesByName()) {
        RunPlan plan = planFor(false, schedule, "114");
        plan.execution.saveGradients = plan.execution.saveWeights = false;
        plan.execution.pace.forward = {forward};
        plan.execution.pace.input = {input};
        plan.execution.pace.weight = {weight};
        runs.push_back(batch.add(plan));
    }
    const QString error = batch.run();
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (const int run : runs) {
        const RunPlan plan = batch.directory(run).plan();
        const StageCosts costs =
            evenCosts(plan.layout.pp, plan.layout.virtualStages, forward, input, weight);
        const Played played = play(generate(scheduleRequest(plan)), costs);
        double begin = std::numeric_limits<double>::max(), end = 0;
        std::vector<double> busy;
        for (int rank = 0; rank < plan.layout.ranks(); ++rank) {
            busy.push_back(0);
            for (const SlotSample& slot : recordOf(batch, run, rank).paced) {
                // The last step begins with all stages at the same moment: no loss, no norm and no update takes time here.
                if (slot.step != steps || slot.id.kind() == Kind::OptimizerStep)
                    continue;
                begin = std::min(begin, slot.begin);
                end = std::max(end, slot.end);
                busy.back() += slot.end - slot.begin;
            }
        }
        QVERIFY2(std::abs(end - begin - played.makespan) < 1e-6,
                 qPrintable(QString("%1: slots take %2 s, the player %3 s")
                                .arg(QString::fromStdString(plan.training.schedule))
                                .arg(end - begin, 0, 'g', 12)
                                .arg(played.makespan, 0, 'g', 12)));
        for (int rank = 0; rank < plan.layout.ranks(); ++rank)
            QVERIFY(std::abs(played.makespan - busy[std::size_t(rank)] -
                             played.idle[std::size_t(rank)]) < 1e-6);
    }
}

QTEST_APPLESS_MAIN(TrainSchedulesTest)
#include "train_schedules_test.moc"

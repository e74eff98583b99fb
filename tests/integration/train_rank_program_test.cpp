// The rank program itself: its exit codes, what it leaves in the run directory, and how it ends.

#include "train_support.h"

#include "engine/formats/safetensors.h"
#include "engine/model/parameters.h"
#include "engine/record/process_info.h"
#include "engine/record/rank_status.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <limits>

using namespace triaxis;
using namespace triaxis::test;

namespace
{

QString rankProgram()
{
    return qEnvironmentVariable("TRIAXIS_BIN") + "/triaxis-rank";
}

QString pathOf(const RunDirectory& run)
{
    return QString::fromStdString(run.path().string());
}

/// A run that would go on for hours.
RunPlan endlessPlan()
{
    RunPlan plan = smallPlan(smallGpt2());
    plan.layout = layoutOf("112");
    plan.training.steps = 100'000'000;
    plan.execution.saveGradients = false;
    return plan;
}

/// Zero weights but for one infinite element of the given tensor.
void writeSpoiledWeights(const std::filesystem::path& file, const ModelSpec& model,
                         const std::string& spoiled)
{
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> tensors;
    for (const ParameterSpec& parameter : parametersOf(model))
        tensors.emplace_back(parameter.name, parameter.shape);
    SafetensorsWriter writer(file, tensors);
    for (const auto& [name, shape] : tensors) {
        std::int64_t count = 1;
        for (std::int64_t extent : shape)
            count *= extent;
        std::vector<float> values(std::size_t(count), 0.01F);
        if (name == spoiled)
            values[0] = std::numeric_limits<float>::infinity();
        writer.write(name, 0, count, values.data());
    }
    writer.finish();
}

} // namespace

class TrainRankProgramTest : public QObject
{
    Q_OBJECT

private slots:
    void runsAPlanAndKeepsStandardOutputClean();
    void tellsWhatTheHostHas();
    void refusesWrongArguments();
    void reportsRankStepAndLayerOfANonFiniteLoss();
    void endsWhenTheLauncherVanishes();
    void endsOnTerminate();

private:
    QTemporaryDir m_home;

    RunDirectory create(const RunPlan& plan)
    {
        return RunDirectory::create(std::filesystem::path(m_home.path().toStdString()), plan, {});
    }
    /// Waits until the run has made some steps; the pids of its ranks.
    std::vector<int> pidsOnceRunning(const RunDirectory& run, int ranks);
    bool allGone(const std::vector<int>& pids, int seconds);
};

std::vector<int> TrainRankProgramTest::pidsOnceRunning(const RunDirectory& run, int ranks)
{
    std::vector<int> pids;
    QElapsedTimer timer;
    timer.start();
    while (int(pids.size()) < ranks && timer.elapsed() < 60000) {
        QTest::qSleep(50);
        pids.clear();
        for (int rank = 0; rank < ranks; ++rank) {
            const auto status = readRankStatus(run.statusFile(Rank(rank)));
            if (status && status->step > 3)
                pids.push_back(status->pid);
        }
    }
    return pids;
}

bool TrainRankProgramTest::allGone(const std::vector<int>& pids, int seconds)
{
    QElapsedTimer timer;
    timer.start();
    const auto gone = [](int pid) { return !isAlive(pid, 0); };
    while (!std::all_of(pids.begin(), pids.end(), gone)) {
        if (timer.elapsed() > seconds * 1000)
            return false;
        QTest::qSleep(50);
    }
    return true;
}

void TrainRankProgramTest::runsAPlanAndKeepsStandardOutputClean()
{
    RunPlan plan = smallPlan(smallLlama());
    plan.layout = layoutOf("222");
    plan.execution.detail = true;
    const RunDirectory run = create(plan);
    const JobResult result = runJob(8, {}, rankProgram(), {"--run", pathOf(run)});
    QVERIFY2(result.exitCode == 0, qPrintable(result.error));
    QCOMPARE(result.output, QString());
    for (int rank = 0; rank < 8; ++rank) {
        const RecordBatch records = RecordReader(run.recordFile(Rank(rank))).poll(true);
        QCOMPARE(records.ended.size(), std::size_t(1));
        QCOMPARE(records.tornBytes, 0);
        QCOMPARE(records.hellos.size(), std::size_t(1));
        QCOMPARE(records.memory.size(), std::size_t(6));
        QCOMPARE(records.steps.size(), std::size_t(rank == 0 ? 6 : 0));
        QVERIFY(std::any_of(records.spans.begin(), records.spans.end(), [](const Span& span) {
            return span.id.kind() == Kind::TensorCollective;
        }));
        for (const Span& span : records.spans) {
            QCOMPARE(span.rank, Rank(rank));
            QVERIFY(span.ready <= span.begin && span.begin <= span.end);
            QVERIFY(span.tensorWait >= 0 && span.tensorTransfer >= 0);
            QVERIFY(span.tensorWait + span.tensorTransfer <= span.end - span.begin);
        }
    }
}

void TrainRankProgramTest::tellsWhatTheHostHas()
{
    QProcess process;
    process.start(rankProgram(), {"--devices"});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 0);
    const QJsonObject found = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QVERIFY(found["cores"].toInt() >= 1);
    QVERIFY(found["memory_bytes"].toDouble() > 1e8);
    QVERIFY(found["blas"].toString().contains("OpenBLAS"));
    QVERIFY(!found["mpi"].toString().isEmpty());
    QVERIFY(found["gpus"].isArray());
}

void TrainRankProgramTest::refusesWrongArguments()
{
    const QList<QStringList> wrong{{}, {"--run"}, {"--help-me"}, {"--run", m_home.path()}};
    for (const QStringList& arguments : wrong) {
        QProcess process;
        process.start(rankProgram(), arguments);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 2);
        QCOMPARE(process.readAllStandardError().count('\n'), 1);
    }
}

void TrainRankProgramTest::reportsRankStepAndLayerOfANonFiniteLoss()
{
    RunPlan plan = smallPlan(smallGpt2());
    plan.layout = layoutOf("122");
    plan.weights = m_home.filePath("spoiled.safetensors").toStdString();
    writeSpoiledWeights(plan.weights, plan.model, "h.2.attn.c_proj.bias");
    const RunDirectory run = create(plan);
    const JobResult result = runJob(4, {}, rankProgram(), {"--run", pathOf(run)});
    QCOMPARE(result.exitCode, 3);
    QVERIFY2(result.error.contains("layer 2"), qPrintable(result.error));
    // Layers 0 and 1 lie on ranks 0 and 1, layer 2 is the first of rank 2.
    QVERIFY2(result.error.contains("rank 2:"), qPrintable(result.error));
    std::size_t faults = 0;
    for (int rank = 0; rank < 4; ++rank)
        for (const FaultRecord& fault :
             RecordReader(run.recordFile(Rank(rank))).poll(true).faults) {
            QCOMPARE(fault.step, 1);
            QVERIFY(QString::fromStdString(fault.reason).contains("layer 2"));
            ++faults;
        }
    QVERIFY(faults > 0);
}

void TrainRankProgramTest::endsWhenTheLauncherVanishes()
{
    QProcess launcher;
    launcher.start("sleep", {"600"});
    QVERIFY(launcher.waitForStarted());
    RunDirectory run = create(endlessPlan());
    RunStatus status;
    status.state = RunState::Running;
    status.launcherPid = int(launcher.processId());
    status.launcherStart = processInfo(status.launcherPid)->startTime;
    run.setStatus(status);
    QProcess mpirun;
    mpirun.setProcessEnvironment(jobEnvironment());
    mpirun.start(TRIAXIS_MPIRUN,
                 {"--bind-to", "none", "-n", "2", rankProgram(), "--run", pathOf(run)});
    QVERIFY(mpirun.waitForStarted());
    const std::vector<int> pids = pidsOnceRunning(run, 2);
    QCOMPARE(pids.size(), std::size_t(2));
    launcher.kill();
    launcher.waitForFinished();
    QVERIFY(allGone(pids, 20));
    QVERIFY(mpirun.waitForFinished(30000));
    QVERIFY(mpirun.exitCode() != 0);
}

void TrainRankProgramTest::endsOnTerminate()
{
    const RunDirectory run = create(endlessPlan());
    QProcess mpirun;
    mpirun.setProcessEnvironment(jobEnvironment());
    mpirun.start(TRIAXIS_MPIRUN,
                 {"--bind-to", "none", "-n", "2", rankProgram(), "--run", pathOf(run)});
    QVERIFY(mpirun.waitForStarted());
    const std::vector<int> pids = pidsOnceRunning(run, 2);
    QCOMPARE(pids.size(), std::size_t(2));
    kill(pids[1], SIGTERM);
    QVERIFY(allGone(pids, 30));
    QVERIFY(mpirun.waitForFinished(30000));
    // What was written before is readable.
    QVERIFY(!RecordReader(run.recordFile(Rank(0))).poll(true).steps.empty());
}

QTEST_APPLESS_MAIN(TrainRankProgramTest)
#include "train_rank_program_test.moc"

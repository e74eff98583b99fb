// Faults of an emulated GPU and of its network: a run always ends, fails, and names rank and
// instruction.

#include "train_support.h"

#include "engine/record/rank_status.h"

#include <QTest>

using namespace triaxis;
using namespace triaxis::test;

namespace
{

constexpr int seconds = 240; // a run takes one or two; a loaded machine may need many times that

RunPlan planFor(const QString& layout)
{
    RunPlan plan = smallPlan(smallGpt2());
    plan.layout = layoutOf(layout);
    plan.training.schedule = "1f1b";
    plan.training.steps = 2;
    plan.execution.saveGradients = plan.execution.saveWeights = false;
    return plan;
}

/// A run of its own, with the environment of the faults.
struct FaultyRun
{
    explicit FaultyRun(const QString& layout, const QByteArray& transport = "nccl")
        : directory(RunDirectory::create(std::filesystem::path(home.path().toStdString()),
                                         planFor(layout), {}))
    {
        qputenv("TRIAXIS_TEST_DEVICE", "emulated");
        qputenv("TRIAXIS_TEST_TRANSPORT", transport);
    }
    ~FaultyRun()
    {
        for (const char* name : {"TRIAXIS_EMULATED_NCCL_ERROR", "TRIAXIS_EMULATED_NCCL_DEATH",
                                 "TRIAXIS_EMULATED_DEATH", "TRIAXIS_EMULATED_MEMORY",
                                 "TRIAXIS_EMULATED_MEMORY_END", "TRIAXIS_EMULATED_LOST_WAIT",
                                 "TRIAXIS_EMULATED_LATE_MESSAGES", "TRIAXIS_TEST_DEVICE"})
            qunsetenv(name);
    }

    JobResult run(int ranks)
    {
        return runJob(ranks, {}, TRIAXIS_TRAIN_RANKS,
                      {QString::fromStdString(directory.path().string())}, seconds);
    }
    std::vector<FaultRecord> faultsOf(int rank) const
    {
        return RecordReader(directory.recordFile(Rank(rank))).poll(true).faults;
    }

    QTemporaryDir home;
    RunDirectory directory;
};

} // namespace

class CudaFaultTest : public QObject
{
    Q_OBJECT

private slots:
    void anErrorOfTheNetworkFailsTheRun_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<int>("operation");
        // After the trials of the links that a rank has.
        QTest::newRow("tensor") << "121" << 3 + 5;
        QTest::newRow("pipeline") << "112" << 5 + 3;
        QTest::newRow("data") << "211" << 2 + 1;
    }
    void anErrorOfTheNetworkFailsTheRun()
    {
        QFETCH(QString, layout);
        QFETCH(int, operation);
        FaultyRun run(layout);
        qputenv("TRIAXIS_EMULATED_NCCL_ERROR", "1:" + QByteArray::number(operation));
        const JobResult result = run.run(2);
        QVERIFY2(result.exitCode > 0, qPrintable(result.error));
        QVERIFY2(result.error.contains("rank 1, ") && result.error.contains("NCCL failed in"),
                 qPrintable(result.error));
        const std::vector<FaultRecord> faults = run.faultsOf(1);
        QCOMPARE(faults.size(), std::size_t(1));
        QCOMPARE(faults[0].rank, Rank(1));
        QCOMPARE(faults[0].step, 1);
        QVERIFY(!toText(faults[0].id).empty());
        QVERIFY2(faults[0].reason.find("a network error") != std::string::npos,
                 faults[0].reason.c_str());
    }

    void aRankThatDiesInACollectiveFailsTheRun()
    {
        FaultyRun run("121");
        qputenv("TRIAXIS_EMULATED_NCCL_DEATH", "1:7");
        const JobResult result = run.run(2);
        QVERIFY2(result.exitCode != 0 && !result.error.contains("no end after"),
                 qPrintable(result.error));
        // Whoever is first: mpirun, which sees the process end, or the other rank, which waits for
        // it.
        QVERIFY2(result.error.contains("rank 1 with PID") ||
                     result.error.contains("rank 1 of the communicator is gone"),
                 qPrintable(result.error));
    }

    void aRankThatDiesInAStagedCollectiveFailsTheRun()
    {
        FaultyRun run("121", "host");
        qputenv("TRIAXIS_EMULATED_DEATH", "1:3");
        const JobResult result = run.run(2);
        QVERIFY2(result.exitCode != 0 && !result.error.contains("no end after"),
                 qPrintable(result.error));
        QVERIFY2(result.error.contains("rank 1 with PID"), qPrintable(result.error));
        // What the launcher reads when it tells of the end: the first forward's collectives.
        const auto status = readRankStatus(run.directory.statusFile(Rank(1)));
        QVERIFY(status && status->step == 1);
        QCOMPARE(status->current.kind(), Kind::Forward);
    }

    void anOrderOfStreamsThatIsMissingIsFound_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<int>("wait");
        QTest::addColumn<bool>("late");
        // After those of the links' trials.
        QTest::newRow("a forward before its input") << "112" << 5 + 3 << true;
        QTest::newRow("a send before its data") << "112" << 5 + 4 << false;
        for (int wait = 1; wait <= 4; wait += 2) {
            QTest::newRow(wait == 1 ? "a sum before its terms" : "the next sum before its terms")
                << "121" << 3 + wait << false;
            QTest::newRow(wait == 1 ? "a layer before its sum" : "the next layer before its sum")
                << "121" << 4 + wait << true;
        }
    }
    /// A stream that does not wait for an event of another; messages that come soon, or late.
    void anOrderOfStreamsThatIsMissingIsFound()
    {
        QFETCH(QString, layout);
        QFETCH(int, wait);
        FaultyRun run(layout);
        QFETCH(bool, late);
        qputenv("TRIAXIS_EMULATED_LOST_WAIT", "1:" + QByteArray::number(wait));
        qputenv("TRIAXIS_EMULATED_LATE_MESSAGES", late ? "1" : "0");
        const JobResult result = run.run(2);
        QVERIFY2(result.exitCode > 0 && (result.error.contains("nothing was written") ||
                                         result.error.contains("which nothing orders")),
                 qPrintable(result.error));
    }

    void aLayoutThatDoesNotFitIsRefused()
    {
        FaultyRun run("121");
        qputenv("TRIAXIS_EMULATED_MEMORY", "300000");
        const JobResult result = run.run(2);
        QVERIFY2(result.exitCode > 0 && result.error.contains("cannot start the run") &&
                     result.error.contains("KiB of memory, and emulated device"),
                 qPrintable(result.error));
        QVERIFY2(result.error.contains("use more tensor or pipeline ranks"),
                 qPrintable(result.error));
    }

    void memoryMayEndAtAnyAllocation_data()
    {
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QByteArray>("transport");
        QTest::addColumn<int>("rank");
        QTest::newRow("alone") << "111" << QByteArray("nccl") << 0;
        QTest::newRow("one of two, by way of the host") << "121" << QByteArray("host") << 1;
    }
    /// A sample of them, or all with TRIAXIS_TEST_EVERY_ALLOCATION.
    void memoryMayEndAtAnyAllocation()
    {
        QFETCH(QString, layout);
        QFETCH(QByteArray, transport);
        QFETCH(int, rank);
        const bool every = qEnvironmentVariableIsSet("TRIAXIS_TEST_EVERY_ALLOCATION");
        const QString name = QString("rank %1, ").arg(rank);
        int failures = 0, named = 0;
        for (int allocation = 1; allocation < 1000;
             allocation = every ? allocation + 1 : 2 * allocation + 1) {
            FaultyRun run(layout, transport);
            qputenv("TRIAXIS_EMULATED_MEMORY_END",
                    QByteArray::number(rank) + ":" + QByteArray::number(allocation));
            const JobResult result = run.run(layoutOf(layout).ranks());
            if (result.exitCode == 0)
                break;
            ++failures;
            QVERIFY2(result.exitCode > 0 && result.error.contains(name) &&
                         result.error.contains("cannot allocate"),
                     qPrintable(QString::number(allocation) + ": " + result.error));
            for (const FaultRecord& fault : run.faultsOf(rank)) {
                QCOMPARE(fault.rank, Rank(rank));
                if (fault.step == 0)
                    continue; // while the model is made
                QVERIFY(!toText(fault.id).empty());
                ++named;
            }
        }
        qInfo("%d allocations failed, %d of them in an instruction", failures, named);
        QVERIFY2(failures >= 4 && named >= 1, qPrintable(QString::number(failures)));
    }
};

QTEST_APPLESS_MAIN(CudaFaultTest)
#include "cuda_fault_test.moc"

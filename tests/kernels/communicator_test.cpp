// Starts communicator_ranks with mpirun over one transport after another and checks the line of
// each case.

#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

class CommunicatorTest : public QObject
{
    Q_OBJECT

private slots:
    void sharedMemory();
    void messagesOnly();
    void eachRankOnItsOwnCore();
    void tinyEagerLimit();
    void withoutSingleCopy();
    void overTcp();
    void withoutMpirun();
    void abortEndsAllRanks();
    void refusesALongerMessage();
    void refusesAnAllReduceOfAnotherCount();
};

namespace
{

struct Result
{
    int exitCode = -1;
    QString output;
    QString errors;
};

/// Whether groups on one host may use shared memory of their own beside MPI.
enum class Own { No, Yes };

Result run(const QString& program, const QStringList& arguments, int seconds, Own own = Own::Yes)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    environment.insert("OMPI_MCA_rmaps_base_oversubscribe", "1");
    // Open MPI's plug-ins leave memory behind, and are unloaded by the time a leak could be matched
    // to them.
    environment.insert("ASAN_OPTIONS", environment.value("ASAN_OPTIONS") + ":detect_leaks=0");
    environment.insert("TRIAXIS_SHARED_MEMORY", own == Own::Yes ? "1" : "0");
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    Result result;
    if (!process.waitForFinished(seconds * 1000)) {
        process.terminate();
        if (!process.waitForFinished(10000))
            process.kill();
        process.waitForFinished(10000);
        result.errors = QString("no end after %1 s\n").arg(seconds);
    } else if (process.exitStatus() == QProcess::NormalExit) {
        result.exitCode = process.exitCode();
    }
    result.output = QString::fromLocal8Bit(process.readAllStandardOutput());
    result.errors += QString::fromLocal8Bit(process.readAllStandardError());
    return result;
}

Result runRanks(int ranks, Own own, const QStringList& options = {}, const QString& which = "all",
                int seconds = 400)
{
    QStringList arguments{"-n", QString::number(ranks)};
    arguments << options << TRIAXIS_COMMUNICATOR_RANKS << which;
    return run(TRIAXIS_MPIRUN, arguments, seconds, own);
}

/// A run that ends by abort after rank 1 has said what it saw.
void checkRefusal(const Result& result, const QString& which)
{
    QVERIFY2(result.output.contains("PASS " + which), qPrintable(result.output + result.errors));
    QVERIFY2(!result.output.contains("FAIL"), qPrintable(result.output + result.errors));
    QCOMPARE(result.exitCode, 9);
}

/// Every case passed, and none was lost: the last line tells how many there were.
void checkCases(const Result& result, int fewest)
{
    int passed = 0;
    int announced = -1;
    for (const QString& line : result.output.split('\n', Qt::SkipEmptyParts)) {
        QVERIFY2(!line.startsWith("FAIL"), qPrintable(line + "\n" + result.errors));
        if (line.startsWith("PASS "))
            ++passed;
        if (line.startsWith("DONE "))
            announced = line.mid(5).toInt();
    }
    QVERIFY2(result.exitCode == 0, qPrintable(result.output + result.errors));
    QCOMPARE(passed, announced);
    QVERIFY2(passed >= fewest, qPrintable(result.output));
}

} // namespace

void CommunicatorTest::sharedMemory()
{
    checkCases(runRanks(8, Own::Yes), 30);
}

void CommunicatorTest::messagesOnly()
{
    checkCases(runRanks(8, Own::No), 30);
}

void CommunicatorTest::eachRankOnItsOwnCore()
{
    checkCases(runRanks(2, Own::Yes), 22);
    checkCases(runRanks(2, Own::No), 22);
}

void CommunicatorTest::tinyEagerLimit()
{
    checkCases(runRanks(8, Own::No, {"--mca", "btl_vader_eager_limit", "128"}), 30);
}

void CommunicatorTest::withoutSingleCopy()
{
    checkCases(runRanks(8, Own::No, {"--mca", "btl_vader_single_copy_mechanism", "none"}), 30);
}

void CommunicatorTest::overTcp()
{
    checkCases(runRanks(8, Own::No, {"--mca", "btl", "tcp,self"}), 30);
}

void CommunicatorTest::withoutMpirun()
{
    checkCases(run(TRIAXIS_COMMUNICATOR_RANKS, {"all"}, 60), 8);
}

void CommunicatorTest::abortEndsAllRanks()
{
    const Result result = runRanks(4, Own::Yes, {}, "abort", 60);
    QVERIFY2(result.exitCode != -1, qPrintable(result.errors));
    QCOMPARE(result.exitCode, 7);
}

void CommunicatorTest::refusesALongerMessage()
{
    checkRefusal(runRanks(2, Own::Yes, {}, "longerMessage", 60), "longerMessage");
}

void CommunicatorTest::refusesAnAllReduceOfAnotherCount()
{
    checkRefusal(runRanks(2, Own::Yes, {}, "otherCount", 60), "otherCount");
    checkRefusal(runRanks(2, Own::No, {}, "otherCount", 60), "otherCount");
}

QTEST_APPLESS_MAIN(CommunicatorTest)
#include "communicator_test.moc"

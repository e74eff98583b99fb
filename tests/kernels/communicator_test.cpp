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
    void eachRankOnItsOwnCore();
    void tinyEagerLimit();
    void withoutSingleCopy();
    void overTcp();
    void withoutMpirun();
    void abortEndsAllRanks();
};

namespace
{

struct Result
{
    int exitCode = -1;
    QString output;
    QString errors;
};

Result run(const QString& program, const QStringList& arguments, int seconds)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    environment.insert("OMPI_MCA_rmaps_base_oversubscribe", "1");
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

Result runRanks(int ranks, const QStringList& options, const QString& which = "all",
                int seconds = 400)
{
    QStringList arguments{"-n", QString::number(ranks)};
    arguments << options << TRIAXIS_COMMUNICATOR_RANKS << which;
    return run(TRIAXIS_MPIRUN, arguments, seconds);
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
    checkCases(runRanks(8, {}), 28);
}

void CommunicatorTest::eachRankOnItsOwnCore()
{
    checkCases(runRanks(2, {}), 20);
}

void CommunicatorTest::tinyEagerLimit()
{
    checkCases(runRanks(8, {"--mca", "btl_vader_eager_limit", "128"}), 28);
}

void CommunicatorTest::withoutSingleCopy()
{
    checkCases(runRanks(8, {"--mca", "btl_vader_single_copy_mechanism", "none"}), 28);
}

void CommunicatorTest::overTcp()
{
    checkCases(runRanks(8, {"--mca", "btl", "tcp,self"}), 28);
}

void CommunicatorTest::withoutMpirun()
{
    checkCases(run(TRIAXIS_COMMUNICATOR_RANKS, {"all"}, 60), 8);
}

void CommunicatorTest::abortEndsAllRanks()
{
    const Result result = runRanks(4, {}, "abort", 60);
    QVERIFY2(result.exitCode != -1, qPrintable(result.errors));
    QCOMPARE(result.exitCode, 7);
}

QTEST_APPLESS_MAIN(CommunicatorTest)
#include "communicator_test.moc"

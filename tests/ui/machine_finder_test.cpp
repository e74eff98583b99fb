#include "ui/run/machine_finder.h"

#include <QtTest>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace triaxis::ui;

class MachineFinderTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    /// A program in the rank program's place.
    QString program(const QByteArray& does)
    {
        const QString path = m_folder.filePath("rank");
        QFile::remove(path);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write("#!/bin/sh\n" + does + "\n");
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path;
    }

    static QString failureOf(MachineFinder& finder, const QString& path)
    {
        QSignalSpy failed(&finder, &MachineFinder::failed);
        finder.start(path);
        return failed.count() > 0 || failed.wait(20000) ? failed.front().front().toString()
                                                        : QString();
    }

private slots:
    void whatTheProgramPrintsIsRead()
    {
        const QString path =
            program("test \"$1\" = --devices && echo '{\"host\":\"a\",\"cores\":6,\"memory_bytes\":"
                    "8000000000,\"device\":\"CPU\",\"blas\":\"B\",\"mpi\":\"M\",\"gpus\":[\"H100\","
                    "{\"name\":\"L4\"}]}'");
        MachineFinder finder;
        QSignalSpy found(&finder, &MachineFinder::found);
        finder.start(path);
        QVERIFY(found.wait(20000));
        const auto machine = found.front().front().value<FoundMachine>();
        QCOMPARE(machine.host, QString("a"));
        QCOMPARE(machine.cores, 6);
        QCOMPARE(machine.memoryBytes, std::int64_t(8'000'000'000));
        QCOMPARE(machine.gpus, (QStringList{"H100", "L4"}));
        QVERIFY(!finder.isRunning());
    }

    void aMissingProgramIsSaid()
    {
        MachineFinder finder;
        QVERIFY(failureOf(finder, "/nowhere/rank").contains("could not be started"));
    }

    void itsOwnWordsAreSaidWhenItFails()
    {
        MachineFinder finder;
        QCOMPARE(failureOf(finder, program("echo 'no MPI here' >&2; exit 3")),
                 QString("no MPI here"));
    }

    void anAnswerThatIsNoneIsSaid()
    {
        MachineFinder finder;
        QVERIFY(failureOf(finder, program("echo hello")).contains("did not say"));
        QVERIFY(!foundMachineIn("{\"cores\":0,\"memory_bytes\":5}").has_value());
        QVERIFY(!foundMachineIn("[]").has_value());
    }

    void aProgramThatHangsIsGivenUp()
    {
        MachineFinder finder;
        finder.setLimit(100);
        QVERIFY(failureOf(finder, program("exec sleep 60")).contains("did not answer"));
        QVERIFY(!finder.isRunning());
    }
};

QTEST_MAIN(MachineFinderTest)
#include "machine_finder_test.moc"

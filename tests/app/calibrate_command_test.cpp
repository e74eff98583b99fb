// `triaxis calibrate --show`, as a person or a script calls it. What it measures is tested where
// ranks run.

#include <QtTest>

#include "engine/cost/calibration_lock.h"
#include "engine/record/file_lock.h"
#include "tests/engine/cost/machine_fixture.h"
#include "tests/support/command.h"

#include <QFile>
#include <QJsonArray>

#include <unistd.h>

using namespace triaxis;

namespace
{

std::filesystem::path homeOf(const Command& command)
{
    return command.path("home").toStdString();
}

} // namespace

class CalibrateCommandTest : public QObject
{
    Q_OBJECT

private slots:
    void showsWhatWasMeasured()
    {
        const Command command;
        storeCalibration(homeOf(command), madeUpMachine());
        const auto result = command.run({"calibrate", "--show"});
        QCOMPARE(result.code, 0);
        QVERIFY(result.error.isEmpty());
        for (const char* part : {"2026-01-02", "Matrix products", "1 x 1", "GFLOP/s"})
            QVERIFY2(result.output.contains(part), qPrintable(result.output));
        QVERIFY(result.output.contains(
            QString::fromStdString(calibrationFile(homeOf(command)).string())));
    }

    void showsAllSamplesAsJson()
    {
        const Command command;
        const MachineCalibration made = madeUpMachine();
        storeCalibration(homeOf(command), made);
        const auto result = command.run({"calibrate", "--show", "--json"});
        QCOMPARE(result.code, 0);
        QCOMPARE(result.objects().size(), 1);
        const std::string text = result.output.trimmed().toStdString();
        QCOMPARE(nlohmann::json::parse(text), nlohmann::json(toJson(made)));
    }

    void saysWhatToDoWithoutOne()
    {
        const Command command;
        const auto result = command.run({"calibrate", "--show"});
        QVERIFY(result.code != 0);
        QVERIFY(result.output.isEmpty());
        QVERIFY(result.error.contains("triaxis calibrate"));
        QCOMPARE(result.error.trimmed().count('\n'), 0);
    }

    void oneCalibratesAtATime()
    {
        const Command command;
        storeCalibration(homeOf(command), madeUpMachine());
        const auto lock = FileLock::tryTake(calibrationLock(homeOf(command)));
        QVERIFY(lock.has_value());
        for (const QStringList& arguments :
             {QStringList{"calibrate", "--quick"}, QStringList{"calibrate", "--more"}}) {
            const auto result = command.run(arguments);
            QVERIFY(result.code != 0);
            QVERIFY2(result.error.contains("running already (process " +
                                           QString::number(::getpid())),
                     qPrintable(result.error));
        }
        QCOMPARE(command.run({"calibrate", "--show"}).code, 0);
    }

    void aDamagedOneIsNamed()
    {
        const Command command;
        storeCalibration(homeOf(command), madeUpMachine());
        const QString path = QString::fromStdString(calibrationFile(homeOf(command)).string());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("{\"calibration_version\"");
        file.close();
        const auto result = command.run({"calibrate", "--show"});
        QVERIFY(result.code != 0);
        QVERIFY2(result.error.contains(QFileInfo(path).fileName()), qPrintable(result.error));
    }
};

QTEST_APPLESS_MAIN(CalibrateCommandTest)
#include "calibrate_command_test.moc"

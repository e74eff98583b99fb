#include <QtTest>

#include "engine/core/error.h"
#include "engine/formats/sweep_json.h"

#include <cmath>

using namespace triaxis;

class SweepJsonTest : public QObject
{
    Q_OBJECT

private:
    static SweepRow row()
    {
        SweepRow row;
        row.layout.dp = 2;
        row.layout.tp = 4;
        row.runId = "20260101-000000-abcd";
        row.state = RunState::Finished;
        row.stepSeconds = 0.25;
        row.fastest = 0.24;
        row.slowest = 0.27;
        row.steps = 11;
        row.tokensPerSecond = 4096;
        row.memoryBytes = 1e9;
        row.memoryLimit = 8e9;
        row.communication.tensor = 0.1;
        row.communication.pipeline = 0;
        row.communication.data = 0.05;
        row.bubble = 0;
        row.finalLoss = 3.5;
        return row;
    }

private slots:
    void aRowComesBackAsItWas()
    {
        const SweepRow before = row();
        const SweepRow after = sweepRowFromJson(nlohmann::json::parse(toJson(before).dump()));
        QCOMPARE(toJson(after).dump(), toJson(before).dump());
        QVERIFY(after.layout == before.layout);
    }

    void whatIsNotKnownStaysUnknown()
    {
        SweepRow before = row();
        before.reason = "does not fit";
        before.tokensPerSecond = std::nan("");
        before.communication = {};
        const SweepRow after = sweepRowFromJson(nlohmann::json::parse(toJson(before).dump()));
        QVERIFY(std::isnan(after.tokensPerSecond));
        QVERIFY(std::isnan(after.communication.total()));
        QVERIFY(!after.measured());
        QCOMPARE(after.reason, before.reason);
    }

    void refusesWhatIsNoRow_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray("{}");
        QTest::newRow("list") << QByteArray("[]");
        QTest::newRow("size") << QByteArray(
            R"({"layout":{"dp":0,"tp":1,"pp":1},"communication":{},"state":"finished"})");
        QTest::newRow("state") << QByteArray(
            R"({"layout":{"dp":1,"tp":1,"pp":1},"communication":{},"state":"happy"})");
        QTest::newRow("text for a figure") << QByteArray(
            R"({"layout":{"dp":1,"tp":1,"pp":1},"communication":{},"state":"finished","step_s":"x"})");
    }

    void refusesWhatIsNoRow()
    {
        QFETCH(QByteArray, text);
        QVERIFY_EXCEPTION_THROWN(sweepRowFromJson(nlohmann::json::parse(text.toStdString())),
                                 Error);
    }
};

QTEST_APPLESS_MAIN(SweepJsonTest)
#include "sweep_json_test.moc"

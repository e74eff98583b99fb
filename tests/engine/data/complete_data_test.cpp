#include "engine/data/complete_data.h"

#include "tests/engine/core/expect_error.h"

#include "engine/formats/hf_config.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

using namespace triaxis;

class CompleteDataTest : public QObject
{
    Q_OBJECT

private slots:
    void aTextIsHashed();
    void aPlanIsHeldToItsHash();
    void theSyntheticSourceTellsItsBestLoss();
    void dataThatCannotBeUsedIsRefused();

private:
    std::string write(const std::string& text)
    {
        const std::string path = m_folder.filePath("text").toStdString();
        std::ofstream(path, std::ios::trunc) << text;
        return path;
    }
    RunPlan textPlan(const std::string& text)
    {
        RunPlan plan;
        plan.model = modelPreset("gpt2-1m");
        plan.training.batch = {1, 1, 16};
        plan.data.kind = DataKind::Text;
        plan.data.path = write(text);
        return plan;
    }

    QTemporaryDir m_folder;
};

void CompleteDataTest::aTextIsHashed()
{
    RunPlan plan = textPlan(std::string(1000, 'a'));
    completeData(plan);
    QCOMPARE(plan.data.sha256,
             std::string("41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"));
    QCOMPARE(plan.data.bestLoss, -1.0);
}

void CompleteDataTest::aPlanIsHeldToItsHash()
{
    RunPlan plan = textPlan(std::string(1000, 'a'));
    completeData(plan);
    const RunPlan before = plan;
    completeData(plan);
    QVERIFY(plan.data == before.data);
    write(std::string(1000, 'b'));
    const QString text = errorText([&] { completeData(plan); });
    QVERIFY2(text.contains(QString::fromStdString(plan.data.path)) &&
                 text.contains("has changed") && text.contains("41edece4"),
             qPrintable(text));
    QVERIFY(plan.data.sha256 == before.data.sha256);
    plan.data.sha256.clear();
    completeData(plan);
    QVERIFY(plan.data.sha256 != before.data.sha256);
}

void CompleteDataTest::theSyntheticSourceTellsItsBestLoss()
{
    RunPlan plan = textPlan("");
    plan.data = {};
    completeData(plan);
    QVERIFY(plan.data.bestLoss > 0);
    QVERIFY(plan.data.sha256.empty());
}

void CompleteDataTest::dataThatCannotBeUsedIsRefused()
{
    RunPlan plan = textPlan("");
    QVERIFY(errorText([&] { completeData(plan); }) != "no error");
    plan.data.path = m_folder.filePath("none").toStdString();
    QVERIFY(errorText([&] { completeData(plan); }) != "no error");
}

QTEST_APPLESS_MAIN(CompleteDataTest)
#include "complete_data_test.moc"

#include "engine/formats/hf_config.h"
#include "engine/record/run_plan.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <limits>

using namespace triaxis;

namespace
{

RunPlan goodPlan()
{
    RunPlan plan;
    plan.model = modelPreset("gpt2-1m");
    plan.layout.dp = plan.layout.tp = plan.layout.pp = 2;
    plan.training.batch = {8, 1, 128};
    return plan;
}

} // namespace

class RunPlanRulesTest : public QObject
{
    Q_OBJECT

private slots:
    void aGoodPlanHasNoFindings();
    void eachBrokenRuleIsReportedAtItsField_data();
    void eachBrokenRuleIsReportedAtItsField();
    void layoutRulesAreIncluded();
    void unknownSchedulesAreAnsweredWithTheNames();
    void absurdNumbersOfMicrobatchesAreRefusedAtOnce();
    void textNeedsAByteVocabulary();
    void filesMustBeThere();
};

void RunPlanRulesTest::aGoodPlanHasNoFindings()
{
    for (const char* schedule : {"gpipe", "1f1b"}) {
        RunPlan plan = goodPlan();
        plan.training.schedule = schedule;
        QVERIFY(checkPlan(plan).empty());
    }
}

void RunPlanRulesTest::eachBrokenRuleIsReportedAtItsField_data()
{
    QTest::addColumn<int>("change");
    QTest::addColumn<QString>("where");
    const char* places[] = {"training.steps",
                            "training.learningRate",
                            "training.learningRate",
                            "training.beta1",
                            "training.beta2",
                            "training.epsilon",
                            "training.weightDecay",
                            "training.clipNorm",
                            "training.warmupSteps",
                            "execution.threadsPerRank",
                            "execution.device",
                            "execution.precision",
                            "execution.precision",
                            "execution.hangSeconds",
                            "execution.wholeSteps",
                            "execution.everyStep",
                            "execution.mcaOptions",
                            "execution.mcaOptions",
                            "execution.hostfile",
                            "weights",
                            "data.path",
                            "training.schedule",
                            "layout.tp",
                            "training.schedule"};
    int change = 0;
    for (const char* place : places) {
        QTest::addRow("%d %s", change, place) << change << place;
        ++change;
    }
}

void RunPlanRulesTest::eachBrokenRuleIsReportedAtItsField()
{
    QFETCH(int, change);
    QFETCH(QString, where);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::function<void(RunPlan&)> changes[] = {
        [](RunPlan& p) { p.training.steps = 0; },
        [&](RunPlan& p) { p.training.learningRate = nan; },
        [](RunPlan& p) { p.training.learningRate = -1; },
        [](RunPlan& p) { p.training.beta1 = 1; },
        [](RunPlan& p) { p.training.beta2 = -0.1; },
        [](RunPlan& p) { p.training.epsilon = 0; },
        [](RunPlan& p) { p.training.weightDecay = -1; },
        [&](RunPlan& p) { p.training.clipNorm = nan; },
        [](RunPlan& p) { p.training.warmupSteps = -1; },
        [](RunPlan& p) { p.execution.threadsPerRank = -1; },
        [](RunPlan& p) { p.execution.device = "tpu"; },
        [](RunPlan& p) { p.execution.precision = "float16"; },
        [](RunPlan& p) { p.execution.precision = "bfloat16"; }, // on the processor
        [](RunPlan& p) { p.execution.hangSeconds = 0; },
        [](RunPlan& p) { p.execution.wholeSteps = -1; },
        [](RunPlan& p) { p.execution.everyStep = 0; },
        [](RunPlan& p) { p.execution.mcaOptions = {"btl"}; },
        [](RunPlan& p) { p.execution.mcaOptions = {"=x"}; },
        [](RunPlan& p) { p.execution.hostfile = "/none/hosts"; },
        [](RunPlan& p) { p.weights = "/none/model.safetensors"; },
        [](RunPlan& p) { p.data.kind = DataKind::Text; },
        [](RunPlan& p) { p.training.schedule = "round-robin"; },
        [](RunPlan& p) { p.layout.tp = 3; },
        [](RunPlan& p) { p.layout.virtualStages = 2; }};
    RunPlan plan = goodPlan();
    changes[change](plan);
    const std::vector<Diagnostic> findings = checkPlan(plan);
    QVERIFY(!findings.empty());
    for (const Diagnostic& finding : findings) {
        QVERIFY(finding.severity == Severity::Error);
        QCOMPARE(QString::fromStdString(finding.where), where);
        QVERIFY(!finding.what.empty() && !finding.why.empty() && !finding.mend.empty());
    }
}

void RunPlanRulesTest::layoutRulesAreIncluded()
{
    RunPlan plan = goodPlan();
    plan.training.batch.globalBatch = 2;
    const auto findings = checkPlan(plan);
    QCOMPARE(findings.size(), std::size_t(1));
    QVERIFY(findings.front().severity == Severity::Warning);
    plan.layout.dp = 0;
    QVERIFY(hasErrors(checkPlan(plan)));
    QVERIFY(hasErrors(checkPlan(RunPlan{})));
}

void RunPlanRulesTest::unknownSchedulesAreAnsweredWithTheNames()
{
    RunPlan plan = goodPlan();
    plan.training.schedule = "1F1B";
    const auto findings = checkPlan(plan);
    QCOMPARE(findings.size(), std::size_t(1));
    const QString mend = QString::fromStdString(findings.front().mend);
    QVERIFY(mend.contains("gpipe") && mend.contains("1f1b") && mend.contains(" or "));
}

void RunPlanRulesTest::absurdNumbersOfMicrobatchesAreRefusedAtOnce()
{
    RunPlan plan = goodPlan();
    plan.training.batch.globalBatch = 2'147'483'646;
    const auto findings = checkPlan(plan);
    QCOMPARE(findings.size(), std::size_t(1));
    QVERIFY(QString::fromStdString(findings.front().what).contains("1073741823 microbatches"));
}

void RunPlanRulesTest::textNeedsAByteVocabulary()
{
    QTemporaryDir folder;
    QFile file(folder.filePath("text"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("some text");
    file.close();
    RunPlan plan = goodPlan();
    plan.data = {DataKind::Text, file.fileName().toStdString(), {}, -1};
    QVERIFY(checkPlan(plan).empty());
    plan.model.vocabulary = 256;
    const auto findings = checkPlan(plan);
    QCOMPARE(findings.size(), std::size_t(1));
    QCOMPARE(findings.front().where, std::string("model"));
}

void RunPlanRulesTest::filesMustBeThere()
{
    QTemporaryDir folder;
    RunPlan plan = goodPlan();
    plan.data.kind = DataKind::Batches;
    for (const QString& path : {QString(), folder.path(), folder.filePath("none")}) {
        plan.data.path = path.toStdString();
        const auto findings = checkPlan(plan);
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(findings.front().where, std::string("data.path"));
    }
}

QTEST_APPLESS_MAIN(RunPlanRulesTest)
#include "run_plan_rules_test.moc"

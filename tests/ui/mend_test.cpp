#include "engine/record/demo_plan.h"
#include "ui/plan/mend.h"

#include <QTest>
#include <algorithm>

using namespace triaxis;
using namespace triaxis::ui;

class MendTest : public QObject
{
    Q_OBJECT

private:
    static RunPlan plan()
    {
        RunPlan plan = demoPlan();
        plan.data = {};
        return plan;
    }

    static Diagnostic findingAt(const RunPlan& plan, const std::string& where)
    {
        for (const Diagnostic& finding : checkPlan(plan)) {
            if (finding.where == where)
                return finding;
        }
        return {Severity::Note, "nothing", "", "", ""};
    }

private slots:
    void soundPlanHasNothingToMend() { QVERIFY(!hasErrors(checkPlan(plan()))); }

    void tensorSizeGoesToTheNearestThatDivides()
    {
        RunPlan broken = plan();
        broken.layout.tp = 3;
        const auto mend = findMend(broken, findingAt(broken, "layout.tp"));
        QVERIFY(mend.has_value());
        QVERIFY(mend->plan.layout.tp == 2 || mend->plan.layout.tp == 4);
        QVERIFY(!hasErrors(checkPlan(mend->plan)));
        QVERIFY(mend->change.contains("3 → "));
    }

    void batchGoesToTheNearestMultiple()
    {
        RunPlan broken = plan();
        broken.training.batch.globalBatch = 9;
        broken.training.batch.microbatch = 2;
        const auto mend = findMend(broken, findingAt(broken, "training.globalBatch"));
        QVERIFY(mend.has_value());
        QCOMPARE(mend->plan.training.batch.globalBatch, 8);
    }

    void sequenceIsCutToTheModelsPositions()
    {
        RunPlan broken = plan();
        broken.training.batch.sequence = broken.model.positions + 5;
        const auto mend = findMend(broken, findingAt(broken, "training.sequence"));
        QVERIFY(mend.has_value());
        QCOMPARE(mend->plan.training.batch.sequence, broken.model.positions);
    }

    void tooManyStagesAreReduced()
    {
        RunPlan broken = plan();
        broken.layout.pp = broken.model.layers + 3;
        const auto mend = findMend(broken, findingAt(broken, "layout.pp"));
        QVERIFY(mend.has_value());
        QCOMPARE(mend->plan.layout.pp, broken.model.layers);
    }

    void brokenSplitBecomesEven()
    {
        RunPlan broken = plan();
        broken.layout.layersPerStage = {1, 1};
        const auto mend = findMend(broken, findingAt(broken, "layout.layersPerStage"));
        QVERIFY(mend.has_value());
        QVERIFY(mend->plan.layout.layersPerStage.empty());
    }

    void warningAboutTheBubbleIsMendedByMoreMicrobatches()
    {
        RunPlan idle = plan();
        idle.layout.pp = 4;
        idle.training.batch.globalBatch = 4;
        const Diagnostic warning = findingAt(idle, "training.globalBatch");
        QCOMPARE(warning.severity, Severity::Warning);
        const auto mend = findMend(idle, warning);
        QVERIFY(mend.has_value());
        QVERIFY(mend->plan.training.batch.microbatches(idle.layout.dp) >= 4);
    }

    void otherErrorsDoNotKeepOneFromBeingMended()
    {
        RunPlan broken = plan();
        broken.layout.tp = 3;
        broken.training.batch.sequence = broken.model.positions + 1;
        const auto mend = findMend(broken, findingAt(broken, "layout.tp"));
        QVERIFY(mend.has_value());
        QVERIFY(mend->plan.layout.tp != 3);
    }

    void whatNoSettingMendsHasNoButton()
    {
        RunPlan broken = plan();
        broken.data.kind = DataKind::Text;
        broken.data.path = "/nowhere/at/all";
        const Diagnostic finding = findingAt(broken, "data.path");
        QCOMPARE(finding.severity, Severity::Error);
        QVERIFY(!findMend(broken, finding).has_value());
    }
};

QTEST_APPLESS_MAIN(MendTest)
#include "mend_test.moc"

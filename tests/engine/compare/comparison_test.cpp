// Runs laid side by side: figures, losses, settings, and the page and table of them.

#include <QtTest>

#include "tests/engine/timeline/played_run.h"

#include "engine/compare/compared_prediction.h"
#include "engine/compare/loss_comparison.h"
#include "engine/compare/metric_rows.h"
#include "engine/compare/setting_diff.h"
#include "engine/core/csv_table.h"
#include "engine/core/error.h"
#include "engine/formats/comparison_html.h"
#include "engine/formats/plan_file.h"

using namespace triaxis;

namespace
{

ComparedRun played(const QString& id, int dp, int tp, int pp, int steps = 6)
{
    const RunPlan plan = tests::smallPlan(dp, tp, pp, 4);
    return comparedRun(id.toStdString(), plan, tests::sampleEnvironment(), RunState::Finished,
                       tests::playRun(plan, steps, {}));
}

const MetricValue& valueOf(const std::vector<MetricRow>& rows, Metric metric, std::size_t run)
{
    for (const MetricRow& row : rows)
        if (row.metric == metric)
            return row.values[run];
    qFatal("no such metric");
}

ComparedRun withLosses(const std::vector<double>& losses)
{
    ComparedRun run = played("a", 1, 1, 1);
    run.steps.clear();
    for (std::size_t i = 0; i < losses.size(); ++i) {
        StepResult step;
        step.step = int(i) + 1;
        step.loss = losses[i];
        run.steps.push_back(step);
    }
    return run;
}

} // namespace

class ComparisonTest : public QObject
{
    Q_OBJECT

private slots:
    void spreadIsTheMiddleHalf()
    {
        const Spread spread = spreadOf({5, 1, std::nan(""), 3, 2, 4});
        QCOMPARE(spread.middle, 3.0);
        QCOMPARE(spread.lower, 2.0);
        QCOMPARE(spread.upper, 4.0);
        QCOMPARE(spread.values, std::size_t(5));
        QVERIFY(!std::isfinite(spreadOf({}).middle));
    }

    void aRunAgainstItselfChangesNothing()
    {
        const std::vector<ComparedRun> runs{played("a", 2, 1, 2), played("b", 2, 1, 2)};
        for (const MetricRow& row : metricRows(runs))
            QCOMPARE(row.values[1].change, 0.0);
        QVERIFY(differences(settingRows(runs)).empty());
        QVERIFY(compareLosses(runs[1], runs[0]).agrees());
    }

    void theBubbleIsThatOfThePipeline()
    {
        const std::vector<ComparedRun> runs{played("a", 1, 1, 1), played("b", 1, 1, 4)};
        const std::vector<MetricRow> rows = metricRows(runs);
        QVERIFY(valueOf(rows, Metric::Bubble, 0).spread.middle < 0.01);
        const double bubble = valueOf(rows, Metric::Bubble, 1).spread.middle;
        QVERIFY2(std::abs(bubble - 3.0 / 7) < 0.05,
                 qPrintable(QString::number(bubble))); // (P−1) / (M+P−1)
        QCOMPARE(valueOf(rows, Metric::Steps, 1).spread.middle, 6.0);
        QVERIFY(changeText(Metric::Bubble, valueOf(rows, Metric::Bubble, 1)).find("points") !=
                std::string::npos);
    }

    void onlyDifferencesAreShown()
    {
        const std::vector<ComparedRun> runs{played("a", 1, 1, 2), played("b", 1, 2, 2)};
        const std::vector<SettingRow> rows = differences(settingRows(runs));
        QVERIFY(std::any_of(rows.begin(), rows.end(), [](const SettingRow& row) {
            return row.path == "layout.tp" && row.values == std::vector<std::string>{"1", "2"};
        }));
        for (const SettingRow& row : rows)
            QVERIFY2(row.path != "layout.pp" && row.path != "environment.id", row.path.c_str());
    }

    void lossesAgreeWithinRounding()
    {
        const ComparedRun reference = withLosses({3, 2, 1});
        QVERIFY(compareLosses(withLosses({3.00001, 2, 1}), reference).agrees());
        const LossComparison apart = compareLosses(withLosses({3, 2.0001, 1}), reference);
        QVERIFY(!apart.agrees());
        QVERIFY(apart.otherTraining.empty());
        QCOMPARE(apart.worstStep, 2);
        QCOMPARE(apart.steps, 3);
        QVERIFY(expectedLossDifference(100) > expectedLossDifference(10));
        QCOMPARE(expectedLossDifference(1000000), 1e-2);
    }

    void anotherTrainingNeedNotAgree()
    {
        ComparedRun other = withLosses({3, 2, 1});
        other.plan.training.seed += 1;
        QCOMPARE(compareLosses(other, withLosses({3, 2, 1})).otherTraining, std::string("seed"));
        other = withLosses({3, 2, 1});
        other.plan.layout.dp = 4;
        other.plan.training.schedule = "gpipe";
        QVERIFY(compareLosses(other, withLosses({3, 2, 1})).agrees());
    }

    void aPredictedPlanStandsBesideARun()
    {
        const std::vector<ExamplePlan> examples = examplePlans();
        const auto found =
            std::find_if(examples.begin(), examples.end(), [](const ExamplePlan& example) {
                return !parsePlanFile(example.text, example.name).plan.cluster.thisMachine;
            });
        QVERIFY(found != examples.end());
        const ComparedRun predicted =
            comparedPrediction(found->name, parsePlanFile(found->text, found->name).plan);
        QVERIFY(predicted.stepSeconds.middle > 0);
        QVERIFY(predicted.peakBytes > 0);
        const std::vector<ComparedRun> runs{played("a", 1, 1, 2), predicted};
        QCOMPARE(compareLosses(runs[1], runs[0]).otherTraining, std::string("prediction"));
        QVERIFY(comparisonHtml(runs).find("predicted") != std::string::npos);
    }

    void thePageIsTheSameEachTimeAndSafe()
    {
        std::vector<ComparedRun> runs{played("a", 1, 1, 2), played("b", 1, 2, 2)};
        runs[1].name = "<script>alert(1)</script>";
        const std::string page = comparisonHtml(runs);
        QCOMPARE(comparisonHtml(runs), page);
        QVERIFY(page.find("<script") == std::string::npos);
        QVERIFY(page.find("layout.tp") != std::string::npos);
        QVERIFY(page.find("layout.pp") == std::string::npos);
        QVERIFY(comparisonHtml(runs, true).find("layout.pp") != std::string::npos);
    }

    void theCsvReadsBack()
    {
        const std::vector<ComparedRun> runs{played("a", 1, 1, 2), played("b, \"2\"", 1, 2, 2)};
        const CsvTable csv = parseCsvTable(comparisonCsv(runs), "comparison");
        QCOMPARE(csv.rows.size(), 2 * metricRows(runs).size());
        QCOMPARE(csv.rows[1].cells[*csv.column("run")], std::string("b, \"2\""));
    }

    void aRunWithoutStepsIsShownAsSuch()
    {
        const std::vector<ComparedRun> runs{
            played("a", 1, 1, 1),
            comparedRun("b", tests::smallPlan(1, 1, 1, 4), {}, RunState::Failed, {})};
        const std::vector<MetricRow> rows = metricRows(runs);
        QCOMPARE(
            metricText(Metric::StepSeconds, valueOf(rows, Metric::StepSeconds, 1).spread.middle),
            std::string("–"));
        QCOMPARE(compareLosses(runs[1], runs[0]).steps, 0);
        QVERIFY(!comparisonHtml(runs).empty());
        QVERIFY(!comparisonHtml({runs[1]}).empty());
    }
};

QTEST_GUILESS_MAIN(ComparisonTest)
#include "comparison_test.moc"

// How fast a run went: the one definition behind the window, the history and the report.

#include "engine/record/step_figures.h"

#include <QTest>
#include <cmath>

using namespace triaxis;

namespace
{

std::vector<StepResult> steps(const std::vector<double>& seconds)
{
    std::vector<StepResult> results;
    for (const double time : seconds) {
        StepResult& step = results.emplace_back();
        step.step = std::int32_t(results.size());
        step.seconds = time;
        step.tokens = 100;
    }
    return results;
}

} // namespace

class StepFiguresTest : public QObject
{
    Q_OBJECT

private slots:
    void theFirstStepIsLeftOutWhereThereAreOthers()
    {
        QCOMPARE(stepFigures(steps({9})).stepSeconds, 9.0);
        const StepFigures figures = stepFigures(steps({9, 1, 2, 4, 3}));
        QCOMPARE(int(figures.steps), 4);
        QCOMPARE(figures.stepSeconds, 2.5);
        QCOMPARE(figures.tokensPerSecond, 40.0);
    }
    void onlyTheLastCountWhereAsked()
    {
        const StepFigures figures = stepFigures(steps({9, 1, 1, 5, 3}), 2);
        QCOMPARE(int(figures.steps), 2);
        QCOMPARE(figures.stepSeconds, 4.0);
        QCOMPARE(int(stepFigures(steps({9, 1, 1}), 20).steps), 2);
    }
    void nothingIsKnownWithoutSteps()
    {
        QVERIFY(std::isnan(stepFigures({}).stepSeconds));
        QVERIFY(std::isnan(stepFigures(steps({0, 0})).tokensPerSecond));
    }
};

QTEST_APPLESS_MAIN(StepFiguresTest)
#include "step_figures_test.moc"

#include "engine/cost/ideal_machine.h"
#include "engine/cost/machine_costs.h"
#include "engine/formats/hf_config.h"
#include "engine/formats/plan_file.h"
#include "engine/record/demo_plan.h"
#include "storage/history.h"
#include "tests/engine/plan/random_plans.h"
#include "tests/ui/support/stored_run.h"
#include "ui/commands/change_plan.h"
#include "ui/commands/set_axis_size.h"
#include "ui/commands/set_axis_sizes.h"
#include "ui/commands/swap_ranks.h"
#include "ui/plan/finished_runs.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_predictor.h"
#include "ui/plan/prediction_figures.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class PlanPredictorTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_home;
    std::unique_ptr<PlanDocument> m_document;
    std::unique_ptr<PlanPredictor> m_predictor;

    static DrawnPlan onCluster()
    {
        RunPlan run = demoPlan();
        run.data = {};
        DrawnPlan plan = withModel(drawnPlan(run), modelPreset("llama3-8b"));
        plan = withNetwork(plan, clusterPreset("dgx-h100"));
        plan = withAxisSizes(plan, 2, 8, 1);
        plan.run.training.batch = {32, 1, 4096};
        plan.zero = ZeroStage::Optimizer;
        return plan;
    }

    void settle() { QTRY_VERIFY_WITH_TIMEOUT(m_predictor->isUpToDate(), 20'000); }

private slots:
    void init()
    {
        m_document = std::make_unique<PlanDocument>(onCluster(), 2);
        m_predictor = std::make_unique<PlanPredictor>(*m_document, m_home.path().toStdString());
        settle();
    }

    void cleanup()
    {
        m_predictor.reset();
        m_document.reset();
    }

    void everyEditIsPredicted()
    {
        QVERIFY(m_predictor->prediction()->known);
        QVERIFY(!m_predictor->before());
        const double before = m_predictor->prediction()->seconds;
        m_document->apply(std::make_unique<SetAxisSize>(*m_document, Axis::Tensor, 4));
        settle();
        QCOMPARE(m_predictor->prediction()->seconds, predictDrawn(m_document->drawn()).seconds);
        QCOMPARE(m_predictor->before()->seconds, before);
        m_document->undoStack().undo();
        settle();
        QCOMPARE(m_predictor->prediction()->seconds, before);
    }

    void aDragIsComparedWithWhatWasBeforeIt()
    {
        const double before = m_predictor->prediction()->seconds;
        for (const int dp : {4, 1, 8, 4}) {
            m_document->apply(std::make_unique<SetAxisSizes>(*m_document, dp, 8, 1, 77));
            settle();
        }
        QCOMPARE(m_document->undoStack().count(), 1);
        QCOMPARE(m_predictor->before()->seconds, before);
    }

    void overtakenWorkIsDropped()
    {
        // Many microbatches: each prediction takes longer than an edit.
        DrawnPlan slow = withAxisSizes(m_document->drawn(), 1, 1, 16);
        slow.run.training.batch = {16384, 1, 4096};
        m_document->apply(std::make_unique<ChangePlan>(*m_document, slow, "slow"));
        settle();
        const int before = m_predictor->computed();
        constexpr int edits = 100;
        for (int i = 0; i < edits; ++i) {
            slow.run.training.batch.globalBatch = 16384 - i;
            m_document->apply(std::make_unique<ChangePlan>(*m_document, slow, "slower"));
        }
        settle();
        QVERIFY2(m_predictor->computed() - before < edits / 2,
                 qPrintable(QString::number(m_predictor->computed() - before)));
        QCOMPARE(m_predictor->prediction()->seconds, predictDrawn(m_document->drawn()).seconds);
    }

    void thisMachineHasEveryFigureOfTheStepItShows()
    {
        RunPlan run = demoPlan();
        run.data = {};
        run.execution.pace.forward = {10e-3};
        run.execution.pace.input = {10e-3};
        run.execution.pace.weight = {10e-3};
        run.execution.pace.pipeline = {2e-3, 1e9};
        const DrawnPlan plan = drawnPlan(run);
        MachineFacts facts;
        facts.calibration = idealMachine(2);
        const DrawnPrediction prediction = predictDrawn(plan, facts);
        QVERIFY(prediction.known && prediction.basis == PredictionBasis::Machine);
        // The bubble is that of the spans which the page shows, as in a run.
        const DrawnTimeline timeline = drawnTimeline(plan, facts);
        QCOMPARE(prediction.bubble, bubble(timeline.shares, timeline.layout));
        QVERIFY(prediction.exposed.pipeline > 0);
        QVERIFY(prediction.exposed.total() < prediction.seconds);
        auto figures = predictionFigures(plan, &prediction, nullptr, facts);
        QCOMPARE(figures[4].name, QStringLiteral("Exposed comm."));
        QVERIFY2(figures[4].value.endsWith(QLatin1Char('%')), qPrintable(figures[4].value));
        QVERIFY2(figures[4].meaning.contains(QStringLiteral("PP ")),
                 qPrintable(figures[4].meaning));
        // No runs yet, and cores that keep their pace: nothing to expect an error from.
        QCOMPARE(figures[6].value, QStringLiteral("–"));
        QCOMPARE(figures[6].meaning, QStringLiteral("run it and compare"));
        facts.paced = {3, 0.12};
        const DrawnPrediction told = predictDrawn(plan, facts);
        figures = predictionFigures(plan, &told, nullptr, facts);
        QVERIFY2(figures[6].value.contains(QStringLiteral("12")), qPrintable(figures[6].value));
        QCOMPARE(figures[6].meaning, QStringLiteral("3 runs here"));
        QVERIFY(figures[0].error.contains(QStringLiteral("12")));
        // Those without slots say nothing about one with them.
        facts.paced = {};
        facts.finished = {5, 0.4};
        QVERIFY(predictDrawn(plan, facts).errorBasis == ErrorBasis::None);
    }

    void errorsAreThoseOfTheFinishedRunsHere()
    {
        QTemporaryDir folder;
        const std::filesystem::path home = folder.path().toStdString();
        RunPlan paced = tests::smallPlan(1, 1, 2, 4);
        paced.execution.pace.forward = {11e-3};
        paced.execution.pace.input = {11e-3};
        paced.execution.pace.weight = {11e-3};
        tests::storeFinishedRun(home, paced, 6);
        tests::storeFinishedRun(home, tests::smallPlan(1, 1, 2, 4), 6);
        tests::storeFinishedRun(home, paced, 2); // too short
        History(home).refresh();
        MachineCalibration machine = idealMachine(2);
        machine.host = tests::sampleEnvironment().host;
        machine.date = "2026-02-14T10:00:00Z";
        FinishedRunErrors errors;
        const auto found = errors.look(home, machine);
        QCOMPARE(found.paced.runs, 1);
        QCOMPARE(found.finished.runs, 1);
        double measured = 0;
        for (const RunSummary& run : History(home).runs())
            if (run.steps == 6)
                measured = run.stepSeconds; // both are played alike
        const double told = predictOnMachine(paced, machine).stepSeconds;
        QVERIFY(qAbs(found.paced.error - qAbs(told / measured - 1)) < 1e-9);
        // Each is priced once, those of other machines never.
        QCOMPARE(errors.priced(), 2);
        QCOMPARE(errors.look(home, machine).paced.runs, 1);
        QCOMPARE(errors.priced(), 2);
        machine.host = "another";
        machine.date = "2026-02-15T10:00:00Z";
        QCOMPARE(errors.look(home, machine).paced.runs, 0);
        QCOMPARE(errors.priced(), 2);
    }

    void aPlanThatBreaksARuleHasNoFigures()
    {
        m_document->apply(std::make_unique<SetAxisSizes>(*m_document, 2, 5, 1));
        settle();
        QVERIFY(!m_predictor->prediction()->known);
        const auto figures = predictionFigures(m_document->drawn(), m_predictor->prediction().get(),
                                               m_predictor->before().get(), m_predictor->machine());
        QCOMPARE(figures.front().value, QString("–"));
    }

    void changesHaveAnArrowAndAColour()
    {
        m_document->apply(std::make_unique<SwapRanks>(*m_document, Rank(1), Rank(9)));
        settle();
        const auto figures = predictionFigures(m_document->drawn(), m_predictor->prediction().get(),
                                               m_predictor->before().get(), m_predictor->machine());
        QCOMPARE(figures[0].name, QString("Step time"));
        QVERIFY2(figures[0].meaning.startsWith("▲"), qPrintable(figures[0].meaning));
        QVERIFY(figures[0].tone == Tone::Bad);
        QVERIFY(figures[1].meaning.startsWith("▼"));
        QVERIFY(changeText(2, 2).isEmpty() && changeText(1, unknownFigure).isEmpty());
    }

    void outOfMemoryComesWithMends()
    {
        DrawnPlan plan = onCluster();
        plan = withModel(plan, modelPreset("llama3-70b"));
        plan.run.training.batch = {2, 1, 8192};
        m_document->apply(std::make_unique<ChangePlan>(*m_document, plan, "model"));
        settle();
        QVERIFY(hasErrors(m_predictor->prediction()->findings));
        QTRY_VERIFY_WITH_TIMEOUT(m_predictor->outOfMemory() != nullptr, 20'000);
    }

    void aThousandRandomEditsAreTakenBack()
    {
        std::mt19937 random(20);
        const DrawnPlan before = m_document->drawn();
        while (m_document->undoStack().count() < 1000)
            m_document->apply(std::make_unique<ChangePlan>(
                *m_document, tests::randomEdit(m_document->drawn(), random), "edit"));
        const DrawnPlan after = m_document->drawn();
        while (m_document->undoStack().canUndo())
            m_document->undoStack().undo();
        QVERIFY(samePlan(m_document->drawn(), before));
        while (m_document->undoStack().canRedo())
            m_document->undoStack().redo();
        QVERIFY(samePlan(m_document->drawn(), after));
    }
};

QTEST_MAIN(PlanPredictorTest)
#include "plan_predictor_test.moc"

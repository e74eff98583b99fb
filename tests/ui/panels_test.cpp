#include "engine/core/units.h"
#include "tests/engine/timeline/played_run.h"
#include "ui/base/text.h"
#include "ui/panels/bubble_panel.h"
#include "ui/panels/calibrate_box.h"
#include "ui/panels/communication_panel.h"
#include "ui/panels/loss_panel.h"
#include "ui/panels/memory_panel.h"
#include "ui/panels/panel_tabs.h"
#include "ui/panels/prediction_panel.h"
#include "ui/run/predicted_lanes.h"
#include "ui/run/restart_dialog.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme_controller.h"
#include "ui/timeline/view_range.h"
#include "ui/widgets/traffic_grid.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

RunUpdate updateOf(const RunPlan& plan, const RunRecords& records)
{
    RunUpdate update;
    update.lanes = std::make_shared<Lanes>(plan.layout);
    update.lanes->append(records.all.spans);
    update.steps = records.all.steps;
    update.memory = records.all.memory;
    for (const StepResult& step : records.all.steps) {
        std::vector<Span> spans;
        for (const Span& span : records.all.spans)
            if (span.step == step.step)
                spans.push_back(span);
        update.shares.push_back(stepShares(spans, plan.layout));
        update.details.push_back({update.shares.back(), stepTraffic(spans, plan.layout),
                                  std::make_shared<const std::vector<Span>>(spans)});
    }
    return update;
}

std::unique_ptr<RunData> played(const RunPlan& plan, int steps,
                                const tests::Durations& durations = {})
{
    RunOpening opening;
    opening.plan = plan;
    opening.plan.training.steps = 100;
    opening.form = planClosedForm(plan);
    opening.directory = "/nowhere/runs/one";
    auto run = std::make_unique<RunData>(opening);
    run->apply(updateOf(plan, tests::playRun(plan, steps, durations)));
    return run;
}

double percentOf(const QString& text)
{
    return text.left(text.indexOf(QChar(0x202F))).toDouble();
}

/// The prediction of a played run: its own first step, every duration times `factor`.
std::shared_ptr<const RunPrediction> predictionOf(const RunPlan& plan, double factor)
{
    tests::Durations durations;
    for (double* seconds : {&durations.forward, &durations.backward, &durations.transfer,
                            &durations.collective, &durations.optimizer})
        *seconds *= factor;
    const Program program =
        programFor(plan.training.schedule, {plan.model, plan.layout, plan.training.batch});
    RunPrediction prediction;
    prediction.prediction.emplace();
    prediction.prediction->spans = tests::playStep(program, plan.layout, durations);
    prediction.prediction->stepSeconds = 1;
    prediction.prediction->memory.resize(std::size_t(plan.layout.ranks()));
    for (PredictedBytes& memory : prediction.prediction->memory)
        memory.peakTotal = 200 << 20;
    prediction.basis = "a played step";
    return std::make_shared<const RunPrediction>(prediction);
}

} // namespace

class PanelsTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_settings;

    template <class Panel>
    static void show(Panel& panel, const RunData* run, const ShownSteps& steps,
                     const QSize& size = {390, 420})
    {
        panel.resize(size);
        panel.setRun(run);
        panel.setSteps(steps);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
    }

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
    }

    void bubblePhasesSumToAHundredPercent()
    {
        for (const int stages : {1, 2, 8}) {
            const RunPlan plan = tests::smallPlan(1, 1, stages, 8);
            const auto run = played(plan, 3);
            BubblePanel panel;
            show(panel, run.get(), {1, 3});
            QCOMPARE(int(panel.stages().size()), stages);
            const FigureTable table = phaseTable(panel.stages());
            const auto at = [&](const char* name, std::size_t column) {
                for (std::size_t row = 0; row < table.rows.size(); ++row)
                    if (table.rows[row].text == QLatin1String(name))
                        return percentOf(table.cells[row][column].text);
                return -1.0;
            };
            const FigureTable bubbles = bubbleTable(panel.stages(), run->form());
            QCOMPARE(panel.findChild<FigureTableView*>("bubbleTable")->verticalHeader()->width(),
                     panel.findChild<FigureTableView*>("phaseTable")->verticalHeader()->width());
            QCOMPARE(bubbles.rows[0].text, QStringLiteral("measured"));
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                double sum = 0;
                double idle = 0;
                for (int phase = 0; phase < bubblePhaseCount; ++phase) {
                    const double share = at(toText(BubblePhase(phase)), column);
                    QVERIFY(share >= 0);
                    sum += share;
                    idle += isIdle(BubblePhase(phase)) ? share : 0;
                }
                QVERIFY2(qAbs(sum - 100) < 0.45, qPrintable(QString::number(sum)));
                QCOMPARE(at("sum", column), 100.0);
                QVERIFY(qAbs(at("idle", column) - idle) < 0.3);
                // What the title of the table below says, of steps that are alike.
                const double bubble = at("idle", column) / (100 - at("tail", column)) * 100;
                QVERIFY2(qAbs(bubble - percentOf(bubbles.cells[0][column].text)) < 0.3,
                         qPrintable(QString::number(bubble)));
            }
            QVERIFY(!panel.grab().isNull());
        }
    }

    void bubbleFollowsTheRangeAndNamesIt()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        const auto run = played(plan, 5);
        BubblePanel panel;
        show(panel, run.get(), {2, 4});
        auto* basis = panel.findChild<QLabel*>("bubblePanelBasis");
        QVERIFY2(basis->text().startsWith("mean of steps 2–4"), qPrintable(basis->text()));
        panel.setSteps({5, 5});
        QVERIFY(basis->text().startsWith("step 5"));
        auto* whole = panel.findChild<QPushButton*>("bubblePanelWholeRun");
        QSignalSpy asked(&panel, &RunPanel::wholeRunRequested);
        QVERIFY(whole->isVisible());
        whole->click();
        QCOMPARE(asked.size(), 1);
        panel.setSteps({1, 5});
        QVERIFY(!whole->isVisible());
        panel.setSteps({});
        QVERIFY(panel.stages().empty());
    }

    void bubbleStandsBesideItsClosedForm()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 4, 8);
        const auto run = played(plan, 2);
        BubblePanel panel;
        show(panel, run.get(), {1, 2});
        const FigureTable table = bubbleTable(panel.stages(), run->form());
        bool found = false;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            if (table.rows[row].text != "closed form")
                continue;
            found = true;
            QVERIFY(qAbs(percentOf(table.cells[row][0].text) - 300.0 / 11) < 0.06);
        }
        QVERIFY(found);
    }

    void definitionsFoldOut()
    {
        BubblePanel panel;
        show(panel, nullptr, {});
        auto* button = panel.findChild<QToolButton*>("bubblePanelHelp");
        auto* text = panel.findChild<QLabel*>("bubblePanelHelpText");
        QVERIFY(!text->isVisible());
        QTest::keyClick(button, Qt::Key_Space);
        QVERIFY(text->isVisible());
        QVERIFY(text->text().contains("pipeline fills"));
    }

    void modelsKeepTheContract()
    {
        FigureTableModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        const auto run = played(plan, 2);
        const auto prediction = predictionOf(plan, 1.1);
        const auto join = joinPrediction(prediction->prediction->spans,
                                         spansOf(*run, ShownSteps{1, 2}), plan.layout);
        model.setTable(kindErrorTable(join));
        QVERIFY(model.rowCount() > 4);
        model.setTable(rankErrorTable(join, plan.layout));
        QCOMPARE(model.rowCount(), 4);
        model.setTable(memoryErrorTable(*run, prediction->prediction->memory));
        model.setTable(
            bubbleTable(phasesByStage(sharesOf(*run, {1, 2}), plan.layout), run->form()));
        QCOMPARE(model.columnCount(), 3);
        QVERIFY(
            model.data(model.index(0, 0), Qt::AccessibleTextRole).toString().contains("stage 0"));
        model.setTable({});
        QCOMPARE(model.rowCount(), 0);
    }

    void scrubbingChangesTheColours()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        RunRecords records = tests::playRun(plan, 5, {});
        for (MemorySample& sample : records.all.memory) {
            sample.peakTotal = sample.peakTotal * sample.step / 5;
            for (std::int64_t& bytes : sample.peak)
                bytes = bytes * sample.step / 5;
        }
        RunOpening opening;
        opening.plan = plan;
        RunData run(opening);
        run.apply(updateOf(plan, records));
        ViewRange range;
        range.setLanes(run.lanes());
        MemoryPanel panel(range);
        show(panel, &run, {1, 5});
        const QColor peak = panel.grid()->colourOf(0);
        auto* slider = panel.findChild<QSlider*>("memoryMoment");
        QCOMPARE(slider->maximum(), 4);
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QVERIFY(range.cursor().has_value());
        const QColor first = panel.grid()->colourOf(0);
        QVERIFY(first != peak);
        QTest::keyClick(slider, Qt::Key_Right);
        QVERIFY(panel.grid()->colourOf(0) != first);
        range.setCursor(std::nullopt);
        panel.setSteps({1, 1}); // the peak of what is shown
        QCOMPARE(panel.grid()->colourOf(0), first);
        panel.findChild<QComboBox*>("memoryKind")->setCurrentIndex(1); // of the run
        QCOMPARE(panel.grid()->colourOf(0), peak);
        panel.findChild<QComboBox*>("memoryKind")->setCurrentIndex(0);
        range.setCursor(run.lanes()->stepRange(5).second);
        QCOMPARE(slider->value(), 4);
        QCOMPARE(panel.grid()->colourOf(0), peak);
        range.setCursor(std::nullopt);
        QCOMPARE(panel.findChild<QComboBox*>("memoryKind")->currentIndex(), 0);
    }

    void categoriesAndRanksAreChosenByKeyboard()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        const auto run = played(plan, 3);
        ViewRange range;
        range.setLanes(run->lanes());
        MemoryPanel panel(range);
        show(panel, run.get(), {1, 3});
        const std::int64_t all = panel.grid()->cells()[0].bytes;
        auto* category = panel.findChild<QComboBox*>("memoryCategory");
        QTest::keyClick(category, Qt::Key_Down);
        QVERIFY(panel.grid()->cells()[0].bytes < all);
        QTest::keyClick(panel.grid(), Qt::Key_Right);
        QTest::keyClick(panel.grid(), Qt::Key_Right);
        QCOMPARE(panel.grid()->selected(), 1);
        QVERIFY(panel.findChild<QLabel*>("memoryCurvesTitle")->text().contains("rank 1"));
        QCOMPARE(panel.findChild<MemoryCurves*>()->points().size(), std::size_t(3));
        QTest::keyClick(panel.grid(), Qt::Key_Escape);
        QCOMPARE(panel.grid()->selected(), -1);
    }

    void aThousandRanksHaveACellEach()
    {
        RunOpening opening;
        opening.plan = tests::smallPlan(32, 8, 4, 1);
        RunData run(opening);
        RunUpdate update;
        for (int rank = 0; rank < 1024; ++rank) {
            MemorySample sample;
            sample.rank = Rank(rank);
            sample.step = 1;
            sample.time = 1;
            sample.peakTotal = (1 + rank) << 10;
            update.memory.push_back(sample);
        }
        run.apply(update);
        ViewRange range;
        MemoryPanel panel(range);
        show(panel, &run, {});
        QCOMPARE(panel.grid()->cells().size(), std::size_t(1024));
        QVERIFY(!panel.grab().isNull());
        QVERIFY(panel.grid()->colourOf(0) != panel.grid()->colourOf(1023));
    }

    void trafficTellsPairsByAxis()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        const auto run = played(plan, 2);
        CommunicationPanel panel;
        show(panel, run.get(), {1, 2});
        QCOMPARE(panel.grid()->matrix().size(), std::size_t(4));
        panel.grid()->setFocus();
        QTest::keyClick(panel.grid(), Qt::Key_Home);
        const int next = rankOf(plan.layout, {0, 0, 1}).value;
        for (int i = 0; i < next; ++i)
            QTest::keyClick(panel.grid(), Qt::Key_Right);
        auto* reading = panel.findChild<QLabel*>("trafficReading");
        QVERIFY2(reading->text().startsWith("rank 0 → rank 2: "), qPrintable(reading->text()));
        QVERIFY2(reading->text().contains("/s"), qPrintable(reading->text()));
        auto* axis = panel.findChild<QComboBox*>("trafficAxis");
        axis->setCurrentIndex(axis->findText("tensor"));
        QVERIFY2(reading->text().contains("nothing"), qPrintable(reading->text()));
        auto* measure = panel.findChild<QComboBox*>("trafficMeasure");
        measure->setCurrentIndex(1);
        axis->setCurrentIndex(0);
        QVERIFY(!panel.grab().isNull());
        auto* fold = panel.findChild<QComboBox*>("trafficFold");
        fold->setCurrentIndex(fold->findText("by stage"));
        QCOMPARE(panel.grid()->matrix().size(), std::size_t(2));
    }

    void oneRankTalksToNobody()
    {
        const auto run = played(tests::smallPlan(1, 1, 1, 2), 1);
        CommunicationPanel panel;
        show(panel, run.get(), {1, 1});
        QVERIFY(!panel.grid()->isVisible());
    }

    void predictionIsJoinedSpanBySpan()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        const auto run = played(plan, 4);
        PredictionPanel panel;
        show(panel, run.get(), {2, 4});
        QVERIFY(panel.findChild<QLabel*>("predictionState")->text().contains("Predicting"));
        panel.setPrediction(predictionOf(plan, 1.2));
        QCOMPARE(panel.join().steps, 3);
        QCOMPARE(panel.join().measuredOnly + panel.join().predictedOnly, std::size_t(0));
        for (const KindErrors& row : panel.join().byKind)
            if (isCompute(row.kind))
                QVERIFY(qAbs(row.errors.median - 0.2) < 1e-9);
        auto* kinds = panel.findChild<FigureTableView*>("kindErrors");
        QVERIFY(kinds->isVisible());
        const auto& table = kinds->figures()->table();
        QVERIFY2(table.cells[0][2].text.startsWith("+20"), qPrintable(table.cells[0][2].text));
        QVERIFY(!panel.findChild<QPushButton*>("calibrate")->isVisible());
        QVERIFY(panel.findChild<FigureTableView*>("memoryErrors")->figures()->rowCount() == 4);
        const FigureTable uses =
            panel.findChild<FigureTableView*>("memoryUseErrors")->figures()->table();
        QVERIFY(uses.rows.size() > 1);
        QCOMPARE(uses.rows.front().text, QString(toText(MemoryCategory(0))));
        QVERIFY(uses.cells.front()[2].text.endsWith(QChar('%')));
        QVERIFY(!panel.grab().isNull());
    }

    void errorsOfSomeSpansStandBesideTheirTimes()
    {
        // Most sends take no time on one side: what is compared is what is shown.
        const RunPlan plan = tests::smallPlan(1, 1, 2, 8);
        const auto prediction = predictionOf(plan, 1.0);
        std::vector<Span> measured = spansOf(*played(plan, 2), ShownSteps{2, 2});
        int sends = 0;
        for (Span& span : measured) {
            if (span.id.kind() != Kind::SendActivation)
                continue;
            span.end = span.begin + (++sends > 2 ? 0 : 1e-3);
        }
        std::vector<Span> predicted = prediction->prediction->spans;
        for (Span& span : predicted)
            if (span.id.kind() == Kind::SendActivation)
                span.end = span.begin + 80e-6;
        const PredictionJoin join = joinPrediction(predicted, measured, plan.layout);
        const FigureTable table = kindErrorTable(join);
        bool found = false;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            if (table.rows[row].text != QLatin1String(toText(Kind::SendActivation)))
                continue;
            found = true;
            QCOMPARE(table.cells[row][0].text, toQString(units::seconds(1e-3)));
            QCOMPARE(table.cells[row][1].text, toQString(units::seconds(80e-6)));
            QVERIFY2(table.cells[row][2].text.contains(QStringLiteral("92")),
                     qPrintable(table.cells[row][2].text));
            QVERIFY2(table.rows[row].tip.contains(QStringLiteral("2 compared")),
                     qPrintable(table.rows[row].tip));
        }
        QVERIFY(found);
    }

    void cellsHaveAllTheirNumbersOrNone()
    {
        TrafficMatrix matrix;
        for (int row = 0; row < 8; ++row)
            matrix.names.push_back("rank " + std::to_string(row));
        matrix.cells.resize(64);
        for (std::size_t i = 0; i < matrix.cells.size(); ++i)
            matrix.cells[i].bytes = i % 3 == 0 ? 0 : 30'000.0 * double(i) * double(i);
        TrafficGrid grid;
        QList<TrafficGrid::Numbers> seen;
        for (const int width : {900, 420, 300, 190, 120}) {
            grid.resize(width, 330);
            grid.setMatrix(matrix, TrafficGrid::Measure::Bytes);
            seen << grid.numbers();
            for (int from = 0; from < 8; ++from)
                for (int to = 0; to < 8; ++to) {
                    const bool none =
                        grid.numbers() == TrafficGrid::Numbers::None || (from * 8 + to) % 3 == 0;
                    QCOMPARE(grid.textOf({from, to}).isEmpty(), none);
                }
            QVERIFY(!grid.grab().isNull());
        }
        QCOMPARE(seen.first(), TrafficGrid::Numbers::WithUnit);
        QVERIFY(seen.contains(TrafficGrid::Numbers::InOneUnit));
        QCOMPARE(seen.last(), TrafficGrid::Numbers::None);
        QVERIFY(grid.legendText().contains(QStringLiteral("choose a cell")));
        grid.resize(300, 330);
        QVERIFY2(grid.legendText().contains(QStringLiteral("cells in MiB")),
                 qPrintable(grid.legendText()));
    }

    void errorsBeyondTenTimesAreFactors()
    {
        QCOMPARE(errorText(0.5), signedPercent(0.5));
        QCOMPARE(errorText(8.9), signedPercent(8.9));
        QCOMPARE(errorText(9), QStringLiteral("×10"));
        QCOMPARE(errorText(2620.7), QStringLiteral("×") + wholeNumber(2622));
        QCOMPARE(errorText(-0.92), signedPercent(-0.92));
        QCOMPARE(errorText(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("–"));
        QVERIFY(errorText(3e9).size() < 10);
    }

    void noFigureOfTheErrorsIsClipped()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        const auto run = played(plan, 4);
        PredictionPanel panel;
        panel.resize(340, 700); // about the narrowest that the page gives
        show(panel, run.get(), {2, 4});
        panel.setPrediction(predictionOf(plan, 2000));
        QApplication::processEvents();
        for (const char* name : {"stepErrors", "kindErrors", "rankErrors", "memoryErrors"}) {
            auto* table = panel.findChild<FigureTableView*>(QLatin1String(name));
            QVERIFY(table->isVisible());
            QVERIFY2(table->horizontalHeader()->length() <= table->viewport()->width(), name);
            const QFontMetrics metrics(fontOf(FontRole::SmallBold));
            const FigureTable& figures = table->figures()->table();
            for (const auto& row : figures.cells)
                for (std::size_t column = 0; column < row.size(); ++column)
                    QVERIFY2(metrics.horizontalAdvance(row[column].text) <=
                                 table->columnWidth(int(column)),
                             qPrintable(row[column].text));
        }
        QVERIFY(panel.findChild<QLabel*>("predictionSign")->text().contains("predicted too long"));
    }

    void withoutCalibrationItSaysWhatToDo()
    {
        const auto run = played(tests::smallPlan(1, 1, 2, 4), 2);
        RunPrediction none;
        none.wantsCalibration = true;
        none.problem = "this machine has not been measured";
        none.remedy = "measure it once: triaxis calibrate";
        PredictionPanel panel;
        show(panel, run.get(), {1, 2});
        panel.setPrediction(std::make_shared<const RunPrediction>(none));
        auto* state = panel.findChild<QLabel*>("predictionState");
        QVERIFY2(state->text().contains("triaxis calibrate"), qPrintable(state->text()));
        QVERIFY(panel.findChild<QPushButton*>("calibrate")->isVisible());
    }

    void calibrationTellsHowFarItIs()
    {
        QTemporaryDir folder;
        const QString program = folder.filePath("triaxis");
        QFile script(program);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(
            "#!/bin/sh\n[ \"$1\" = calibrate ] || exit 2\necho '1 of 2: 1 rank, 1 thread, compute' "
            ">&2\n"
            "echo '2 of 2: 2 ranks, 1 thread, messages' >&2\ntouch \"$TRIAXIS_HOME/done\"\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        Calibrator calibrator;
        QSignalSpy progress(&calibrator, &Calibrator::progress);
        QSignalSpy finished(&calibrator, &Calibrator::finished);
        calibrator.start(program, folder.path());
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, 20000);
        QCOMPARE(progress.last().at(0).toInt(), 1);
        QCOMPARE(progress.last().at(1).toInt(), 2);
        QVERIFY(QFile::exists(folder.filePath("done")));
        QSignalSpy failed(&calibrator, &Calibrator::failed);
        calibrator.start(folder.filePath("missing"), folder.path());
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20000);
    }

    void predictedLanesBeginWithTheirSteps()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        const auto run = played(plan, 5);
        const auto prediction = predictionOf(plan, 1.0);
        const Lanes& lanes = *run->lanes();
        const TimeWindow window{lanes.stepRange(2).first, lanes.stepRange(4).second};
        const auto steps = stepsToLay(lanes, window, prediction->prediction->spans.size());
        QCOMPARE(steps, (std::vector<std::int32_t>{2, 3, 4}));
        const LaidPrediction laid =
            layPrediction(lanes, prediction->prediction->spans, steps, PredictionFit::Time);
        QVERIFY(!laid.cut);
        for (const std::int32_t step : steps) {
            QVERIFY(qAbs(laid.lanes->stepRange(step).first - lanes.stepRange(step).first) < 1e-9);
            QVERIFY(qAbs(laid.lanes->stepRange(step).second - lanes.stepRange(step).second) < 1e-6);
        }
        QVERIFY(stepsToLay(lanes, window, 1'000'000).empty());
    }

    void predictedStepsNeverReachIntoTheNext_data()
    {
        QTest::addColumn<double>("factor");
        QTest::newRow("longer") << 3.0;
        QTest::newRow("shorter") << 0.4;
    }

    void predictedStepsNeverReachIntoTheNext()
    {
        QFETCH(double, factor);
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        const auto run = played(plan, 4);
        const auto prediction = predictionOf(plan, factor);
        const std::vector<Span>& spans = prediction->prediction->spans;
        const Lanes& lanes = *run->lanes();
        const std::vector<std::int32_t> steps{2, 3};
        const LaidPrediction byClock = layPrediction(lanes, spans, steps, PredictionFit::Time);
        QCOMPARE(byClock.cut, factor > 1);
        const LaidPrediction scaled = layPrediction(lanes, spans, steps, PredictionFit::Step);
        QVERIFY(!scaled.cut);
        for (const LaidPrediction* laid : {&byClock, &scaled})
            QVERIFY(laid->lanes->stepRange(2).second <= lanes.stepRange(3).first + 1e-9);
        // By the clock as long as predicted where there is room, scaled as long as measured.
        const auto [begin, end] = lanes.stepRange(2);
        const double length = std::min(end, lanes.stepRange(3).first) - begin;
        const auto [from, to] = scaled.lanes->stepRange(2);
        QVERIFY(qAbs(to - from - length) < 1e-6 * length);
        const auto [clockFrom, clockTo] = byClock.lanes->stepRange(2);
        QVERIFY(qAbs(clockTo - clockFrom - length * std::min(1.0, factor)) < 0.02 * length);
        // The whole step is there: as many spans as were predicted.
        QCOMPARE(scaled.lanes->ranks()[0].compute.size(),
                 2 * predictedStep(*prediction, plan.layout)->ranks()[0].compute.size());
    }

    void tabsTurnDetachAndComeBack()
    {
        ViewRange range;
        QWidget window;
        auto* tabs = new PanelTabs({new LossPanel, new BubblePanel, new MemoryPanel(range)},
                                   &window, &window);
        window.resize(400, 400);
        tabs->resize(400, 400);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_3, Qt::AltModifier);
        QCOMPARE(tabs->page(), 2);
        QTest::keyClick(tabs->findChild<QTabBar*>(), Qt::Key_Left);
        QCOMPARE(tabs->page(), 1);
        RunPanel* bubble = tabs->panel(1);
        tabs->detach();
        QVERIFY(tabs->isDetached(1));
        QVERIFY(bubble->window() != &window && bubble->isVisible());
        bubble->window()->close();
        QVERIFY(!tabs->isDetached(1));
        QVERIFY(bubble->window() == &window && bubble->isVisible());
    }

    void aRestartIsCheckedBeforeItBegins()
    {
        RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        RestartDialog dialog(plan, true);
        auto* now = dialog.findChild<QPushButton*>("restartNow");
        QVERIFY(now->isEnabled());
        dialog.findChild<QSpinBox*>("restartMicrobatch")->setValue(3); // 4 sequences do not divide
        QVERIFY(!now->isEnabled());
        QVERIFY(!dialog.findChild<QLabel*>("restartProblem")->text().isEmpty());
        dialog.findChild<QSpinBox*>("restartMicrobatch")->setValue(2);
        auto* schedule = dialog.findChild<QComboBox*>("restartSchedule");
        schedule->setCurrentIndex(schedule->findData("gpipe"));
        QVERIFY(now->isEnabled());
        QTest::mouseClick(now, Qt::LeftButton);
        QCOMPARE(dialog.choice(), RestartDialog::Choice::Restart);
        QCOMPARE(dialog.plan().training.schedule, std::string("gpipe"));
        QCOMPARE(dialog.plan().training.batch.microbatch, 2);
    }

    void nothingIsClippedInLargeText()
    {
        ThemeController theme(*qApp);
        theme.setTextScale(1.5);
        const RunPlan plan = tests::smallPlan(1, 1, 8, 8);
        const auto run = played(plan, 2);
        BubblePanel panel;
        show(panel, run.get(), {1, 2}, {390, 380});
        auto* table = panel.findChild<FigureTableView*>("bubbleTable");
        QVERIFY(table->height() >= table->sizeHint().height());
        PredictionPanel prediction;
        show(prediction, run.get(), {1, 2}, {390, 380});
        prediction.setPrediction(predictionOf(plan, 1.1));
        QVERIFY(!prediction.grab().isNull());
        theme.setTextScale(1.0);
    }
};

QTEST_MAIN(PanelsTest)
#include "panels_test.moc"

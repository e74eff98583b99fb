#include "engine/formats/plan_file.h"
#include "engine/record/demo_plan.h"
#include "ui/base/background.h"
#include "ui/pages/plan_page.h"
#include "ui/plan/floor_view.h"
#include "ui/plan/layer_bar.h"
#include "ui/plan/notice_list.h"
#include "ui/plan/plan_actions.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_files.h"
#include "ui/plan/plan_form.h"
#include "ui/plan/plan_predictor.h"
#include "ui/run/calibrate_question.h"
#include "ui/widgets/axis_chip.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/choice_box.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/lane_view.h"

#include <QAction>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>

using namespace triaxis;
using namespace triaxis::ui;

class PlanPageTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Background> m_background;
    std::unique_ptr<PlanDocument> m_document;
    std::unique_ptr<PlanPage> m_page;

    template <class Widget>
    Widget* find(const QString& name) const
    {
        auto* widget = m_page->findChild<Widget*>(name);
        if (widget == nullptr)
            qFatal("there is no %s", qPrintable(name));
        return widget;
    }

    QString figure(const QString& name) const
    {
        for (const Figure& figure : find<FigureStrip>("figures")->figures()) {
            if (figure.name == name)
                return figure.value;
        }
        return {};
    }

private slots:
    void init()
    {
        RunPlan plan = demoPlan();
        plan.data = {};
        m_background = std::make_unique<Background>();
        m_document = std::make_unique<PlanDocument>(plan, 2);
        m_page = std::make_unique<PlanPage>(*m_document, *m_background);
        m_page->resize(1180, 780);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }

    void cleanup()
    {
        m_page.reset();
        m_document.reset();
        m_background.reset();
    }

    void chipsChangeTheLayoutAndTheFigures()
    {
        const auto bubble = [this] { return figure("Bubble").split(QChar(0x202f)).front().toDouble(); };
        QTRY_VERIFY(bubble() > 0);
        const double before = bubble();
        QTest::keyClick(find<AxisChip>("layout.dp"), Qt::Key_PageUp);
        QCOMPARE(m_document->plan().layout.dp, 4);
        QCOMPARE(find<AxisChip>("layout.dp")->value(), 4);
        QTRY_VERIFY2(bubble() > before + 5, qPrintable(figure("Bubble"))); // half as many microbatches
        QTest::mouseClick(find<QToolButton>("undo"), Qt::LeftButton);
        QCOMPARE(find<AxisChip>("layout.dp")->value(), 2);
        QTest::mouseClick(find<QToolButton>("redo"), Qt::LeftButton);
        QCOMPARE(m_document->plan().layout.dp, 4);
    }

    void theMachineIsCalibratedAgainFromTheMenuAndThatIsStopped()
    {
        QTemporaryDir folder;
        QFile script(folder.filePath("triaxis"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\necho '1 of 2: 1 rank, 1 thread, compute' >&2\nexec sleep 60\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QAction* action = m_page->actions().measure();
        QCOMPARE(action->text(), QString("Calibrate this machine…"));
        auto* banner = find<Banner>("banner");
        bool agreed = false;
        m_page->setCalibration([&] { return agreed; }, script.fileName());
        action->trigger();
        QCOMPARE(action->text(), QString("Calibrate this machine…"));
        agreed = true;
        for (int round = 0; round < 2; ++round) {
            action->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(banner->accessibleName().contains("1 of 2: 1 rank"), 20000);
            QVERIFY(banner->accessibleName().contains("up to 4 minutes"));
            QCOMPARE(action->text(), QString("Stop the calibration"));
            if (round == 0)
                emit banner->actionTriggered();
            else
                action->trigger();
            QTRY_COMPARE_WITH_TIMEOUT(banner->title(), QString("The calibration was stopped"), 20000);
            QCOMPARE(action->text(), QString("Calibrate this machine…"));
        }
    }

    void aBusyMachineIsWarnedOfBeforeItIsCalibrated()
    {
        QVERIFY(loadWarning(0.5).isEmpty());
        QVERIFY(loadWarning(0).isEmpty());
        QVERIFY2(loadWarning(0.93).contains("0.9 per core"), qPrintable(loadWarning(0.93)));
        QVERIFY(loadPerCore() >= 0);
    }

    void brokenRuleIsShownAtItsChipAndKeepsTheRunFromStarting()
    {
        auto* chip = find<AxisChip>("layout.tp");
        QVERIFY(chip->problem().isEmpty());
        QTest::keyClick(chip, Qt::Key_Up);
        QVERIFY2(chip->problem().startsWith("use 1, 2"), qPrintable(chip->problem()));
        QVERIFY(!find<QPushButton>("run")->isEnabled());
        QTRY_VERIFY(find<LayerBar>("layerBar")->layers().empty());
        QTest::keyClick(chip, Qt::Key_Down);
        QVERIFY(chip->problem().isEmpty());
        QTRY_VERIFY(!find<LayerBar>("layerBar")->layers().empty());
        QVERIFY(find<QPushButton>("run")->isEnabled());
    }

    void mendButtonAppliesTheChange()
    {
        QTest::keyClick(find<AxisChip>("layout.tp"), Qt::Key_Up);
        QVERIFY(!m_document->canRun());
        const auto visibleMend = [this]() -> QPushButton* {
            for (QPushButton* button : find<NoticeList>("notices")->findChildren<QPushButton*>()) {
                if (button->text() == "Mend" && button->isVisible())
                    return button;
            }
            return nullptr;
        };
        QPushButton* mend = nullptr;
        QTRY_VERIFY((mend = visibleMend()) != nullptr);
        QTest::mouseClick(mend, Qt::LeftButton);
        QVERIFY(m_document->canRun());
        QVERIFY(m_document->undoStack().undoText().contains("tensor parallel size"));
    }

    void brokenBatchIsShownAtItsField()
    {
        auto* form = find<PlanForm>("planForm");
        auto* batch = find<QSpinBox>("training.globalBatch");
        batch->setValue(9);
        QCOMPARE(m_document->plan().training.batch.globalBatch, 9);
        QVERIFY(!form->problemOf("training.globalBatch").isEmpty());
        QCOMPARE(figure("Bubble"), QString("–"));
        batch->setValue(16);
        QVERIFY(form->problemOf("training.globalBatch").isEmpty());
    }

    void missingFileIsShownAtItsField()
    {
        auto* kind = find<QComboBox>("data");
        kind->setCurrentIndex(kind->findData(int(DataKind::Text)));
        emit kind->activated(kind->currentIndex());
        auto* file = find<QLineEdit>("data.path");
        QVERIFY(file->isVisible());
        file->setText("/nowhere/book.txt");
        emit file->editingFinished();
        QVERIFY(!find<PlanForm>("planForm")->problemOf("data.path").isEmpty());
        QVERIFY(!m_document->canRun());

        QTemporaryDir folder;
        QFile book(folder.filePath("book.txt"));
        QVERIFY(book.open(QIODevice::WriteOnly));
        book.write(QByteArray(10'000, 'a'));
        book.close();
        file->setText(book.fileName());
        emit file->editingFinished();
        QVERIFY2(m_document->canRun(),
                 qPrintable(find<PlanForm>("planForm")->problemOf("data.path")));
    }

    void chunksFollowTheSchedule()
    {
        auto* schedule = find<QComboBox>("training.schedule");
        auto* chunks = find<QSpinBox>("layout.virtualStages");
        const auto choose = [&](const char* name) {
            schedule->setCurrentIndex(schedule->findData(name));
            emit schedule->activated(schedule->currentIndex());
        };
        QVERIFY(chunks->isHidden() || !chunks->isVisibleTo(m_page.get()));
        choose("interleaved");
        QCOMPARE(m_document->plan().layout.virtualStages, 2);
        QVERIFY(chunks->isVisibleTo(m_page.get()) && chunks->isEnabled());
        QVERIFY(!m_document->shares().empty());
        chunks->setValue(3);
        QCOMPARE(m_document->plan().layout.virtualStages, 3);
        choose("zb-v");
        QCOMPARE(m_document->plan().layout.virtualStages, 2);
        QVERIFY(!chunks->isEnabled()); // exactly two
        choose("1f1b");
        QCOMPARE(m_document->plan().layout.virtualStages, 1);
        QVERIFY(!chunks->isVisibleTo(m_page.get()));
        for (int i = 0; i < 4; ++i)
            m_document->undoStack().undo();
        QCOMPARE(m_document->plan().layout.virtualStages, 1);
    }

    void scheduleOrderAndTrainingAreEditable()
    {
        auto* schedule = find<QComboBox>("training.schedule");
        schedule->setCurrentIndex(schedule->findData("gpipe"));
        emit schedule->activated(schedule->currentIndex());
        QCOMPARE(m_document->plan().training.schedule, std::string("gpipe"));
        auto* order = find<QComboBox>("layout.order");
        order->setCurrentIndex(3);
        emit order->activated(3);
        QVERIFY(m_document->plan().layout.order != megatronOrder);
        auto* rate = find<QLineEdit>("training.learningRate");
        rate->setText("0.0125");
        emit rate->editingFinished();
        QCOMPARE(m_document->plan().training.learningRate, 0.0125);
        find<QSpinBox>("training.steps")->setValue(42);
        QCOMPARE(m_document->plan().training.steps, std::int64_t(42));
        auto* label = find<QLineEdit>("label");
        label->setText("second try");
        emit label->editingFinished();
        QCOMPARE(m_document->plan().label, std::string("second try"));
    }

    void modelsComeFromPresets()
    {
        auto* model = find<QComboBox>("model");
        QVERIFY(model->findText("llama-1m") >= 0);
        model->setCurrentIndex(model->findText("llama-1m"));
        emit model->activated(model->currentIndex());
        QCOMPARE(m_document->plan().model.name, std::string("llama-1m"));
    }

    void aClusterIsChosenAndPredicted()
    {
        auto* cluster = find<QComboBox>("cluster");
        cluster->setCurrentIndex(cluster->findData("dgx-h100"));
        emit cluster->activated(cluster->currentIndex());
        QVERIFY(!m_document->drawn().cluster.thisMachine);
        QVERIFY(find<QComboBox>("settings.precision")->isVisibleTo(m_page.get()));
        QVERIFY(!find<QSpinBox>("training.steps")->isVisibleTo(m_page.get()));
        QVERIFY(!find<QPushButton>("run")->isEnabled());
        QVERIFY(find<QPushButton>("findLayout")->isEnabled());
        QTRY_VERIFY(figure("Step time") != "–");
        find<QSpinBox>("cluster.nodes")->setValue(3);
        QCOMPARE(m_document->drawn().cluster.nodes, 3);
        auto* zero = find<QComboBox>("layout.zero");
        zero->setCurrentIndex(1);
        emit zero->activated(1);
        QVERIFY(m_document->drawn().zero == ZeroStage::Optimizer);
        cluster->setCurrentIndex(0);
        emit cluster->activated(0);
        QVERIFY(m_document->drawn().cluster.thisMachine);
        QVERIFY(find<QPushButton>("run")->isEnabled());
        while (m_document->undoStack().canUndo())
            m_document->undoStack().undo();
        QVERIFY(m_document->drawn().cluster.thisMachine);
    }

    void mixturesArePredictedOnly()
    {
        auto* model = find<QComboBox>("model");
        model->setCurrentIndex(model->findText("mixtral-8x7b"));
        emit model->activated(model->currentIndex());
        QVERIFY(!m_document->drawn().trainable);
        QVERIFY(!m_document->canRun());
        QCOMPARE(model->currentText(), QString("mixtral-8x7b"));
        QVERIFY(!find<PlanForm>("planForm")->problemOf("model").isEmpty());
    }

    void thePredictedStepIsShownAtOnceAndTheScheduleInItsPlace()
    {
        auto* step = find<QWidget>("predictedStepPanel");
        auto* schedule = find<QWidget>("schedulePanel");
        QVERIFY(step->isVisibleTo(m_page.get()));
        QTRY_VERIFY(m_page->predictor().timeline() != nullptr);
        QVERIFY(!m_page->predictor().timeline()->spans.empty());
        QTest::mouseClick(step->findChild<QPushButton*>("toSchedule"), Qt::LeftButton);
        QVERIFY(schedule->isVisibleTo(m_page.get()));
        QVERIFY(!step->isVisibleTo(m_page.get()));
        QTest::mouseClick(schedule->findChild<QPushButton*>("toStep"), Qt::LeftButton);
        QVERIFY(step->isVisibleTo(m_page.get()));
        m_page->actions().schedule()->trigger();
        QVERIFY(schedule->isVisibleTo(m_page.get()));
    }

    void lanesOfThePredictedStepAreNamedAsOnTheFloor()
    {
        const auto* view = find<LaneView>("predictedLanes");
        const int stages = m_document->plan().layout.pp;
        QVERIFY(stages > 1);
        QTRY_VERIFY(view->lanes() && int(view->lanes()->ranks().size()) >= stages);
        for (const RankTracks& lane : view->lanes()->ranks()) {
            QCOMPARE(lane.rank.value, rankOf(m_document->plan().layout, lane.at).value);
            QVERIFY(lane.compute.size() > 0);
        }
        QVERIFY(view->lanes()->ranks().back().rank.value > stages - 1);
    }

    void everyActionOfThePageIsInAMenuAndHasAKey()
    {
        QList<QAction*> inMenus;
        for (const QMenu* menu : m_page->menus())
            inMenus += menu->actions();
        QList<QAction*> all = m_page->actions().all() + m_page->files().actions();
        for (QAction* action : find<FloorView>("floor")->floorActions())
            if (action != nullptr)
                all << action;
        QVERIFY(all.size() >= 20);
        for (const QAction* action : all) {
            QVERIFY2(inMenus.contains(action), qPrintable(action->text()));
            QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
        }
    }

    void brushesOfTheMenuAreThoseBesideTheFloor()
    {
        auto* floor = find<FloorView>("floor");
        auto* button = find<QToolButton>("floor.pipeline.button");
        floor->tools()->action(FloorBrush::Pipeline)->trigger();
        QVERIFY(button->isChecked());
        QVERIFY(floor->hasFocus());
        QCOMPARE(floor->brush(), FloorBrush::Pipeline);
        QTest::mouseClick(find<QToolButton>("floor.swap.button"), Qt::LeftButton);
        QCOMPARE(floor->brush(), FloorBrush::Swap);
        QVERIFY(!button->isChecked());
        QVERIFY(floor->tools()->isLabelled());
    }

    void actionsOfThePageWaitWhileItIsHidden()
    {
        QTest::keyClick(find<AxisChip>("layout.dp"), Qt::Key_PageUp);
        QVERIFY(m_page->actions().undo()->isEnabled());
        m_page->hide();
        QVERIFY(!m_page->actions().undo()->isEnabled());
        QVERIFY(!m_page->actions().run()->isEnabled());
        m_page->show();
        QVERIFY(m_page->actions().undo()->isEnabled());
    }

    void choicesThatDoNotFitBesideTheirNameGoBelowIt()
    {
        for (const char* name : {"cluster", "training.schedule", "model"}) {
            auto* box = find<ChoiceBox>(name);
            QTRY_VERIFY2(box->widthOfLongest() <= box->width() || box->geometry().top() > 10, name);
            QVERIFY2(box->fontMetrics().horizontalAdvance(box->currentText()) < box->width() - 36,
                     name);
        }
    }

    void aPlanIsDroppedOnThePage()
    {
        QTemporaryDir folder;
        DrawnPlan plan = m_document->drawn();
        plan.run.layout.dp = 3;
        const QString path = folder.filePath("dropped.triaxis");
        writePlanFile(path.toStdString(), {plan, {}, {}, {}});
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QCoreApplication::sendEvent(m_page.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_page.get(), &drop);
        QCOMPARE(m_document->plan().layout.dp, 3);
        QCOMPARE(m_page->files().name(), QString("dropped.triaxis"));
    }

    void runButtonAsksForTheRun()
    {
        QSignalSpy spy(m_page.get(), &PlanPage::runRequested);
        QTest::mouseClick(find<QPushButton>("run"), Qt::LeftButton);
        QCOMPARE(spy.count(), 1);
        m_page->setStarting(true);
        QVERIFY(!find<QPushButton>("run")->isEnabled());
        m_page->setStarting(false);
        QVERIFY(find<QPushButton>("run")->isEnabled());
    }

    void everyControlHasANameForScreenReaders()
    {
        for (QWidget* widget : m_page->findChildren<QWidget*>()) {
            const bool reachable = widget->focusPolicy() & Qt::TabFocus && widget->isVisible();
            const bool inner = widget->objectName().startsWith("qt_") ||
                               widget->inherits("QLabel") || widget->inherits("QScrollArea");
            if (!reachable || inner)
                continue;
            const auto* button = qobject_cast<QPushButton*>(widget);
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                     qPrintable(QString("%1 \"%2\"")
                                    .arg(widget->metaObject()->className(), widget->objectName())));
        }
    }
};

QTEST_MAIN(PlanPageTest)
#include "plan_page_test.moc"

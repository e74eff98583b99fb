#include "engine/cost/calibration_lock.h"
#include "engine/formats/plan_file.h"
#include "engine/record/file_lock.h"
#include "ui/panels/calibrate_box.h"
#include "ui/plan/cluster_dialog.h"
#include "ui/plan/link_model.h"
#include "ui/run/calibrator.h"
#include "ui/search/what_if_dialog.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class PlanDialogsTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    static DrawnPlan onCluster()
    {
        for (const ExamplePlan& example : examplePlans()) {
            PlanFile file = parsePlanFile(example.text, example.name);
            if (!file.plan.cluster.thisMachine && file.plan.trainable)
                return file.plan;
        }
        return {};
    }

private slots:
    void linksAreEditedWithinTheirRange()
    {
        LinkModel model(clusterPreset("dgx-h100").levels);
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QModelIndex bandwidth = model.index(1, LinkModel::Bandwidth);
        QVERIFY(model.setData(bandwidth, 100, Qt::EditRole));
        QCOMPARE(model.levels()[1].bandwidth, 100e9);
        QVERIFY(!model.setData(bandwidth, -1, Qt::EditRole));
        QVERIFY(!model.setData(bandwidth, "fast", Qt::EditRole));
        QVERIFY(!model.setData(model.index(0, LinkModel::Efficiency), 101, Qt::EditRole));
        QVERIFY(!model.setData(model.index(0, LinkModel::Name), " ", Qt::EditRole));
        QVERIFY(
            model.setData(model.index(0, LinkModel::InNetwork), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(!model.levels()[0].reducesInNetwork);
        QCOMPARE(model.levels()[1].bandwidth, 100e9);
    }

    void theDialogSaysWhatAFigureIsAndWhyOneIsRefused()
    {
        ClusterDialog dialog(onCluster().cluster);
        auto* table = dialog.findChild<QTableView*>("links");
        auto* meaning = dialog.findChild<QLabel*>("meaning");
        QVERIFY(!meaning->text().isEmpty());
        table->setCurrentIndex(table->model()->index(0, LinkModel::HalfSize));
        QVERIFY2(meaning->text().contains("half of that rate"), qPrintable(meaning->text()));
        const QModelIndex share = table->model()->index(0, LinkModel::Efficiency);
        const QVariant before = share.data(Qt::EditRole);
        QVERIFY(!table->model()->setData(share, 400));
        QVERIFY2(meaning->text().contains("from 1 to 100"), qPrintable(meaning->text()));
        QCOMPARE(share.data(Qt::EditRole), before);
        QVERIFY(table->model()->setData(share, 50));
        QVERIFY(!meaning->text().contains("from 1 to 100"));
        QCOMPARE(dialog.cluster().network.levels.front().efficiency, 0.5);
    }

    void mixedNodesAreNamedFromTheFirstToTheLast()
    {
        DrawnCluster cluster = onCluster().cluster;
        cluster.nodes = 8;
        ClusterDialog dialog(cluster);
        auto* first = dialog.findChild<QSpinBox*>("firstNode");
        auto* last = dialog.findChild<QSpinBox*>("lastNode");
        auto* remove = dialog.findChild<QPushButton*>("removeMixed");
        auto* list = dialog.findChild<QListWidget*>("mixedNodes");
        QVERIFY(!remove->isEnabled()); // there is nothing to remove
        first->setValue(5);
        QCOMPARE(last->value(), 5);
        last->setValue(7);
        first->setValue(6);
        dialog.findChild<QPushButton*>("addMixed")->click();
        QCOMPARE(dialog.cluster().mixed.size(), std::size_t(1));
        QCOMPARE(dialog.cluster().mixed[0].first, 6);
        QCOMPARE(dialog.cluster().mixed[0].count, 2);
        QVERIFY(dialog.cluster().mixed[0].device.name != cluster.network.device.name);
        QVERIFY(remove->isEnabled());
        remove->click();
        QVERIFY(dialog.cluster().mixed.empty());
        QVERIFY(!remove->isEnabled());
        QVERIFY(list->item(0)->text().contains("All nodes have"));
    }

    void slidersChangeTheTrialOnly()
    {
        const DrawnPlan plan = onCluster();
        WhatIfDialog dialog(plan, m_folder.path().toStdString());
        auto* between = dialog.findChild<QSlider*>("between");
        QVERIFY(between != nullptr);
        between->setValue(between->maximum());
        QCOMPARE(dialog.trial().cluster.network.levels.back().bandwidth,
                 plan.cluster.network.levels.back().bandwidth * 8);
        dialog.reset();
        QVERIFY(samePlan(dialog.trial(), plan));
        dialog.findChild<QSlider*>("replicas")->setValue(-7);
        QVERIFY(dialog.trial().run.layout.dp < plan.run.layout.dp);
    }

    void slidersSayTheFigureThatTheyGive()
    {
        DrawnPlan plan = onCluster();
        plan.cluster.network.levels.back().bandwidth = 40e9;
        WhatIfDialog dialog(plan, m_folder.path().toStdString());
        auto* between = dialog.findChild<QSlider*>("between");
        QVERIFY(between->accessibleDescription().startsWith("40"));
        between->setValue(between->maximum());
        const QString said = between->accessibleDescription();
        QVERIFY2(said.contains("8.0") && said.contains("320"), qPrintable(said));
        plan.cluster.network.levels = {plan.cluster.network.levels.back()};
        WhatIfDialog flat(plan, m_folder.path().toStdString());
        QVERIFY(!flat.findChild<QSlider*>("inside")->isEnabled());
    }

    void timeLeftFollowsWhatIsDone()
    {
        QCOMPARE(timeLeftText(0, 0, 0), QString("up to 4 minutes in all"));
        QCOMPARE(timeLeftText(3, 0, 27), QString("up to 4 minutes in all"));
        QCOMPARE(timeLeftText(20, 5, 27), QString("about 1 min left"));
        QCOMPARE(timeLeftText(60, 9, 27), QString("about 2 min left"));
        QCOMPARE(timeLeftText(120, 24, 27), QString("about 20 s left"));
        // A slow machine measures less, not longer.
        QCOMPARE(timeLeftText(160, 5, 27), QString("about 1 min left"));
        QCOMPARE(timeLeftText(260, 7, 27), QString("about 10 s left"));
    }

    /// The box asks as the menu does, tells how long it takes, and stops when asked to.
    void theBoxAsksBeforeItMeasures()
    {
        QFile script(m_folder.filePath("triaxis"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\necho '2 of 4: 1 rank, 1 thread, compute' >&2\nexec sleep 60\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        CalibrateBox box;
        box.say("No prediction yet.", true, m_folder.path());
        int asked = 0;
        bool agreed = false;
        box.setCalibration([&] { return ++asked, agreed; }, script.fileName());
        auto* button = box.findChild<QPushButton*>("calibrate");
        auto* step = box.findChild<QLabel*>("calibrateStep");
        button->click();
        QCOMPARE(asked, 1);
        QVERIFY(step->text().isEmpty());
        agreed = true;
        button->click();
        QCOMPARE(asked, 2);
        QTRY_VERIFY_WITH_TIMEOUT(step->text().startsWith("2 of 4: 1 rank"), 20000);
        QVERIFY2(step->text().contains("left"), qPrintable(step->text()));
        QCOMPARE(button->text(), QString("Stop"));
        button->click(); // stops, and asks nothing
        QTRY_VERIFY_WITH_TIMEOUT(step->text().startsWith("Stopped"), 20000);
        QCOMPARE(asked, 2);
        QCOMPARE(button->text(), QString("Calibrate this machine…"));
    }

    void theBoxSaysThatOneIsRunningAlready()
    {
        const auto lock = FileLock::tryTake(calibrationLock(m_folder.path().toStdString()));
        QVERIFY(lock.has_value());
        CalibrateBox box;
        box.say("No prediction yet.", true, m_folder.path());
        int asked = 0;
        box.setCalibration([&] { return ++asked, true; }, "/nowhere/triaxis");
        box.findChild<QPushButton*>("calibrate")->click();
        QCOMPARE(asked, 0);
        const QString said = box.findChild<QLabel*>("calibrateStep")->text();
        QVERIFY2(said.contains("running already (process "), qPrintable(said));
    }
};

QTEST_MAIN(PlanDialogsTest)
#include "plan_dialogs_test.moc"

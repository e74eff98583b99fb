#include "engine/core/cores.h"
#include "engine/record/demo_plan.h"
#include "ui/commands/set_axis_size.h"
#include "ui/commands/set_batch.h"
#include "ui/commands/set_data.h"
#include "ui/commands/set_floor.h"
#include "ui/commands/set_layer_split.h"
#include "ui/commands/set_rank_order.h"
#include "ui/commands/set_schedule.h"
#include "ui/commands/set_training.h"
#include "ui/commands/swap_ranks.h"

#include <QSignalSpy>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class PlanDocumentTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<PlanDocument> m_document;

    void setAxis(Axis axis, int size)
    {
        m_document->apply(std::make_unique<SetAxisSize>(*m_document, axis, size));
    }

private slots:
    void init()
    {
        RunPlan plan = demoPlan();
        plan.data = {};
        m_document = std::make_unique<PlanDocument>(plan, 2);
    }

    void editsAreTakenBackAndDoneAgain()
    {
        const RunPlan before = m_document->plan();
        QSignalSpy spy(m_document.get(), &PlanDocument::changed);
        setAxis(Axis::Data, 4);
        setAxis(Axis::Pipeline, 1);
        m_document->apply(std::make_unique<SetSchedule>(*m_document, "gpipe"));
        const RunPlan after = m_document->plan();
        QCOMPARE(after.layout.dp, 4);
        QCOMPARE(after.layout.pp, 1);
        QCOMPARE(after.training.schedule, std::string("gpipe"));
        QCOMPARE(spy.count(), 3);
        for (int i = 0; i < 3; ++i)
            m_document->undoStack().undo();
        QVERIFY(samePlan(m_document->plan(), before));
        for (int i = 0; i < 3; ++i)
            m_document->undoStack().redo();
        QVERIFY(samePlan(m_document->plan(), after));
    }

    void anEditThatChangesNothingLeavesNoStep()
    {
        setAxis(Axis::Data, 4);
        m_document->undoStack().undo();
        QVERIFY(m_document->undoStack().canRedo());
        setAxis(Axis::Data, m_document->plan().layout.dp);
        QCOMPARE(m_document->undoStack().index(), 0);
        QVERIFY(m_document->undoStack().canRedo());
    }

    void movesOfOneDragAreOneStep()
    {
        const int layers = m_document->plan().model.layers;
        QVERIFY(layers >= 4);
        const auto split = [&](int first, int gesture) {
            m_document->apply(std::make_unique<SetLayerSplit>(
                *m_document, std::vector<int>{first, layers - first}, gesture));
        };
        split(1, 7);
        split(layers - 1, 7);
        QCOMPARE(m_document->undoStack().count(), 1);
        split(1, 8);
        QCOMPARE(m_document->undoStack().count(), 2);
        m_document->undoStack().undo();
        QCOMPARE(m_document->plan().layout.layersPerStage.front(), layers - 1);
        m_document->undoStack().undo();
        QVERIFY(m_document->plan().layout.layersPerStage.empty());
    }

    void aDragBackToTheStartLeavesNothing()
    {
        const int layers = m_document->plan().model.layers;
        const std::vector<int> even = defaultLayerSplit(layers, 2);
        m_document->apply(
            std::make_unique<SetLayerSplit>(*m_document, std::vector<int>{1, layers - 1}, 5));
        m_document->apply(std::make_unique<SetLayerSplit>(*m_document, even, 5));
        QCOMPARE(m_document->undoStack().count(), 0);
        QVERIFY(m_document->plan().layout.layersPerStage.empty());
    }

    void anotherPipelineForgetsTheExplicitSplit()
    {
        const int layers = m_document->plan().model.layers;
        m_document->apply(
            std::make_unique<SetLayerSplit>(*m_document, std::vector<int>{1, layers - 1}, 1));
        setAxis(Axis::Pipeline, 1);
        QVERIFY(m_document->plan().layout.layersPerStage.empty());
        QVERIFY(m_document->canRun());
    }

    void ranksHereAreDealtOutOverTheNodes()
    {
        const auto setNodes = [&](int nodes) {
            DrawnCluster cluster = m_document->drawn().cluster;
            cluster.nodes = nodes;
            m_document->apply(std::make_unique<SetFloor>(*m_document, cluster, QString("nodes")));
        };
        const auto nodeOf = [&](int rank) {
            const DrawnPlan& plan = m_document->drawn();
            return plan.cluster.nodeOf(deviceOf(plan, Rank(rank)));
        };
        const int ranks = m_document->plan().layout.ranks();
        QVERIFY(ranks >= 4 && ranks % 2 == 0);
        setNodes(2);
        QCOMPARE(nodeOf(ranks / 2 - 1), 0);
        QCOMPARE(nodeOf(ranks / 2), 1);
        QVERIFY(m_document->canRun());
        m_document->apply(std::make_unique<SwapRanks>(*m_document, Rank(0), Rank(ranks - 1)));
        const std::vector<int> byHand = m_document->drawn().deviceOfRank;
        setNodes(3);
        QCOMPARE(m_document->drawn().deviceOfRank, byHand);
        QCOMPARE(nodeOf(0), 1);
        setNodes(1); // no room for them as they were placed
        QVERIFY(m_document->drawn().deviceOfRank.empty());
        QCOMPARE(m_document->drawn().cluster.nodeSize, ranks);
        QVERIFY(m_document->canRun());
    }

    void everyEditIsChecked()
    {
        QVERIFY(m_document->canRun());
        setAxis(Axis::Tensor, 3);
        QVERIFY(!m_document->canRun());
        QVERIFY(m_document->shares().empty());
        m_document->undoStack().undo();
        QVERIFY(m_document->canRun());
        QVERIFY(!m_document->shares().empty());
    }

    void ranksThatShareCoresAreNoted()
    {
        QCOMPARE(machineNotes(m_document->plan(), 2).size(), std::size_t(1));
        QVERIFY(machineNotes(m_document->plan(), 8).empty());
        QVERIFY(usableCores() >= 1);
    }

    void theUndoTextNamesTheEdit()
    {
        m_document->apply(std::make_unique<SetRankOrder>(*m_document, parseRankOrder("dp-tp-pp")));
        QCOMPARE(m_document->undoStack().undoText(), QString("rank order"));
        QCOMPARE(toText(m_document->plan().layout.order), std::string("dp-tp-pp"));
        TrainingPlan training = m_document->plan().training;
        training.steps = 77;
        m_document->apply(std::make_unique<SetTraining>(*m_document, training, "steps"));
        QCOMPARE(m_document->undoStack().undoText(), QString("steps"));
    }
};

QTEST_MAIN(PlanDocumentTest)
#include "plan_document_test.moc"

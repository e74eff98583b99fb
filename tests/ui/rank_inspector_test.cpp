// What the panel says of a rank, for every example and every stage of it.

#include "engine/formats/plan_file.h"
#include "engine/plan/drawn_plan.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/rank_inspector.h"

#include <QLabel>
#include <QtTest>

#include <set>

using namespace triaxis;
using namespace triaxis::ui;

class RankInspectorTest : public QObject
{
    Q_OBJECT

private:
    static DrawnPlan exampleNamed(const std::string& part)
    {
        for (const ExamplePlan& example : examplePlans())
            if (example.name.find(part) != std::string::npos)
                return parsePlanFile(example.text, example.name).plan;
        qFatal("there is no such example");
    }

    static QStringList textsOf(const RankInspector& inspector)
    {
        QStringList texts;
        for (const QLabel* label : inspector.findChildren<QLabel*>())
            texts << label->text();
        return texts;
    }

private slots:
    void everyRankOfASoundPlanHoldsSomething()
    {
        for (const ExamplePlan& example : examplePlans()) {
            const PlanDocument document(parsePlanFile(example.text, example.name).plan, 64);
            QVERIFY2(document.isSound(), example.name.c_str());
            const Layout layout = drawnLayout(document.drawn());
            RankInspector inspector;
            for (int stage = 0; stage < layout.pp; ++stage) {
                inspector.inspect(document, nullptr, Coordinates{0, layout.tp - 1, stage});
                const QString all = textsOf(inspector).join('\n');
                QVERIFY2(!all.contains("does not fit"), example.name.c_str());
                QVERIFY2(all.contains("layer"), qPrintable(all));
            }
        }
    }

    void stagesWithoutALayerHoldTheRest()
    {
        const PlanDocument document(exampleNamed("llama3-405b"), 64);
        const Layout& layout = document.plan().layout;
        const auto& shares = document.shares();
        QCOMPARE(shares.size(), std::size_t(layout.pp * layout.tp));
        std::set<int> held;
        for (int stage = 0; stage < layout.pp; ++stage)
            for (const LayerRange& range : shareOf(shares, layout, Coordinates{0, 0, stage}).ranges)
                for (int layer = range.first; layer < range.first + range.count; ++layer)
                    QVERIFY(held.insert(layer).second);
        QCOMPARE(int(held.size()), document.plan().model.layers);
        const RankShare& first = shareOf(shares, layout, Coordinates{0, 0, 0});
        const RankShare& last = shareOf(shares, layout, Coordinates{0, 0, layout.pp - 1});
        QCOMPARE(first.layers, 7); // of eight chunks the first holds the embedding alone
        QCOMPARE(last.layers, 7);
        QVERIFY(first.embedding && last.head);
        RankInspector inspector;
        inspector.inspect(document, nullptr, Coordinates{0, 0, 0});
        QVERIFY(textsOf(inspector).contains("embedding, layers 15, 31, 47, 63, 79, 95 and 111"));
    }

    void aRunHereStillNeedsALayerOnEveryStage()
    {
        DrawnPlan plan = exampleNamed("two-nodes");
        plan.run.layout.pp = plan.run.model.layers + 1;
        const PlanDocument document(plan, 64);
        QVERIFY(!document.isSound());
        QVERIFY(document.shares().empty());
    }
};

QTEST_MAIN(RankInspectorTest)
#include "rank_inspector_test.moc"

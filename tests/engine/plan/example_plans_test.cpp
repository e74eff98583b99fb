#include "engine/formats/plan_file.h"
#include "engine/plan/drawn_prediction.h"

#include <QTest>

#include <set>

using namespace triaxis;

class ExamplePlansTest : public QObject
{
    Q_OBJECT

private slots:
    void everyExampleOpensWithoutErrorsAndIsPredicted()
    {
        const std::vector<ExamplePlan> examples = examplePlans();
        QVERIFY(examples.size() >= 10);
        for (const ExamplePlan& example : examples) {
            const PlanFile file = parsePlanFile(example.text, example.name);
            QVERIFY2(!file.title.empty() && file.about.size() > 20, example.name.c_str());
            QVERIFY2(file.notes.empty(), example.name.c_str());
            for (const Diagnostic& finding : checkDrawn(file.plan))
                QVERIFY2(finding.severity != Severity::Error,
                         (example.name + ": " + toText(finding)).c_str());
            const DrawnPrediction prediction = predictDrawn(file.plan);
            QVERIFY2(prediction.known, example.name.c_str());
            for (const Diagnostic& finding : prediction.findings)
                QVERIFY2(finding.severity != Severity::Error,
                         (example.name + ": " + toText(finding)).c_str());
        }
    }

    void theyCoverWhatPeopleAskFor()
    {
        std::set<std::string> models;
        std::set<int> devices;
        bool here = false;
        for (const ExamplePlan& example : examplePlans()) {
            const DrawnPlan plan = parsePlanFile(example.text, example.name).plan;
            models.insert(plan.trainable ? plan.run.model.name : plan.shape.name);
            if (plan.cluster.thisMachine)
                here = here || plan.cluster.nodes == 2;
            else
                devices.insert(drawnLayout(plan).ranks());
        }
        QVERIFY(here); // 2 × 2 × 2 over two nodes
        QVERIFY(devices.count(256) && devices.count(16384));
        for (const char* model : {"gpt3-175b", "llama3-405b", "mt-nlg-530b", "mixtral-8x7b",
                                  "deepseek-v3"})
            QVERIFY2(models.count(model), model);
    }

    void savedAgainTheyAreTheSame()
    {
        for (const ExamplePlan& example : examplePlans()) {
            const PlanFile file = parsePlanFile(example.text, example.name);
            QVERIFY2(toJson(file).dump(2) + "\n" == example.text, example.name.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(ExamplePlansTest)
#include "example_plans_test.moc"

#include "engine/formats/plan_file.h"

#include "engine/record/demo_plan.h"
#include "tests/engine/core/expect_error.h"
#include "tests/engine/plan/random_plans.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace triaxis;
using namespace triaxis::tests;

class PlanFileTest : public QObject
{
    Q_OBJECT

private:
    static std::string textOf(const DrawnPlan& plan)
    {
        return toJson(PlanFile{plan, "a title", "a sentence", {}}).dump(1);
    }

private slots:
    void anyPlanSurvivesItsFile()
    {
        std::mt19937 random(7);
        for (int i = 0; i < 150; ++i) {
            const DrawnPlan plan = randomPlan(random);
            const PlanFile read = parsePlanFile(textOf(plan), "test");
            QVERIFY2(samePlan(read.plan, plan), textOf(plan).substr(0, 2000).c_str());
            QCOMPARE(read.title, std::string("a title"));
            QCOMPARE(read.about, std::string("a sentence"));
            QVERIFY(read.notes.empty());
            QCOMPARE(textOf(read.plan), textOf(plan));
        }
    }

    void untouchedPresetsAreKeptByName()
    {
        DrawnPlan plan = withNetwork(drawnPlan(demoPlan()), clusterPreset("selene"));
        QCOMPARE(toJson(PlanFile{plan, {}, {}, {}})["cluster"]["network"],
                 nlohmann::ordered_json("selene"));
        plan.cluster.network.levels.back().latency *= 2;
        QVERIFY(toJson(PlanFile{plan, {}, {}, {}})["cluster"]["network"].is_object());
    }

    void damagedFilesGiveOneErrorAndNothingElse()
    {
        std::mt19937 random(11);
        const auto upTo = [&](std::size_t most) {
            return std::uniform_int_distribution<std::size_t>(0, most)(random);
        };
        int refused = 0;
        for (int i = 0; i < 1500; ++i) {
            std::string text = textOf(randomPlan(random));
            for (std::size_t edits = upTo(3) + 1; edits > 0; --edits) {
                const std::size_t at = upTo(text.size() - 1);
                switch (upTo(3)) {
                case 0:
                    text[at] = char(upTo(255));
                    break;
                case 1:
                    text.erase(at, upTo(40));
                    break;
                case 2:
                    text.insert(at, std::string("-9e99,[{\"x\":null}]").substr(upTo(16)));
                    break;
                default:
                    text.resize(at + 1);
                    break;
                }
            }
            try {
                const PlanFile read = parsePlanFile(text, "test");
                checkDrawn(read.plan);
            } catch (const Error& error) {
                QVERIFY(!error.object().empty());
                ++refused;
            }
        }
        QVERIFY(refused > 500);
    }

    void errorsNameTheField()
    {
        const DrawnPlan plan = withNetwork(drawnPlan(demoPlan()), clusterPreset("dgx-h100"));
        const auto errorAfter = [&](const std::function<void(nlohmann::ordered_json&)>& change) {
            nlohmann::ordered_json json = toJson(PlanFile{plan, {}, {}, {}});
            change(json);
            return errorText([&] { planFileFromJson(json, "test"); });
        };
        QVERIFY(errorAfter([](auto& json) { json["cluster"]["nodes"] = 0; }).contains("nodes"));
        QVERIFY(errorAfter([](auto& json) { json["settings"]["zero"] = "7"; }).contains("zero"));
        QVERIFY(errorAfter([](auto& json) { json["version"] = 99; }).contains("newer Triaxis"));
        QVERIFY(errorAfter([](auto& json) { json["format"] = "other"; }).contains("format"));
        QVERIFY(errorAfter([](auto& json) { json.erase("plan"); }).contains("plan"));
        QVERIFY(errorAfter([](auto& json) { json["placement"] = {1, "two"}; })
                    .contains("placement"));
    }

    void whatIsNotKnownIsLeftAsideWithANote()
    {
        nlohmann::ordered_json json = toJson(PlanFile{drawnPlan(demoPlan()), {}, {}, {}});
        json["colour"] = "red";
        json["cluster"]["cooling"] = "water";
        const PlanFile read = planFileFromJson(json, "test");
        QCOMPARE(read.notes.size(), std::size_t(2));
        QVERIFY(read.notes[0].find("colour") != std::string::npos);
        QVERIFY(read.notes[1].find("cluster.cooling") != std::string::npos);
    }

    void aRunIsReadAsAPlanOnThisMachine()
    {
        RunPlan run = demoPlan();
        run.label = "old";
        const PlanFile bare = planFileFromJson(toJson(run), "run.json");
        QVERIFY(bare.plan.cluster.thisMachine);
        QCOMPARE(bare.plan.run.label, std::string("old"));
        const PlanFile wrapped = planFileFromJson({{"plan", toJson(run)}}, "run.json");
        QCOMPARE(wrapped.plan.run.label, std::string("old"));
    }

    void writingReplacesAllOrNothing()
    {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a.triaxis").toStdString();
        DrawnPlan plan = drawnPlan(demoPlan());
        writePlanFile(path, {plan, "first", {}, {}});
        QCOMPARE(readPlanFile(path).title, std::string("first"));
        writePlanFile(path, {plan, "second", {}, {}});
        QCOMPARE(readPlanFile(path).title, std::string("second"));
        const std::filesystem::path nowhere = folder.filePath("none/b.triaxis").toStdString();
        QVERIFY(errorOf([&] { writePlanFile(nowhere, {plan, {}, {}, {}}); }).has_value());
        QVERIFY(errorOf([&] { readPlanFile(nowhere); }).has_value());
    }
};

QTEST_APPLESS_MAIN(PlanFileTest)
#include "plan_file_test.moc"

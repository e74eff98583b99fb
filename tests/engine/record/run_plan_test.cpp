#include "engine/formats/hf_config.h"
#include "engine/record/run_plan.h"
#include "tests/engine/core/expect_error.h"
#include "tests/engine/model/model_fixture.h"

#include <QTest>
#include <random>

using namespace triaxis;
using nlohmann::json;

namespace
{

/// A plan in which no field has its default value.
RunPlan fullPlan()
{
    RunPlan plan;
    plan.label = "workshop · überall";
    plan.model = smallLlama();
    plan.model.attentionBias = plan.model.mlpBias = true;
    plan.model.normEpsilon = 3e-6;
    plan.model.ropeTheta = 500000;
    plan.model.initializerRange = 0.015;
    plan.weights = "/data/model.safetensors";
    plan.layout.dp = 2;
    plan.layout.tp = 4;
    plan.layout.pp = 1;
    plan.layout.virtualStages = 2;
    plan.layout.order = parseRankOrder("pp-dp-tp");
    plan.layout.layersPerStage = {1, 1};
    plan.training = {77,   {24, 3, 17}, "gpipe", 5,   "0F0,0B0\n", 1.25e-3,
                     0.85, 0.93,        3e-9,    0.05, 2.5,         9,
                     ~std::uint64_t(0)};
    plan.data = {DataKind::Text, "/data/text", std::string(64, 'a'), 1.5};
    plan.execution = {"cuda", 3, "/data/hosts", 12.5, true, 7, 3, {"btl=tcp,self", "x=y"},
                      {{0.02, 0.03}, {0.01}, {0.03, 0.02}, 1e-3, {1e-6, 2e9}, {}, {3e-6, 0}},
                      true, true, "bfloat16"};
    return plan;
}

json changed(json plan, const std::string& pointer, const json& value)
{
    plan[json::json_pointer(pointer)] = value;
    return plan;
}

json without(json plan, const std::string& pointer)
{
    const json::json_pointer whole(pointer);
    plan[whole.parent_pointer()].erase(whole.back());
    return plan;
}

/// Pointers to every member and array entry, containers included.
void collect(const json& value, const std::string& at, std::vector<std::string>& to)
{
    if (!at.empty())
        to.push_back(at);
    if (value.is_object()) {
        for (const auto& [key, member] : value.items())
            collect(member, at + "/" + key, to);
    }
}

} // namespace

class RunPlanTest : public QObject
{
    Q_OBJECT

private slots:
    void comesBackWhole();
    void realNumbersComeBackToTheBit();
    void unknownKeysAreIgnored();
    void absentOptionalFieldsTakeTheirDefaults();
    void requiredFieldsAreNamedWhenTheyAreMissing_data();
    void requiredFieldsAreNamedWhenTheyAreMissing();
    void wrongFieldsAreNamed_data();
    void wrongFieldsAreNamed();
    void newerVersionsAreRefused();
    void pathsThatAreNoUtf8AreRefused();
    void everyReplacedFieldGivesAPlanOrAnError();
    void mutatedTextsGiveAPlanOrAnError();
};

void RunPlanTest::comesBackWhole()
{
    RunPlan plain;
    plain.model = modelPreset("gpt2-1m");
    const std::vector<RunPlan> plans{fullPlan(), plain};
    for (const RunPlan& plan : plans) {
        const json first = toJson(plan);
        const RunPlan back = runPlanFromJson(json::parse(first.dump(2)));
        QCOMPARE(toJson(back).dump(), first.dump());
        QVERIFY(back.model == plan.model && back.layout == plan.layout && back.data == plan.data);
        QVERIFY(back.label == plan.label && back.weights == plan.weights);
        QVERIFY(back.training.schedule == plan.training.schedule &&
                back.training.seed == plan.training.seed);
        QVERIFY(back.training.batch.globalBatch == plan.training.batch.globalBatch &&
                back.training.batch.microbatch == plan.training.batch.microbatch &&
                back.training.batch.sequence == plan.training.batch.sequence);
        QVERIFY(back.execution.mcaOptions == plan.execution.mcaOptions &&
                back.execution.hostfile == plan.execution.hostfile &&
                back.execution.detail == plan.execution.detail &&
                back.execution.saveWeights == plan.execution.saveWeights &&
                back.execution.saveGradients == plan.execution.saveGradients &&
                back.execution.wholeSteps == plan.execution.wholeSteps &&
                back.execution.everyStep == plan.execution.everyStep &&
                back.execution.device == plan.execution.device &&
                back.execution.precision == plan.execution.precision &&
                back.execution.threadsPerRank == plan.execution.threadsPerRank);
    }
    // Nothing of the full plan is left at the value that a plan without it would have.
    const RunPlan untouched;
    const json full = toJson(fullPlan()), usual = toJson(untouched);
    for (const char* part : {"training", "execution", "data"}) {
        for (const auto& [key, value] : full.at(part).items())
            QVERIFY2(usual.at(part).at(key) != value, key.c_str());
    }
}

void RunPlanTest::realNumbersComeBackToTheBit()
{
    std::mt19937_64 random(4);
    for (int round = 0; round < 200; ++round) {
        RunPlan plan = fullPlan();
        plan.training.learningRate = std::uniform_real_distribution(0.0, 1.0)(random);
        plan.training.epsilon = plan.training.learningRate * 1e-9;
        plan.training.seed = random();
        const RunPlan back = runPlanFromJson(json::parse(toJson(plan).dump()));
        QVERIFY(back.training.learningRate == plan.training.learningRate);
        QVERIFY(back.training.epsilon == plan.training.epsilon);
        QVERIFY(back.training.seed == plan.training.seed);
    }
}

void RunPlanTest::unknownKeysAreIgnored()
{
    json plan = toJson(fullPlan());
    plan["later"] = {{"a", 1}};
    for (const char* part : {"model", "layout", "training", "data", "execution"})
        plan[part]["later"] = "something";
    QCOMPARE(toJson(runPlanFromJson(plan)).dump(), toJson(fullPlan()).dump());
}

void RunPlanTest::absentOptionalFieldsTakeTheirDefaults()
{
    json plan = toJson(fullPlan());
    for (const char* pointer :
         {"/execution", "/label", "/weights", "/layout/order", "/layout/virtualStages",
          "/layout/layersPerStage", "/training/learningRate", "/training/seed",
          "/training/schedule", "/training/microbatchGroup", "/training/scheduleCsv", "/data/bestLoss", "/model/ropeTheta"})
        plan = without(plan, pointer);
    const RunPlan back = runPlanFromJson(plan);
    QCOMPARE(back.execution.hangSeconds, ExecutionPlan{}.hangSeconds);
    QCOMPARE(back.training.learningRate, TrainingPlan{}.learningRate);
    QCOMPARE(back.training.schedule, std::string("1f1b"));
    QVERIFY(back.layout.order == megatronOrder && back.layout.layersPerStage.empty());
    QCOMPARE(back.data.bestLoss, -1.0);
}

void RunPlanTest::requiredFieldsAreNamedWhenTheyAreMissing_data()
{
    QTest::addColumn<QString>("pointer");
    for (const char* pointer :
         {"/version", "/model", "/layout", "/training", "/data", "/model/architecture",
          "/model/vocabulary", "/model/hidden", "/model/tiedHead", "/layout/dp", "/layout/tp",
          "/layout/pp", "/training/steps", "/training/globalBatch", "/training/microbatch",
          "/training/sequence", "/data/kind"})
        QTest::newRow(pointer) << pointer;
}

void RunPlanTest::requiredFieldsAreNamedWhenTheyAreMissing()
{
    QFETCH(QString, pointer);
    const json plan = without(toJson(fullPlan()), pointer.toStdString());
    const QString text = errorText([&] { runPlanFromJson(plan); });
    const QString field = pointer.mid(1).replace('/', '.');
    QVERIFY2(text.contains(field + " is missing"), qPrintable(text));
}

void RunPlanTest::wrongFieldsAreNamed_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* pointer, const char* value, const char* message) {
        QTest::addRow("%s = %s", pointer, value) << pointer << value << message;
    };
    row("/version", "\"1\"", "version is a text");
    row("/version", "0", "version is 0");
    row("/layout/dp", "0", "layout.dp is 0");
    row("/layout/tp", "-3", "layout.tp is -3");
    row("/layout/pp", "65537", "layout.pp is 65537");
    row("/layout/dp", "2.5", "layout.dp is 2.5");
    row("/layout/dp", "true", "layout.dp is true or false");
    row("/layout/order", "\"tp-tp-pp\"", "no order of dp, tp and pp");
    row("/layout/layersPerStage", "3", "layout.layersPerStage is a number");
    row("/layout/layersPerStage", "[1, \"a\"]", "layout.layersPerStage[1] is a text");
    row("/layout/layersPerStage", "[1, -2]", "layout.layersPerStage[1] is -2");
    row("/model", "[]", "model is an array");
    row("/model/architecture", "\"mamba\"", "model.architecture is \"mamba\"");
    row("/model/heads", "99999999999", "model.heads is 99999999999");
    row("/model/headSize", "7", "head size 7 is odd");
    row("/training/steps", "0", "training.steps is 0");
    row("/training/globalBatch", "4294967296", "training.globalBatch is 4294967296");
    row("/training/learningRate", "-1", "training.learningRate is -1");
    row("/training/learningRate", "null", "no error");
    row("/training/beta1", "1.01", "training.beta1 is 1.01");
    row("/training/seed", "-1", "training.seed is -1");
    row("/training/seed", "1.5", "training.seed is 1.5");
    row("/training/schedule", "7", "training.schedule is a number");
    row("/data/kind", "\"video\"", "data.kind is \"video\"");
    row("/data/path", "[]", "data.path is an array");
    row("/execution/everyStep", "0", "execution.everyStep is 0");
    row("/execution/hangSeconds", "0", "execution.hangSeconds is 0");
    row("/execution/mcaOptions", "[1]", "execution.mcaOptions holds something else");
    row("/execution/detail", "\"yes\"", "execution.detail is a text");
}

void RunPlanTest::wrongFieldsAreNamed()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, message);
    const json plan =
        changed(toJson(fullPlan()), pointer.toStdString(), json::parse(value.toStdString()));
    const QString text = errorText([&] { runPlanFromJson(plan); });
    QVERIFY2(text.contains(message), qPrintable(text));
}

void RunPlanTest::newerVersionsAreRefused()
{
    const QString text =
        errorText([] { runPlanFromJson(changed(toJson(fullPlan()), "/version", 2)); });
    QVERIFY(text.contains("version is 2, newer than 1") && text.contains("use a newer Triaxis"));
}

void RunPlanTest::pathsThatAreNoUtf8AreRefused()
{
    RunPlan plan = fullPlan();
    plan.data.path = "/data/\xff\xfe";
    QVERIFY(errorText([&] { toJson(plan); }).contains("no UTF-8"));
}

void RunPlanTest::everyReplacedFieldGivesAPlanOrAnError()
{
    const json plan = toJson(fullPlan());
    std::vector<std::string> pointers;
    collect(plan, "", pointers);
    QVERIFY(pointers.size() > 50);
    const std::vector<json> values{nullptr,
                                   true,
                                   0,
                                   -1,
                                   1,
                                   3,
                                   2'147'483'647,
                                   -2'147'483'648,
                                   ~std::uint64_t(0),
                                   1e300,
                                   -1e300,
                                   0.5,
                                   "",
                                   "text",
                                   json::array(),
                                   json::array({1}),
                                   json::array({json::array()}),
                                   json::object()};
    int accepted = 0, refused = 0;
    for (const std::string& pointer : pointers) {
        for (const json& value : values) {
            const json other = changed(plan, pointer, value);
            const auto error = errorOf([&] { checkPlan(runPlanFromJson(other)); });
            error ? ++refused : ++accepted;
        }
    }
    QVERIFY(accepted > 100 && refused > 500);
}

void RunPlanTest::mutatedTextsGiveAPlanOrAnError()
{
    const std::string text = toJson(fullPlan()).dump();
    std::mt19937 random(2);
    int read = 0;
    for (int round = 0; round < 2000; ++round) {
        std::string other = text;
        for (int change = 0; change <= round % 3; ++change) {
            const std::size_t at = random() % other.size();
            switch (random() % 3) {
            case 0:
                other[at] = char(32 + random() % 95);
                break;
            case 1:
                other.erase(at, 1 + random() % 4);
                break;
            default:
                other.insert(at, 1, "0123456789-.,:{}[]\"e"[random() % 20]);
                break;
            }
        }
        const json parsed = json::parse(other, nullptr, false);
        if (parsed.is_discarded())
            continue;
        ++read;
        errorOf([&] { toJson(runPlanFromJson(parsed)); });
    }
    QVERIFY(read > 250);
}

QTEST_APPLESS_MAIN(RunPlanTest)
#include "run_plan_test.moc"

#include "engine/data/token_source.h"
#include "engine/formats/hf_config.h"
#include "tests/engine/core/expect_error.h"
#include "tests/engine/model/model_fixture.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace triaxis;
using nlohmann::json;

namespace
{

/// Two steps of three sequences of two tokens and the last target.
json batchFile()
{
    return json::parse(R"({
        "seed": 5, "batch": 3, "sequence": 2,
        "hyperparameters": {"lr": 0.003, "beta1": 0.8, "beta2": 0.9, "eps": 1e-07, "weight_decay": 0.2,
                            "clip_grad_norm": 0.5},
        "batches": [[[0, 1, 2], [3, 4, 5], [6, 7, 8]], [[9, 10, 11], [12, 13, 14], [15, 16, 17]]],
        "expected": [{"step": 1, "loss": 6.4}]})");
}

json changed(const std::string& patch)
{
    json file = batchFile();
    file.merge_patch(json::parse(patch));
    return file;
}

} // namespace

class BatchFileTest : public QObject
{
    Q_OBJECT

private slots:
    void fillsThePlan();
    void absentKeysLeaveThePlan();
    void nullClippingMeansNone();
    void givesTheTokensOfEverySequence();
    void refusesWrongFiles_data();
    void refusesWrongFiles();
    void aRefusedFileLeavesThePlanAsItWas();
    void refusesTokensOutsideTheVocabulary();
    void refusesPlansThatDoNotFitTheFile();
    void fewerStepsThanBatchesAreAllowed();
    void readsTheSharedReferenceCases();

private:
    std::string put(const std::string& content)
    {
        QFile file(m_folder.filePath("run.json"));
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(content.data(), qint64(content.size())) < 0)
            qFatal("the fixture cannot be written");
        return file.fileName().toStdString();
    }
    RunPlan applied(const json& file)
    {
        RunPlan plan;
        plan.model = smallGpt2();
        applyBatchFile(put(file.dump()), plan);
        return plan;
    }

    QTemporaryDir m_folder;
};

void BatchFileTest::fillsThePlan()
{
    const RunPlan plan = applied(batchFile());
    QCOMPARE(plan.training.seed, std::uint64_t(5));
    QCOMPARE(plan.training.steps, 2);
    QCOMPARE(plan.training.batch.globalBatch, 3);
    QCOMPARE(plan.training.batch.sequence, 2);
    QCOMPARE(plan.training.learningRate, 0.003);
    QCOMPARE(plan.training.beta1, 0.8);
    QCOMPARE(plan.training.beta2, 0.9);
    QCOMPARE(plan.training.epsilon, 1e-7);
    QCOMPARE(plan.training.weightDecay, 0.2);
    QCOMPARE(plan.training.clipNorm, 0.5);
    QVERIFY(plan.data.kind == DataKind::Batches);
    QVERIFY(std::filesystem::path(plan.data.path).is_absolute());
    QCOMPARE(plan.data.bestLoss, -1.0);
}

void BatchFileTest::absentKeysLeaveThePlan()
{
    const TrainingPlan before;
    const RunPlan plan = applied({{"batches", batchFile().at("batches")}});
    QCOMPARE(plan.training.batch.globalBatch, 3);
    QCOMPARE(plan.training.batch.sequence, 2);
    QCOMPARE(plan.training.seed, before.seed);
    QCOMPARE(plan.training.learningRate, before.learningRate);
    QCOMPARE(plan.training.clipNorm, before.clipNorm);
    QCOMPARE(applied({{"batches", batchFile().at("batches")}, {"hyperparameters", {{"lr", 0.5}}}})
                 .training.learningRate,
             0.5);
}

void BatchFileTest::nullClippingMeansNone()
{
    json file = batchFile();
    file["hyperparameters"]["clip_grad_norm"] = nullptr;
    QCOMPARE(applied(file).training.clipNorm, 0.0);
    file["hyperparameters"]["clip_grad_norm"] = 0;
    QCOMPARE(applied(file).training.clipNorm, 0.0);
}

void BatchFileTest::givesTheTokensOfEverySequence()
{
    const auto source = makeTokenSource(applied(batchFile()));
    QCOMPARE(source->vocabulary(), 509);
    std::int32_t tokens[3];
    for (int index = 0; index < 6; ++index) {
        source->sample(index, tokens);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(tokens[i], 3 * index + i);
    }
    QVERIFY(errorText([&] {
                source->sample(6, tokens);
            }).contains("has 6 sequences, and number 7 is wanted"));
    QVERIFY(errorOf([&] { source->sample(-1, tokens); }));
}

void BatchFileTest::refusesWrongFiles_data()
{
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const std::string& patch, const char* message) {
        QTest::newRow(name) << QString::fromStdString(changed(patch).dump()) << message;
    };
    QTest::newRow("empty") << ""
                           << "empty";
    QTest::newRow("no JSON") << "{\"batches\": [[[1, 2"
                             << "is no JSON";
    QTest::newRow("a list") << "[]"
                            << "is an array instead of an object";
    row("no batches", R"({"batches": null})", "batches is missing");
    row("batches of another type", R"({"batches": 3})", "batches is a number instead of an array");
    row("no steps", R"({"batches": []})", "batches is no array with entries");
    row("no sequences", R"({"batches": [[]]})", "batches[0] is no array with entries");
    row("no tokens", R"({"batches": [[[]]]})", "batches[0][0] is no array with entries");
    row("one token", R"({"batches": [[[1], [1], [1]]]})", "sequences of one token");
    row("a step that is no list", R"({"batches": [[[1, 2, 3]], 7]})", "batches[1] is no array");
    row("uneven steps", R"({"batches": [[[1, 2, 3]], [[1, 2, 3], [1, 2, 3]]]})",
        "batches[1] has 2 entries");
    row("uneven sequences", R"({"batches": [[[1, 2, 3], [1, 2]]]})", "batches[0][1] has 2 entries");
    row("another batch size", R"({"batch": 4})", "batch is 4, and the batches say 3");
    row("another length", R"({"sequence": 3})", "sequence is 3, and the batches say 2");
    row("batch as a text", R"({"batch": "3"})", "batch is a text");
    row("negative seed", R"({"seed": -1})", "seed is -1");
    row("seed as a text", R"({"seed": "one"})", "seed is a text");
    row("hyperparameters as a list", R"({"hyperparameters": []})", "hyperparameters is an array");
    row("rate as a text", R"({"hyperparameters": {"lr": "fast"}})", "hyperparameters.lr is a text");
    row("negative rate", R"({"hyperparameters": {"lr": -1}})", "hyperparameters.lr is -1");
    row("beta", R"({"hyperparameters": {"beta1": 1.5}})", "hyperparameters.beta1 is 1.5");
}

void BatchFileTest::refusesWrongFiles()
{
    QFETCH(QString, content);
    QFETCH(QString, message);
    RunPlan plan;
    const std::string path = put(content.toStdString());
    const QString text = errorText([&] { applyBatchFile(path, plan); });
    QVERIFY2(text.startsWith("cannot read the file of batches: ") && text.contains(message),
             qPrintable(text));
}

void BatchFileTest::aRefusedFileLeavesThePlanAsItWas()
{
    RunPlan plan;
    plan.training.learningRate = 0.25;
    const json before = toJson(plan);
    QVERIFY(errorOf([&] {
        applyBatchFile(put(changed(R"({"hyperparameters": {"eps": "x"}})").dump()), plan);
    }));
    QVERIFY(toJson(plan) == before);
    QVERIFY(errorText([&] { applyBatchFile("/none/run.json", plan); }).contains("does not exist"));
    QVERIFY(errorText([&] { applyBatchFile("/dev/zero", plan); }).contains("no regular file"));
}

void BatchFileTest::refusesTokensOutsideTheVocabulary()
{
    RunPlan plan = applied(batchFile());
    plan.model.vocabulary = 17;
    QVERIFY(errorText([&] { makeTokenSource(plan); }).contains("batches[1][2] holds token 17"));
    for (const json& token :
         {json(-1), json(1.5), json("a"), json(nullptr), json(~std::uint64_t(0))}) {
        json file = batchFile();
        file["batches"][0][1][2] = token;
        const RunPlan wrong = applied(file);
        QVERIFY(errorText([&] { makeTokenSource(wrong); }).contains("batches[0][1] holds"));
    }
}

void BatchFileTest::refusesPlansThatDoNotFitTheFile()
{
    RunPlan plan = applied(batchFile());
    plan.training.steps = 3;
    QVERIFY(errorText([&] { makeTokenSource(plan); }).contains("has 2 steps, and the plan has 3"));
    plan = applied(batchFile());
    plan.training.batch.globalBatch = 2;
    QVERIFY(errorText([&] { makeTokenSource(plan); }).contains("3 sequences of 2 tokens a step"));
    plan = applied(batchFile());
    plan.training.batch.sequence = 1;
    QVERIFY(errorOf([&] { makeTokenSource(plan); }));
    plan.data.path = m_folder.filePath("none").toStdString();
    QVERIFY(errorText([&] { makeTokenSource(plan); }).contains("does not exist"));
}

void BatchFileTest::fewerStepsThanBatchesAreAllowed()
{
    RunPlan plan = applied(batchFile());
    plan.training.steps = 1;
    std::int32_t tokens[3];
    makeTokenSource(plan)->sample(2, tokens);
    QCOMPARE(tokens[0], 6);
}

/// Runs in addition where the shared reference cases lie beside the sources.
void BatchFileTest::readsTheSharedReferenceCases()
{
    const QDir golden(qEnvironmentVariable("TRIAXIS_SHARED") + "/golden");
    int cases = 0;
    for (const char* name : {"gpt2-tiny", "llama-tiny"}) {
        const std::string folder = golden.filePath(name).toStdString();
        if (!std::filesystem::exists(folder + "/run.json"))
            continue;
        RunPlan plan;
        plan.model = readModel(folder);
        applyBatchFile(folder + "/run.json", plan);
        QCOMPARE(plan.training.batch.globalBatch, 16);
        QCOMPARE(plan.training.batch.sequence, 32);
        QCOMPARE(plan.training.learningRate, 0.003);
        std::vector<std::int32_t> tokens(33);
        makeTokenSource(plan)->sample(plan.training.steps * 16 - 1, tokens.data());
        ++cases;
    }
    qInfo("shared reference cases: %d", cases);
}

QTEST_APPLESS_MAIN(BatchFileTest)
#include "batch_file_test.moc"

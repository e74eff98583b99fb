#include "engine/formats/hf_config.h"
#include "engine/model/parameters.h"
#include "tests/engine/core/expect_error.h"

#include <QTest>

using namespace triaxis;

class ModelPresetsTest : public QObject
{
    Q_OBJECT

private slots:
    void presetsHavePublishedShapes();
    void presetsTrainAndSplit();
    void unknownPresetsAreAnsweredWithTheList();
    void findsPresetsBeforePaths();
};

void ModelPresetsTest::presetsHavePublishedShapes()
{
    const ModelSpec xl = modelPreset("gpt2-xl");
    QVERIFY(xl.layers == 48 && xl.hidden == 1600 && xl.heads == 25 && xl.vocabulary == 50257 &&
            xl.positions == 1024);
    const ModelSpec gpt3 = modelPreset("gpt3-175b");
    QVERIFY(gpt3.layers == 96 && gpt3.hidden == 12288 && gpt3.heads == 96 && gpt3.headSize == 128);
    const ModelSpec llama = modelPreset("llama3-405b");
    QVERIFY(llama.layers == 126 && llama.hidden == 16384 && llama.heads == 128 &&
            llama.kvHeads == 8 && llama.feedForward == 53248 && llama.vocabulary == 128256 &&
            !llama.tiedHead);
    QCOMPARE(llama.ropeTheta, 500000.0);
    const std::vector<std::string> names = modelPresets();
    QCOMPARE(names.size(), std::size_t(15));
    for (std::size_t i = 1; i < names.size(); ++i)
        QVERIFY(parameterCount(modelPreset(names[i - 1])) <= parameterCount(modelPreset(names[i])));
}

void ModelPresetsTest::presetsTrainAndSplit()
{
    for (const char* name : {"gpt2-1m", "llama-1m"}) {
        const ModelSpec model = modelPreset(name);
        QCOMPARE(model.vocabulary, 257);
        QCOMPARE(model.positions, 128);
        QCOMPARE(model.layers % 4, 0);
        for (const int tp : {1, 2, 4, 8}) {
            for (const ParameterSpec& parameter : parametersOf(model))
                shardOf(model, parameter, tp - 1, tp);
        }
    }
    QCOMPARE(modelPreset("gpt2-deep").layers, 32); // for pipelines of 8 and 16 stages on small machines
    QVERIFY(modelPreset("llama-1m").kvHeads < modelPreset("llama-1m").heads);
}

void ModelPresetsTest::unknownPresetsAreAnsweredWithTheList()
{
    const QString text = errorText([] { modelPreset("gpt5"); });
    QVERIFY(text.contains("\"gpt5\"") && text.contains("gpt2-1m, ") &&
            text.contains("llama3-405b"));
    QVERIFY(errorText([] { findModel("gpt5"); }).contains("neither a preset nor a path"));
    QVERIFY(errorText([] { findModel(""); }).contains("neither a preset nor a path"));
}

void ModelPresetsTest::findsPresetsBeforePaths()
{
    QVERIFY(findModel("gpt2") == modelPreset("gpt2"));
}

QTEST_APPLESS_MAIN(ModelPresetsTest)
#include "model_presets_test.moc"

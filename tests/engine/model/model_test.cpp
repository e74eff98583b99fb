#include "engine/formats/hf_config.h"
#include "engine/model/model.h"
#include "engine/model/parameters.h"
#include "tests/engine/core/expect_error.h"
#include "tests/engine/model/model_fixture.h"

#include <QTest>
#include <functional>
#include <limits>

using namespace triaxis;

class ModelTest : public QObject
{
    Q_OBJECT

private slots:
    void matrixFlopsAreTwiceTheMatrixParameters();
    void attentionFlopsCountTheCausalHalf();
    void trainingFlopsAreThreeForwards();
    void trainingFlopsOfAShortLastSequence();
    void trainingFlopsSaturateInsteadOfOverflowing();
    void acceptsEveryPreset();
    void refusesSizesThatDoNotFit_data();
    void refusesSizesThatDoNotFit();
    void equalityComparesEveryField();
};

void ModelTest::matrixFlopsAreTwiceTheMatrixParameters()
{
    for (const ModelSpec& model : {smallGpt2(), smallLlama(), modelPreset("llama3-8b")}) {
        std::int64_t elements = 0;
        for (const ParameterSpec& parameter : parametersOf(model)) {
            if (parameter.layer == 0 && parameter.shape.size() == 2)
                elements += parameter.shape[0] * parameter.shape[1];
        }
        QCOMPARE(layerMatrixFlopsPerToken(model), 2 * elements);
        QCOMPARE(headFlopsPerToken(model), std::int64_t(2) * model.hidden * model.vocabulary);
    }
}

void ModelTest::attentionFlopsCountTheCausalHalf()
{
    const ModelSpec model = smallLlama();
    std::int64_t pairs = 0;
    for (int query = 0; query < 17; ++query) {
        for (int key = 0; key <= query; ++key)
            ++pairs;
    }
    // Score and weighted sum, each a multiplication and an addition for every element of a head.
    QCOMPARE(layerAttentionFlops(model, 17), 2 * 2 * 8 * 6 * pairs);
    QCOMPARE(layerAttentionFlops(model, 0), 0);
}

void ModelTest::trainingFlopsAreThreeForwards()
{
    const ModelSpec model = smallGpt2();
    const std::int64_t sequences = 5, time = 24;
    const std::int64_t forward =
        sequences * time *
            (model.layers * layerMatrixFlopsPerToken(model) + headFlopsPerToken(model)) +
        sequences * model.layers * layerAttentionFlops(model, 24);
    QCOMPARE(trainingFlops(model, sequences * time, 24), 3 * forward);
    QCOMPARE(trainingFlopsPerToken(model, 24) * double(sequences * time), 3.0 * double(forward));
    QCOMPARE(trainingFlops(model, 0, 24), 0);
    QCOMPARE(trainingFlops(model, 100, 0), 0);
}

void ModelTest::trainingFlopsOfAShortLastSequence()
{
    const ModelSpec model = smallGpt2();
    QCOMPARE(trainingFlops(model, 24 + 7, 24),
             trainingFlops(model, 24, 24) + trainingFlops(model, 7, 7));
}

void ModelTest::trainingFlopsSaturateInsteadOfOverflowing()
{
    const ModelSpec model = modelPreset("llama3-405b");
    QCOMPARE(trainingFlops(model, 16'000'000, 8192), std::numeric_limits<std::int64_t>::max());
    QVERIFY(trainingFlopsPerToken(model, 8192) > 6 * 400e9);
    QCOMPARE(layerAttentionFlops(model, std::numeric_limits<int>::max()),
             std::numeric_limits<std::int64_t>::max());
}

void ModelTest::acceptsEveryPreset()
{
    for (const std::string& name : modelPresets())
        checkModel(modelPreset(name));
    checkModel(smallGpt2());
    checkModel(smallLlama());
}

void ModelTest::refusesSizesThatDoNotFit_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("field");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("message");
    QTest::newRow("no vocabulary") << "gpt2"
                                   << "vocabulary" << 0.0 << "vocabulary size is 0";
    QTest::newRow("negative layers") << "gpt2"
                                     << "layers" << -4.0 << "number of layers is -4";
    QTest::newRow("absurd layers") << "gpt2"
                                   << "layers" << 2e9 << "number of layers";
    QTest::newRow("absurd hidden size") << "llama"
                                        << "hidden" << 2e9 << "hidden size";
    QTest::newRow("heads that do not divide") << "gpt2"
                                              << "headSize" << 5.0 << "heads of 5";
    QTest::newRow("key/value heads") << "llama"
                                     << "kvHeads" << 3.0 << "cannot share 3 key/value heads";
    QTest::newRow("GPT-2 without grouped heads") << "gpt2"
                                                 << "kvHeads" << 4.0 << "4 key/value heads";
    QTest::newRow("odd head size") << "llama"
                                   << "headSize" << 7.0 << "head size 7 is odd";
    QTest::newRow("no epsilon") << "llama"
                                << "normEpsilon" << 0.0 << "epsilon";
    QTest::newRow("no base") << "llama"
                             << "ropeTheta" << -1.0 << "rotary";
    QTest::newRow("range that is no number")
        << "llama"
        << "initializerRange" << std::nan("") << "initializer range";
}

void ModelTest::refusesSizesThatDoNotFit()
{
    QFETCH(QString, base);
    QFETCH(QString, field);
    QFETCH(double, value);
    QFETCH(QString, message);
    ModelSpec model = base == "gpt2" ? smallGpt2() : smallLlama();
    const std::map<QString, std::function<void()>> set{
        {"vocabulary", [&] { model.vocabulary = int(value); }},
        {"layers", [&] { model.layers = int(value); }},
        {"hidden", [&] { model.hidden = int(value); }},
        {"headSize", [&] { model.headSize = int(value); }},
        {"kvHeads", [&] { model.kvHeads = int(value); }},
        {"normEpsilon", [&] { model.normEpsilon = value; }},
        {"ropeTheta", [&] { model.ropeTheta = value; }},
        {"initializerRange", [&] { model.initializerRange = value; }}};
    set.at(field)();
    const QString text = errorText([&] { checkModel(model); });
    QVERIFY2(text.contains(message) && text.contains(QString::fromStdString(model.name)),
             qPrintable(text));
}

void ModelTest::equalityComparesEveryField()
{
    const ModelSpec model = smallLlama();
    const std::vector<std::function<void(ModelSpec&)>> changes{[](ModelSpec& m) { m.name = "x"; },
                                                               [](ModelSpec& m) { m.architecture = Architecture::Gpt2; },
                                                               [](ModelSpec& m) { ++m.vocabulary; },
                                                               [](ModelSpec& m) { ++m.positions; },
                                                               [](ModelSpec& m) { ++m.hidden; },
                                                               [](ModelSpec& m) { ++m.layers; },
                                                               [](ModelSpec& m) { ++m.heads; },
                                                               [](ModelSpec& m) { ++m.kvHeads; },
                                                               [](ModelSpec& m) { ++m.headSize; },
                                                               [](ModelSpec& m) { ++m.feedForward; },
                                                               [](ModelSpec& m) { m.normEpsilon *= 2; },
                                                               [](ModelSpec& m) { m.ropeTheta *= 2; },
                                                               [](ModelSpec& m) { m.tiedHead = true; },
                                                               [](ModelSpec& m) { m.attentionBias = true; },
                                                               [](ModelSpec& m) { m.mlpBias = true; },
                                                               [](ModelSpec& m) { m.initializerRange *= 2; }};
    QVERIFY(model == smallLlama());
    for (const auto& change : changes) {
        ModelSpec other = model;
        change(other);
        QVERIFY(!(other == model));
    }
}

QTEST_APPLESS_MAIN(ModelTest)
#include "model_test.moc"

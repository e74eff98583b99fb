#include "engine/formats/hf_config.h"
#include "engine/formats/weights.h"
#include "engine/model/parameters.h"
#include "tests/engine/core/expect_error.h"
#include "tests/engine/model/model_fixture.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <map>

using namespace triaxis;

namespace
{

using Shapes = std::map<std::string, std::vector<std::int64_t>>;

Shapes shapesOf(const ModelSpec& model, const std::string& prefix = {})
{
    Shapes shapes;
    for (const ParameterSpec& parameter : parametersOf(model))
        shapes[prefix + parameter.name] = parameter.shape;
    return shapes;
}

} // namespace

class WeightsTest : public QObject
{
    Q_OBJECT

private slots:
    void acceptsTheModelsOwnTensors();
    void acceptsOtherPrefixes();
    void acceptsMaskBuffersAndARedundantHead();
    void namesMissingTensors();
    void namesTensorsOfAnotherShape();
    void refusesTensorsThatTheModelWouldIgnore();
    void acceptsTheSharedReferenceCases();

private:
    QString check(const Shapes& shapes, const ModelSpec& model)
    {
        const std::string path = m_folder.filePath("m.safetensors").toStdString();
        SafetensorsWriter writer(path, {shapes.begin(), shapes.end()});
        for (const auto& [name, shape] : shapes) {
            std::int64_t count = 1;
            for (const std::int64_t size : shape)
                count *= size;
            const std::vector<float> values(std::size_t(count), 0.5f);
            writer.write(name, 0, count, values.data());
        }
        writer.finish();
        const SafetensorsFile file(path);
        return errorText([&] { checkWeights(file, model); });
    }

    QTemporaryDir m_folder;
};

void WeightsTest::acceptsTheModelsOwnTensors()
{
    QCOMPARE(check(shapesOf(smallGpt2()), smallGpt2()), QString("no error"));
    QCOMPARE(check(shapesOf(smallLlama()), smallLlama()), QString("no error"));
}

void WeightsTest::acceptsOtherPrefixes()
{
    QCOMPARE(check(shapesOf(smallGpt2(), "transformer."), smallGpt2()), QString("no error"));
    Shapes base;
    for (const auto& [name, shape] : shapesOf(smallLlama()))
        base[name.starts_with("model.") ? name.substr(6) : name] = shape;
    QVERIFY(base.contains("norm.weight"));
    QCOMPARE(check(base, smallLlama()), QString("no error"));
}

void WeightsTest::acceptsMaskBuffersAndARedundantHead()
{
    Shapes gpt2 = shapesOf(smallGpt2(), "transformer.");
    gpt2["transformer.h.0.attn.bias"] = {1, 1, 24, 24};
    gpt2["transformer.h.0.attn.masked_bias"] = {};
    gpt2["lm_head.weight"] = {509, 48};
    QCOMPARE(check(gpt2, smallGpt2()), QString("no error"));
    Shapes llama = shapesOf(smallLlama());
    llama["model.layers.0.self_attn.rotary_emb.inv_freq"] = {3};
    QCOMPARE(check(llama, smallLlama()), QString("no error"));
}

void WeightsTest::namesMissingTensors()
{
    Shapes shapes = shapesOf(smallGpt2());
    shapes.erase("h.1.mlp.c_fc.bias");
    QVERIFY(check(shapes, smallGpt2()).contains("the file lacks h.1.mlp.c_fc.bias;"));
    QVERIFY(check({{"wte.weight", {509, 48}}}, smallGpt2()).contains("and 36 more"));
    Shapes untied = shapesOf(smallLlama());
    untied.erase("lm_head.weight");
    QVERIFY(check(untied, smallLlama()).contains("the file lacks lm_head.weight"));
}

void WeightsTest::namesTensorsOfAnotherShape()
{
    Shapes shapes = shapesOf(smallGpt2());
    shapes["h.2.attn.c_attn.weight"] = {144, 48};
    QVERIFY(check(shapes, smallGpt2())
                .contains("tensor h.2.attn.c_attn.weight has the shape [144, 48], and the model "
                          "needs [48, 144]"));
}

void WeightsTest::refusesTensorsThatTheModelWouldIgnore()
{
    ModelSpec biased = smallLlama();
    biased.attentionBias = true;
    const QString text = check(shapesOf(biased), smallLlama());
    QVERIFY2(text.contains("the model does not know") && text.contains("_proj.bias"),
             qPrintable(text));
    QCOMPARE(check(shapesOf(biased), biased), QString("no error"));
    ModelSpec deeper = smallGpt2();
    ++deeper.layers;
    QVERIFY(check(shapesOf(deeper), smallGpt2()).contains("h.3."));
}

/// Runs in addition where the shared reference cases lie beside the sources.
void WeightsTest::acceptsTheSharedReferenceCases()
{
    const QDir golden(qEnvironmentVariable("TRIAXIS_SHARED") + "/golden");
    int cases = 0;
    for (const char* name : {"gpt2-tiny", "llama-tiny"}) {
        const std::string folder = golden.filePath(name).toStdString();
        if (!std::filesystem::exists(folder + "/model.safetensors"))
            continue;
        checkWeights(SafetensorsFile(folder + "/model.safetensors"), readModel(folder));
        ++cases;
    }
    qInfo("shared reference cases: %d", cases);
}

QTEST_APPLESS_MAIN(WeightsTest)
#include "weights_test.moc"

#include "engine/formats/hf_config.h"
#include "engine/model/parameters.h"
#include "tests/engine/model/model_fixture.h"

#include <QTest>
#include <cmath>
#include <map>
#include <set>

using namespace triaxis;

namespace
{

std::map<std::string, ParameterSpec> byName(const ModelSpec& model)
{
    std::map<std::string, ParameterSpec> result;
    for (const ParameterSpec& parameter : parametersOf(model))
        result.emplace(parameter.name, parameter);
    return result;
}

} // namespace

class ParametersTest : public QObject
{
    Q_OBJECT

private slots:
    void countsAreThePublishedOnes_data();
    void countsAreThePublishedOnes();
    void countsAgreeWithTheList();
    void namesAreHuggingFacesAndUnique();
    void tiedHeadAddsNoParameter();
    void llamaBiasesFollowTheConfiguration();
    void ownersFollowTheForwardPass();
    void onlyMatricesDecay();
    void initialValuesAreThoseOfTheArchitectures();
    void splitsAreColumnThenRowParallel();
};

void ParametersTest::countsAreThePublishedOnes_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<qint64>("count");
    QTest::newRow("GPT-2") << "gpt2" << qint64(124'439'808);
    QTest::newRow("GPT-2 medium") << "gpt2-medium" << qint64(354'823'168);
    QTest::newRow("GPT-2 large") << "gpt2-large" << qint64(774'030'080);
    QTest::newRow("GPT-2 XL") << "gpt2-xl" << qint64(1'557'611'200);
    QTest::newRow("Llama 2 7B") << "llama2-7b" << qint64(6'738'415'616);
    QTest::newRow("Llama 3 8B") << "llama3-8b" << qint64(8'030'261'248);
    QTest::newRow("Llama 3 70B") << "llama3-70b" << qint64(70'553'706'496);
    QTest::newRow("Llama 3 405B") << "llama3-405b" << qint64(405'853'388'800);
    // 96 layers of 12·C² + 13·C, embeddings of 50,257 + 2,048 rows, and the last norm.
    QTest::newRow("GPT-3 175B") << "gpt3-175b" << qint64(174'604'259'328);
}

void ParametersTest::countsAreThePublishedOnes()
{
    QFETCH(QString, preset);
    QFETCH(qint64, count);
    QCOMPARE(qint64(parameterCount(modelPreset(preset.toStdString()))), count);
}

void ParametersTest::countsAgreeWithTheList()
{
    for (const ModelSpec& model :
         {smallGpt2(), smallLlama(), modelPreset("gpt2-1m"), modelPreset("llama-1m")}) {
        std::int64_t all = 0, layer = 0;
        for (const ParameterSpec& parameter : parametersOf(model)) {
            std::int64_t count = 1;
            for (const std::int64_t size : parameter.shape)
                count *= size;
            all += count;
            layer += parameter.layer == 1 ? count : 0;
        }
        QCOMPARE(parameterCount(model), all);
        QCOMPARE(layerParameterCount(model), layer);
    }
    QVERIFY(std::fabs(double(parameterCount(modelPreset("gpt2-1m"))) - 1e6) < 1e5);
    QVERIFY(std::fabs(double(parameterCount(modelPreset("llama-1m"))) - 1e6) < 1e5);
}

void ParametersTest::namesAreHuggingFacesAndUnique()
{
    const std::vector<std::string> gpt2{"wte.weight",
                                        "wpe.weight",
                                        "h.0.ln_1.weight",
                                        "h.0.ln_1.bias",
                                        "h.0.attn.c_attn.weight",
                                        "h.0.attn.c_attn.bias",
                                        "h.0.attn.c_proj.weight",
                                        "h.0.attn.c_proj.bias",
                                        "h.0.ln_2.weight",
                                        "h.0.ln_2.bias",
                                        "h.0.mlp.c_fc.weight",
                                        "h.0.mlp.c_fc.bias",
                                        "h.0.mlp.c_proj.weight",
                                        "h.0.mlp.c_proj.bias"};
    const std::vector<std::string> llama{"model.embed_tokens.weight",
                                         "model.layers.0.input_layernorm.weight",
                                         "model.layers.0.self_attn.q_proj.weight",
                                         "model.layers.0.self_attn.k_proj.weight",
                                         "model.layers.0.self_attn.v_proj.weight",
                                         "model.layers.0.self_attn.o_proj.weight",
                                         "model.layers.0.post_attention_layernorm.weight",
                                         "model.layers.0.mlp.gate_proj.weight",
                                         "model.layers.0.mlp.up_proj.weight",
                                         "model.layers.0.mlp.down_proj.weight"};
    const auto startsWith = [](const ModelSpec& model, const std::vector<std::string>& names) {
        const auto parameters = parametersOf(model);
        for (std::size_t i = 0; i < names.size(); ++i)
            QCOMPARE(parameters[i].name, names[i]);
        QCOMPARE(byName(model).size(), parameters.size());
    };
    startsWith(smallGpt2(), gpt2);
    startsWith(smallLlama(), llama);
    QCOMPARE(parametersOf(smallGpt2()).back().name, std::string("ln_f.bias"));
    QCOMPARE(parametersOf(smallLlama()).back().name, std::string("lm_head.weight"));
}

void ParametersTest::tiedHeadAddsNoParameter()
{
    for (ModelSpec model : {smallGpt2(), smallLlama()}) {
        model.tiedHead = true;
        const std::int64_t tied = parameterCount(model);
        QVERIFY(!byName(model).contains("lm_head.weight"));
        model.tiedHead = false;
        QCOMPARE(parameterCount(model), tied + std::int64_t(model.vocabulary) * model.hidden);
        const ParameterSpec head = byName(model).at("lm_head.weight");
        QVERIFY(head.owner == ParameterOwner::Head && head.split == TensorSplit::Vocabulary);
        QVERIFY((head.shape == std::vector<std::int64_t>{model.vocabulary, model.hidden}));
    }
}

void ParametersTest::llamaBiasesFollowTheConfiguration()
{
    ModelSpec model = smallLlama();
    const std::int64_t plain = layerParameterCount(model);
    model.attentionBias = true;
    QCOMPARE(layerParameterCount(model), plain + 8 * 6 + 2 * 2 * 6 + 40);
    model.mlpBias = true;
    QCOMPARE(layerParameterCount(model), plain + 8 * 6 + 2 * 2 * 6 + 40 + 2 * 56 + 40);
    const auto parameters = byName(model);
    QVERIFY(parameters.at("model.layers.0.self_attn.k_proj.bias").split ==
            TensorSplit::KeyValueHeads);
    QVERIFY(parameters.at("model.layers.0.self_attn.o_proj.bias").split == TensorSplit::Replicated);
    QVERIFY(parameters.at("model.layers.0.mlp.up_proj.bias").split == TensorSplit::Rows);
    QVERIFY(parameters.at("model.layers.0.mlp.down_proj.bias").split == TensorSplit::Replicated);
}

void ParametersTest::ownersFollowTheForwardPass()
{
    for (const ModelSpec& model : {smallGpt2(), smallLlama()}) {
        auto last = ParameterOwner::Embedding;
        std::set<int> layers;
        for (const ParameterSpec& parameter : parametersOf(model)) {
            QVERIFY(parameter.owner >= last);
            last = parameter.owner;
            QCOMPARE(parameter.layer >= 0, parameter.owner == ParameterOwner::Layer);
            if (parameter.layer >= 0)
                layers.insert(parameter.layer);
        }
        QCOMPARE(int(layers.size()), model.layers);
    }
}

void ParametersTest::onlyMatricesDecay()
{
    for (const ModelSpec& model : {smallGpt2(), smallLlama()}) {
        for (const ParameterSpec& parameter : parametersOf(model))
            QCOMPARE(parameter.decays, parameter.shape.size() >= 2);
    }
}

void ParametersTest::initialValuesAreThoseOfTheArchitectures()
{
    const auto gpt2 = byName(smallGpt2());
    const double residual = 0.02 / std::sqrt(2.0 * 3);
    QCOMPARE(gpt2.at("wte.weight").initialScale, 0.02);
    QCOMPARE(gpt2.at("h.2.attn.c_attn.weight").initialScale, 0.02);
    QCOMPARE(gpt2.at("h.2.attn.c_proj.weight").initialScale, residual);
    QCOMPARE(gpt2.at("h.2.mlp.c_proj.weight").initialScale, residual);
    QCOMPARE(gpt2.at("h.2.mlp.c_fc.weight").initialScale, 0.02);
    for (const ModelSpec& model : {smallGpt2(), smallLlama()}) {
        for (const ParameterSpec& parameter : parametersOf(model)) {
            const bool vector = parameter.shape.size() == 1;
            const bool norm = vector && parameter.name.ends_with(".weight");
            QCOMPARE(parameter.initialScale == 0, vector);
            QCOMPARE(parameter.initialConstant, norm ? 1.0 : 0.0);
        }
    }
    for (const ParameterSpec& parameter : parametersOf(smallLlama())) {
        if (parameter.shape.size() == 2)
            QCOMPARE(parameter.initialScale, 0.02);
    }
}

void ParametersTest::splitsAreColumnThenRowParallel()
{
    const auto gpt2 = byName(smallGpt2());
    const auto split = [](const ParameterSpec& parameter) {
        return std::pair(parameter.split, parameter.splitDimension);
    };
    QVERIFY(split(gpt2.at("wte.weight")) == std::pair(TensorSplit::Vocabulary, 0));
    QVERIFY(gpt2.at("wpe.weight").split == TensorSplit::Replicated);
    QVERIFY(split(gpt2.at("h.0.attn.c_attn.weight")) == std::pair(TensorSplit::FusedQkv, 1));
    QVERIFY(split(gpt2.at("h.0.attn.c_attn.bias")) == std::pair(TensorSplit::FusedQkv, 0));
    QVERIFY(split(gpt2.at("h.0.attn.c_proj.weight")) == std::pair(TensorSplit::QueryHeads, 0));
    QVERIFY(gpt2.at("h.0.attn.c_proj.bias").split == TensorSplit::Replicated);
    QVERIFY(split(gpt2.at("h.0.mlp.c_fc.weight")) == std::pair(TensorSplit::Columns, 1));
    QVERIFY(split(gpt2.at("h.0.mlp.c_proj.weight")) == std::pair(TensorSplit::Rows, 0));
    const auto llama = byName(smallLlama());
    QVERIFY(split(llama.at("model.layers.0.self_attn.q_proj.weight")) ==
            std::pair(TensorSplit::QueryHeads, 0));
    QVERIFY(split(llama.at("model.layers.0.self_attn.v_proj.weight")) ==
            std::pair(TensorSplit::KeyValueHeads, 0));
    QVERIFY(split(llama.at("model.layers.0.self_attn.o_proj.weight")) ==
            std::pair(TensorSplit::QueryHeads, 1));
    QVERIFY(split(llama.at("model.layers.0.mlp.down_proj.weight")) ==
            std::pair(TensorSplit::Columns, 1));
}

QTEST_APPLESS_MAIN(ParametersTest)
#include "parameters_test.moc"

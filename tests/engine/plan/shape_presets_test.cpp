#include "engine/formats/hf_config.h"
#include "engine/formats/hf_shape.h"
#include "engine/formats/model_shape.h"
#include "engine/formats/model_shape_json.h"
#include "engine/formats/shape_presets.h"
#include "engine/model/parameters.h"
#include "tests/engine/core/expect_error.h"

#include <QTest>

using namespace triaxis;

class ShapePresetsTest : public QObject
{
    Q_OBJECT

private slots:
    void trainedPresetsHaveTheirPublishedParameters()
    {
        QCOMPARE(parameterCount(modelPreset("llama2-13b")), std::int64_t(13'015'864'320));
        QCOMPARE(parameterCount(modelPreset("llama2-70b")), std::int64_t(68'976'648'192));
        // 12·l·h²(1 + 13/12h) + (V + s)·h + 2h, l = 105, h = 20480 (Smith et al. 2022).
        QCOMPARE(parameterCount(modelPreset("mt-nlg-530b")), std::int64_t(529'600'819'200));
    }

    void pricedPresetsHaveTheirPublishedParameters()
    {
        const auto count = [](const char* name) { return parameterCount(findModelShape(name)); };
        // Hugging Face's safetensors index of each model.
        QCOMPARE(count("mixtral-8x7b"), 46'702'792'704.0);
        QCOMPARE(count("mixtral-8x22b"), 140'620'634'112.0);
        const auto near = [](double value, double published) {
            return std::abs(value / published - 1) < 0.01;
        };
        QVERIFY(near(count("deepseek-v3"), 671e9));
        QVERIFY(near(count("deepseek-v2"), 236e9));
        QVERIFY(near(count("qwen3-30b-a3b"), 30.5e9));
        QVERIFY(near(count("qwen3-235b-a22b"), 235e9));
        QVERIFY(near(count("kimi-k2"), 1.03e12));
    }

    void aConfigOfAMixtureIsRead()
    {
        const nlohmann::json config{{"model_type", "mixtral"},
                                    {"hidden_size", 4096},
                                    {"intermediate_size", 14336},
                                    {"num_attention_heads", 32},
                                    {"num_key_value_heads", 8},
                                    {"num_hidden_layers", 32},
                                    {"num_local_experts", 8},
                                    {"num_experts_per_tok", 2},
                                    {"vocab_size", 32000},
                                    {"tie_word_embeddings", false}};
        QCOMPARE(parameterCount(shapeFromConfig(config, "mixtral")), 46'702'792'704.0);
        nlohmann::json broken = config;
        broken.erase("vocab_size");
        QVERIFY(errorText([&] { shapeFromConfig(broken, "mixtral"); }).contains("vocab_size"));
        broken["vocab_size"] = -4;
        QVERIFY(errorText([&] { shapeFromConfig(broken, "mixtral"); }).contains("vocab_size"));
    }

    void aConfigWithLatentAttentionIsRead()
    {
        const nlohmann::json config{{"model_type", "deepseek_v3"},
                                    {"hidden_size", 7168},
                                    {"intermediate_size", 18432},
                                    {"moe_intermediate_size", 2048},
                                    {"num_attention_heads", 128},
                                    {"num_key_value_heads", 128},
                                    {"num_hidden_layers", 61},
                                    {"n_routed_experts", 256},
                                    {"n_shared_experts", 1},
                                    {"num_experts_per_tok", 8},
                                    {"first_k_dense_replace", 3},
                                    {"q_lora_rank", 1536},
                                    {"kv_lora_rank", 512},
                                    {"qk_rope_head_dim", 64},
                                    {"qk_nope_head_dim", 128},
                                    {"v_head_dim", 128},
                                    {"vocab_size", 129280},
                                    {"tie_word_embeddings", false}};
        QCOMPARE(parameterCount(shapeFromConfig(config, "deepseek")),
                 parameterCount(findModelShape("deepseek-v3")));
    }

    void everyShapeSurvivesItsJson()
    {
        for (const ShapePreset& preset : shapePresets()) {
            QVERIFY(!preset.source.empty() && !preset.title.empty());
            const auto json = toJson(preset.shape);
            QCOMPARE(toJson(modelShapeFromJson(json, preset.name)).dump(), json.dump());
        }
    }
};

QTEST_APPLESS_MAIN(ShapePresetsTest)
#include "shape_presets_test.moc"

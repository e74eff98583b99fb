#include "engine/formats/hf_config.h"
#include "engine/model/parameters.h"
#include "tests/engine/core/expect_error.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <set>

using namespace triaxis;
using nlohmann::json;

namespace
{

json gpt2Config()
{
    return json::parse(R"({
        "model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 509, "n_positions": 64,
        "n_ctx": 64, "n_embd": 64, "n_layer": 8, "n_head": 8, "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-05, "tie_word_embeddings": true, "attn_pdrop": 0.1, "embd_pdrop": 0.1,
        "resid_pdrop": 0.1})");
}

json llamaConfig()
{
    return json::parse(R"({
        "model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 320, "hidden_size": 64,
        "intermediate_size": 176, "num_hidden_layers": 8, "num_attention_heads": 8, "num_key_value_heads": 4,
        "max_position_embeddings": 64, "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "hidden_act": "silu",
        "tie_word_embeddings": false})");
}

ModelSpec read(json config, const std::string& change = "{}")
{
    config.merge_patch(json::parse(change));
    return modelFromConfig(config, "case");
}

/// merge_patch removes what is null, and a configuration may say null.
ModelSpec readWithNull(json config, const std::string& key)
{
    config[key] = nullptr;
    return modelFromConfig(config, "case");
}

QString refusal(const json& config, const std::string& change)
{
    return errorText([&] { read(config, change); });
}

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

} // namespace

class HfConfigTest : public QObject
{
    Q_OBJECT

private slots:
    void readsGpt2();
    void readsLlama();
    void gpt2DefaultsAreHuggingFaces();
    void llamaDefaultsAreHuggingFaces();
    void gpt2InnerWidthMayBeNull();
    void gpt2TakesTheNewerNames();
    void llamaHeadSizeNeedNotFollowTheHiddenSize();
    void ropeBaseMayStandInRopeParameters();
    void acceptsWhatDoesNotChangeTheArithmetic_data();
    void acceptsWhatDoesNotChangeTheArithmetic();
    void refusesWhatIsNotComputed_data();
    void refusesWhatIsNotComputed();
    void refusesMissingAndWrongFields_data();
    void refusesMissingAndWrongFields();
    void readsFoldersAndFiles();
    void refusesUnreadablePaths();
    void configurationsComeBack();
    void mutatedConfigurationsNeverCrash();
};

void HfConfigTest::readsGpt2()
{
    const ModelSpec model = read(gpt2Config());
    QVERIFY(model.architecture == Architecture::Gpt2);
    QCOMPARE(model.name, std::string("case"));
    QCOMPARE(model.vocabulary, 509);
    QCOMPARE(model.positions, 64);
    QCOMPARE(model.hidden, 64);
    QCOMPARE(model.layers, 8);
    QCOMPARE(model.heads, 8);
    QCOMPARE(model.kvHeads, 8);
    QCOMPARE(model.headSize, 8);
    QCOMPARE(model.feedForward, 256);
    QCOMPARE(model.normEpsilon, 1e-5);
    QVERIFY(model.tiedHead && model.attentionBias && model.mlpBias);
}

void HfConfigTest::readsLlama()
{
    const ModelSpec model = read(llamaConfig());
    QVERIFY(model.architecture == Architecture::Llama);
    QCOMPARE(model.vocabulary, 320);
    QCOMPARE(model.positions, 64);
    QCOMPARE(model.feedForward, 176);
    QCOMPARE(model.kvHeads, 4);
    QCOMPARE(model.headSize, 8);
    QCOMPARE(model.ropeTheta, 10000.0);
    QVERIFY(!model.tiedHead && !model.attentionBias && !model.mlpBias);
    QCOMPARE(model.initializerRange, 0.02);
}

void HfConfigTest::gpt2DefaultsAreHuggingFaces()
{
    json config = gpt2Config();
    for (const char* key : {"activation_function", "layer_norm_epsilon", "tie_word_embeddings",
                            "n_ctx", "attn_pdrop"})
        config.erase(key);
    const ModelSpec model = read(config);
    QVERIFY(model.tiedHead);
    QCOMPARE(model.normEpsilon, 1e-5);
}

void HfConfigTest::llamaDefaultsAreHuggingFaces()
{
    json config = llamaConfig();
    for (const char* key :
         {"rms_norm_eps", "rope_theta", "hidden_act", "tie_word_embeddings", "num_key_value_heads"})
        config.erase(key);
    const ModelSpec model = read(config);
    QVERIFY(!model.tiedHead);
    QCOMPARE(model.normEpsilon, 1e-6);
    QCOMPARE(model.ropeTheta, 10000.0);
    QCOMPARE(model.kvHeads, 8);
    QVERIFY(read(llamaConfig(), R"({"tie_word_embeddings": true})").tiedHead);
    QVERIFY(read(llamaConfig(), R"({"attention_bias": true})").attentionBias);
    QVERIFY(read(llamaConfig(), R"({"mlp_bias": true})").mlpBias);
}

void HfConfigTest::gpt2InnerWidthMayBeNull()
{
    QCOMPARE(readWithNull(gpt2Config(), "n_inner").feedForward, 256);
    QCOMPARE(read(gpt2Config(), R"({"n_inner": 96})").feedForward, 96);
}

void HfConfigTest::gpt2TakesTheNewerNames()
{
    json config = gpt2Config();
    for (const char* key : {"n_positions", "n_embd", "n_layer", "n_head"})
        config.erase(key);
    config.update(
        json::parse(R"({"max_position_embeddings": 32, "hidden_size": 60, "num_hidden_layers": 5,
                                  "num_attention_heads": 6})"));
    const ModelSpec model = read(config);
    QCOMPARE(model.positions, 32);
    QCOMPARE(model.headSize, 10);
    QCOMPARE(model.layers, 5);
}

void HfConfigTest::llamaHeadSizeNeedNotFollowTheHiddenSize()
{
    QCOMPARE(read(llamaConfig(), R"({"head_dim": 16})").headSize, 16);
    QCOMPARE(readWithNull(llamaConfig(), "head_dim").headSize, 8);
    QCOMPARE(read(llamaConfig(), R"({"hidden_size": 65, "head_dim": 8})").hidden, 65);
    QVERIFY(refusal(llamaConfig(), R"({"hidden_size": 65})")
                .contains("does not divide the hidden size 65"));
}

void HfConfigTest::ropeBaseMayStandInRopeParameters()
{
    const char* change = R"({"rope_parameters": {"rope_type": "default", "rope_theta": 500000.0}})";
    QCOMPARE(read(llamaConfig(), change).ropeTheta, 500000.0);
    json config = llamaConfig();
    config.erase("rope_theta");
    QCOMPARE(read(config, change).ropeTheta, 500000.0);
    QCOMPARE(read(config, R"({"rope_parameters": {}})").ropeTheta, 10000.0);
    QCOMPARE(read(llamaConfig(), R"({"rope_theta": 7})").ropeTheta, 7.0);
}

void HfConfigTest::acceptsWhatDoesNotChangeTheArithmetic_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("change");
    QTest::newRow("the same activation") << "gpt2"
                                         << R"({"activation_function": "gelu_pytorch_tanh"})";
    QTest::newRow("dropout") << "gpt2"
                             << R"({"attn_pdrop": 0.9, "summary_first_dropout": 0.5})";
    QTest::newRow("precision of attention") << "gpt2"
                                            << R"({"reorder_and_upcast_attn": true})";
    QTest::newRow("usual scaling") << "gpt2"
                                   << R"({"scale_attn_weights": true})";
    QTest::newRow("unknown key") << "gpt2"
                                 << R"({"transformers_version": "4.57.0", "n_ctx": "anything"})";
    QTest::newRow("untied head") << "gpt2"
                                 << R"({"tie_word_embeddings": false})";
    QTest::newRow("the original vocabulary") << "gpt2"
                                             << R"({"vocab_size": 50257})";
    QTest::newRow("plain rotary positions") << "llama"
                                            << R"({"rope_scaling": {"rope_type": "default"}})";
    QTest::newRow("older name of the type") << "llama"
                                            << R"({"rope_scaling": {"type": "default"}})";
    QTest::newRow("attention dropout") << "llama"
                                       << R"({"attention_dropout": 0.1})";
    QTest::newRow("whole rotary") << "llama"
                                  << R"({"partial_rotary_factor": 1.0})";
    QTest::newRow("one key/value head") << "llama"
                                        << R"({"num_key_value_heads": 1})";
}

void HfConfigTest::acceptsWhatDoesNotChangeTheArithmetic()
{
    QFETCH(QString, base);
    QFETCH(QString, change);
    const json config = base == "gpt2" ? gpt2Config() : llamaConfig();
    QCOMPARE(refusal(config, change.toStdString()), QString("no error"));
}

void HfConfigTest::refusesWhatIsNotComputed_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("field");
    QTest::newRow("exact GELU") << "gpt2"
                                << R"({"activation_function": "gelu"})"
                                << "activation_function is \"gelu\"";
    QTest::newRow("ReLU") << "llama"
                          << R"({"hidden_act": "relu"})"
                          << "hidden_act is \"relu\"";
    QTest::newRow("scaling by layer") << "gpt2"
                                      << R"({"scale_attn_by_inverse_layer_idx": true})"
                                      << "scale_attn_by_inverse_layer_idx is true";
    QTest::newRow("no scaling") << "gpt2"
                                << R"({"scale_attn_weights": false})"
                                << "scale_attn_weights is false";
    QTest::newRow("cross attention") << "gpt2"
                                     << R"({"add_cross_attention": true})"
                                     << "add_cross_attention";
    QTest::newRow("linear RoPE scaling") << "llama"
                                         << R"({"rope_scaling": {"type": "linear", "factor": 2.0}})"
                                         << "rope_scaling.type is \"linear\"";
    QTest::newRow("Llama 3.1 scaling")
        << "llama"
        << R"({"rope_scaling": {"rope_type": "llama3", "factor": 8.0}})"
        << "rope_scaling.rope_type is \"llama3\"";
    QTest::newRow("a factor without a type") << "llama"
                                             << R"({"rope_scaling": {"factor": 8.0}})"
                                             << "rope_scaling.factor";
    QTest::newRow("new style scaling")
        << "llama"
        << R"({"rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4}})"
        << "rope_parameters.rope_type is \"yarn\"";
    QTest::newRow("partial rotary") << "llama"
                                    << R"({"partial_rotary_factor": 0.5})"
                                    << "partial_rotary_factor";
    QTest::newRow("sliding window") << "llama"
                                    << R"({"sliding_window": 4096})"
                                    << "sliding_window";
    QTest::newRow("quantised") << "llama"
                               << R"({"quantization_config": {"bits": 4}})"
                               << "quantization_config";
    QTest::newRow("another architecture") << "llama"
                                          << R"({"model_type": "mixtral"})"
                                          << "model_type is \"mixtral\"";
}

void HfConfigTest::refusesWhatIsNotComputed()
{
    QFETCH(QString, base);
    QFETCH(QString, change);
    QFETCH(QString, field);
    const QString text =
        refusal(base == "gpt2" ? gpt2Config() : llamaConfig(), change.toStdString());
    QVERIFY2(text.startsWith("cannot read the model configuration: case: ") && text.contains(field),
             qPrintable(text));
}

void HfConfigTest::refusesMissingAndWrongFields_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("field");
    QTest::newRow("no type") << "gpt2"
                             << R"({"model_type": null})"
                             << "model_type is missing";
    QTest::newRow("type that is no text") << "gpt2"
                                          << R"({"model_type": 3})"
                                          << "model_type is a number";
    for (const char* key : {"vocab_size", "n_positions", "n_embd", "n_layer", "n_head"})
        QTest::newRow(key) << "gpt2" << QString(R"({"%1": null})").arg(key)
                           << QString("%1 is missing").arg(key);
    for (const char* key : {"hidden_size", "intermediate_size", "num_hidden_layers",
                            "num_attention_heads", "max_position_embeddings"})
        QTest::newRow(key) << "llama" << QString(R"({"%1": null})").arg(key)
                           << QString("%1 is missing").arg(key);
    QTest::newRow("no vocabulary") << "gpt2"
                                   << R"({"vocab_size": 0})"
                                   << "vocab_size is 0";
    QTest::newRow("negative size") << "gpt2"
                                   << R"({"n_embd": -64})"
                                   << "n_embd is -64";
    QTest::newRow("fraction") << "gpt2"
                              << R"({"n_layer": 2.5})"
                              << "n_layer is 2.5";
    QTest::newRow("text") << "gpt2"
                          << R"({"n_layer": "8"})"
                          << "n_layer is a text";
    QTest::newRow("beyond 32 bits") << "gpt2"
                                    << R"({"vocab_size": 4294967297})"
                                    << "vocab_size is 4294967297";
    QTest::newRow("absurd") << "llama"
                            << R"({"hidden_size": 2147483640})"
                            << "hidden size";
    QTest::newRow("heads") << "gpt2"
                           << R"({"n_head": 7})"
                           << "n_head is 7, which does not divide";
    QTest::newRow("key/value heads") << "llama"
                                     << R"({"num_key_value_heads": 3})"
                                     << "3 key/value heads";
    QTest::newRow("odd head size") << "llama"
                                   << R"({"head_dim": 7})"
                                   << "head size 7 is odd";
    QTest::newRow("epsilon") << "llama"
                             << R"({"rms_norm_eps": 2})"
                             << "rms_norm_eps is 2";
    QTest::newRow("tied as a number") << "gpt2"
                                      << R"({"tie_word_embeddings": 1})"
                                      << "tie_word_embeddings is a number";
    QTest::newRow("scaling as a text") << "llama"
                                       << R"({"rope_scaling": "linear"})"
                                       << "rope_scaling is a text";
}

void HfConfigTest::refusesMissingAndWrongFields()
{
    QFETCH(QString, base);
    QFETCH(QString, change);
    QFETCH(QString, field);
    const QString text =
        refusal(base == "gpt2" ? gpt2Config() : llamaConfig(), change.toStdString());
    QVERIFY2(text.contains(field), qPrintable(text));
}

void HfConfigTest::readsFoldersAndFiles()
{
    QTemporaryDir temporary;
    QDir(temporary.path()).mkdir("my-model");
    const QString folder = temporary.filePath("my-model");
    write(folder + "/config.json", QByteArray::fromStdString(gpt2Config().dump()));
    write(temporary.filePath("other.json"), QByteArray::fromStdString(llamaConfig().dump()));
    QCOMPARE(readModel(folder.toStdString()).name, std::string("my-model"));
    QCOMPARE(readModel((folder + "/").toStdString()).name, std::string("my-model"));
    QCOMPARE(readModel((folder + "/.").toStdString()).name, std::string("my-model"));
    QCOMPARE(readModel((folder + "/config.json").toStdString()).name, std::string("my-model"));
    QCOMPARE(readModel(temporary.filePath("other.json").toStdString()).name, std::string("other"));
    QCOMPARE(findModel(folder.toStdString()).vocabulary, 509);
}

void HfConfigTest::refusesUnreadablePaths()
{
    QTemporaryDir folder;
    const auto reading = [&](const QString& name) {
        return errorText([&] { readModel(folder.filePath(name).toStdString()); });
    };
    QVERIFY(reading("").contains("config.json does not exist"));
    QVERIFY(reading("none.json").contains("none.json does not exist"));
    write(folder.filePath("half.json"), "{\"model_type\": \"gpt2\",\n");
    QVERIFY(reading("half.json").contains("half.json: line"));
    write(folder.filePath("list.json"), "[1]");
    QVERIFY(reading("list.json").contains("is an array instead of an object"));
    write(folder.filePath("binary.json"), QByteArray("\x7f"
                                                     "ELF\0\1\2",
                                                     7));
    QVERIFY(reading("binary.json").contains("is no JSON"));
    write(folder.filePath("empty.json"), "");
    QVERIFY(reading("empty.json").contains("empty"));
    QVERIFY(errorText([] { readModel("/dev/zero"); }).contains("no regular file"));
}

void HfConfigTest::configurationsComeBack()
{
    std::vector<ModelSpec> models{
        read(gpt2Config(), R"({"n_inner": 100, "tie_word_embeddings": false})"),
        read(llamaConfig(), R"({"head_dim": 24, "attention_bias": true, "mlp_bias": true,
                                                          "rope_theta": 5e5, "initializer_range": 0.01})")};
    for (const std::string& name : modelPresets())
        models.push_back(modelPreset(name));
    for (const ModelSpec& model : models) {
        const json config = json::parse(configOf(model).dump());
        QVERIFY(modelFromConfig(config, model.name) == model);
    }
}

void HfConfigTest::mutatedConfigurationsNeverCrash()
{
    const std::vector<json> values{nullptr,
                                   true,
                                   -1,
                                   0,
                                   1,
                                   7,
                                   2'147'483'647,
                                   1e18,
                                   -1e300,
                                   0.5,
                                   "text",
                                   json::array(),
                                   json::object(),
                                   ~std::uint64_t(0),
                                   json::array({1, 2})};
    int accepted = 0, refused = 0;
    for (const json& base : {gpt2Config(), llamaConfig()}) {
        std::set<std::string> keys{"rope_scaling", "rope_parameters", "head_dim", "n_inner",
                                   "initializer_range"};
        for (const auto& [key, value] : base.items())
            keys.insert(key);
        for (const std::string& key : keys) {
            for (const json& value : values) {
                json config = base;
                config[key] = value;
                errorOf([&] { checkModel(modelFromConfig(config, "case")); }) ? ++refused
                                                                              : ++accepted;
            }
        }
    }
    QVERIFY(accepted > 50 && refused > 200);
}

QTEST_APPLESS_MAIN(HfConfigTest)
#include "hf_config_test.moc"

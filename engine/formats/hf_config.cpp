#include "engine/formats/hf_config.h"

#include "engine/core/file.h"
#include "engine/core/json_fields.h"
#include "engine/formats/embedded_models.h"
#include "engine/model/parameters.h"

#include <algorithm>
#include <limits>

namespace triaxis
{
namespace
{

constexpr int largest = std::numeric_limits<int>::max();
constexpr const char* tried = "cannot read the model configuration";

/// The configuration's own fields, with what both architectures need.
class Config
{
public:
    Config(const nlohmann::json& config, const std::string& name)
        : m_fields(config, tried, name), m_name(name)
    {
    }

    const JsonFields& fields() const { return m_fields; }
    const std::string& name() const { return m_name; }

    /// A size under its own name or under the name that newer configurations use.
    int size(const std::string& key, const std::string& alias) const
    {
        return m_fields.smallInteger(!m_fields.has(key) && m_fields.has(alias) ? alias : key, 1,
                                     largest);
    }

    /// A switch that changes the arithmetic; only `expected` is computed here.
    void expect(const std::string& key, bool expected) const
    {
        if (m_fields.boolean(key, expected) != expected)
            m_fields.refuse(key, expected ? "is false" : "is true",
                            "this version computes only the other way");
    }

    /// A feature that is described by a value; only its absence is computed here.
    void expectAbsent(const std::string& key) const
    {
        if (m_fields.has(key))
            m_fields.refuse(key, "is set, and this feature is not computed",
                            "choose a model without it");
    }

    void expectActivation(const std::string& key, std::initializer_list<std::string> known) const
    {
        const std::string activation = m_fields.text(key, *known.begin());
        std::string list;
        for (const std::string& one : known) {
            if (one == activation)
                return;
            list += (list.empty() ? "" : " or ") + one;
        }
        m_fields.refuse(key, "is \"" + activation + "\", and this activation is not computed",
                        "choose a model with " + list);
    }

private:
    JsonFields m_fields;
    std::string m_name;
};

void readGpt2Sizes(ModelSpec& model, const Config& config)
{
    const JsonFields& fields = config.fields();
    model.positions = config.size("n_positions", "max_position_embeddings");
    model.hidden = config.size("n_embd", "hidden_size");
    model.layers = config.size("n_layer", "num_hidden_layers");
    model.heads = config.size("n_head", "num_attention_heads");
    model.kvHeads = model.heads;
    if (model.hidden % model.heads != 0)
        fields.refuse("n_head", "is " + std::to_string(model.heads) +
                                    ", which does not divide the hidden size " +
                                    std::to_string(model.hidden));
    model.headSize = model.hidden / model.heads;
    const std::int64_t usual = 4 * std::int64_t(model.hidden);
    model.feedForward =
        int(fields.integer("n_inner", 1, largest, std::min<std::int64_t>(usual, largest)));
}

ModelSpec gpt2FromConfig(const Config& config)
{
    const JsonFields& fields = config.fields();
    ModelSpec model;
    model.architecture = Architecture::Gpt2;
    readGpt2Sizes(model, config);
    model.normEpsilon = fields.real("layer_norm_epsilon", 0, 1, 1e-5);
    model.tiedHead = fields.boolean("tie_word_embeddings", true);
    model.attentionBias = true;
    model.mlpBias = true;
    config.expectActivation("activation_function", {"gelu_new", "gelu_pytorch_tanh"});
    config.expect("scale_attn_weights", true);
    config.expect("scale_attn_by_inverse_layer_idx", false);
    config.expect("add_cross_attention", false);
    // Only the order of operations and the precision inside attention: the same in float32.
    fields.boolean("reorder_and_upcast_attn", false);
    return model;
}

/// Only plain rotary positions are computed; every scaling rule changes the angles.
void expectPlainRope(const JsonFields& rope, const std::string& owner)
{
    for (const char* key : {"rope_type", "type"}) {
        const std::string type = rope.text(key, "default");
        if (type != "default")
            rope.refuse(key, "is \"" + type + "\", and RoPE scaling is not computed",
                        "choose a model with " + owner + " null or \"default\"");
    }
    if (rope.real("factor", 0, 1e9, 1.0) != 1.0)
        rope.refuse("factor", "is not 1, and RoPE scaling is not computed",
                    "choose a model without RoPE scaling");
    if (rope.real("partial_rotary_factor", 0, 1, 1.0) != 1.0)
        rope.refuse("partial_rotary_factor",
                    "is not 1, and partial rotary positions are not computed",
                    "choose a model that rotates whole heads");
}

double readRope(const Config& config)
{
    const JsonFields& fields = config.fields();
    constexpr double usual = 10000.0, most = 1e12, least = 1e-6;
    if (fields.has("rope_scaling"))
        expectPlainRope(fields.object("rope_scaling"), "rope_scaling");
    if (fields.real("partial_rotary_factor", 0, 1, 1.0) != 1.0)
        fields.refuse("partial_rotary_factor",
                      "is not 1, and partial rotary positions are not computed",
                      "choose a model that rotates whole heads");
    const double theta = fields.real("rope_theta", least, most, usual);
    if (!fields.has("rope_parameters"))
        return theta;
    const JsonFields rope = fields.object("rope_parameters");
    expectPlainRope(rope, "rope_parameters.rope_type");
    return rope.real("rope_theta", least, most, theta);
}

void readLlamaSizes(ModelSpec& model, const Config& config)
{
    const JsonFields& fields = config.fields();
    model.positions = fields.smallInteger("max_position_embeddings", 1, largest);
    model.hidden = fields.smallInteger("hidden_size", 1, largest);
    model.layers = fields.smallInteger("num_hidden_layers", 1, largest);
    model.heads = fields.smallInteger("num_attention_heads", 1, largest);
    model.kvHeads = fields.smallInteger("num_key_value_heads", 1, largest, model.heads);
    model.feedForward = fields.smallInteger("intermediate_size", 1, largest);
    if (!fields.has("head_dim") && model.hidden % model.heads != 0)
        fields.refuse("num_attention_heads",
                      "is " + std::to_string(model.heads) +
                          ", which does not divide the hidden size " + std::to_string(model.hidden),
                      "give head_dim, or a number of heads that divides the hidden size");
    model.headSize = fields.smallInteger("head_dim", 1, largest, model.hidden / model.heads);
}

ModelSpec llamaFromConfig(const Config& config)
{
    const JsonFields& fields = config.fields();
    ModelSpec model;
    model.architecture = Architecture::Llama;
    readLlamaSizes(model, config);
    model.normEpsilon = fields.real("rms_norm_eps", 0, 1, 1e-6);
    model.ropeTheta = readRope(config);
    model.tiedHead = fields.boolean("tie_word_embeddings", false);
    model.attentionBias = fields.boolean("attention_bias", false);
    model.mlpBias = fields.boolean("mlp_bias", false);
    config.expectActivation("hidden_act", {"silu", "swish"});
    config.expectAbsent("sliding_window");
    config.expect("use_qk_norm", false);
    config.expectAbsent("clip_qkv");
    return model;
}

/// What the presets of resources/models are called, smallest model first.
std::vector<ModelSpec> allPresets()
{
    std::vector<ModelSpec> models;
    for (const EmbeddedModel& embedded : embeddedModels())
        models.push_back(
            modelFromConfig(parseJson(embedded.config, tried, embedded.name), embedded.name));
    std::stable_sort(models.begin(), models.end(), [](const ModelSpec& a, const ModelSpec& b) {
        return parameterCount(a) < parameterCount(b);
    });
    return models;
}

/// A folder name to show, also for "." and for paths that end in a slash.
std::string nameOf(const std::filesystem::path& folder)
{
    std::error_code code;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(folder, code);
    const std::string name = (code ? folder : whole).filename().string();
    return name.empty() ? folder.string() : name;
}

nlohmann::json gpt2Config(const ModelSpec& model)
{
    return {{"model_type", "gpt2"},
            {"architectures", {"GPT2LMHeadModel"}},
            {"vocab_size", model.vocabulary},
            {"n_positions", model.positions},
            {"n_ctx", model.positions},
            {"n_embd", model.hidden},
            {"n_layer", model.layers},
            {"n_head", model.heads},
            {"n_inner", model.feedForward},
            {"activation_function", "gelu_new"},
            {"layer_norm_epsilon", model.normEpsilon},
            {"initializer_range", model.initializerRange},
            {"tie_word_embeddings", model.tiedHead},
            {"attn_pdrop", 0.0},
            {"embd_pdrop", 0.0},
            {"resid_pdrop", 0.0}};
}

nlohmann::json llamaConfig(const ModelSpec& model)
{
    return {{"model_type", "llama"},
            {"architectures", {"LlamaForCausalLM"}},
            {"vocab_size", model.vocabulary},
            {"max_position_embeddings", model.positions},
            {"hidden_size", model.hidden},
            {"intermediate_size", model.feedForward},
            {"num_hidden_layers", model.layers},
            {"num_attention_heads", model.heads},
            {"num_key_value_heads", model.kvHeads},
            {"head_dim", model.headSize},
            {"hidden_act", "silu"},
            {"rms_norm_eps", model.normEpsilon},
            {"rope_theta", model.ropeTheta},
            {"attention_bias", model.attentionBias},
            {"mlp_bias", model.mlpBias},
            {"initializer_range", model.initializerRange},
            {"tie_word_embeddings", model.tiedHead}};
}

} // namespace

ModelSpec modelFromConfig(const nlohmann::json& config, const std::string& name)
{
    const Config reader(config, name);
    const std::string type = reader.fields().text("model_type");
    ModelSpec model;
    if (type == "gpt2")
        model = gpt2FromConfig(reader);
    else if (type == "llama")
        model = llamaFromConfig(reader);
    else
        reader.fields().refuse("model_type", "is \"" + type + "\"", "choose a gpt2 or llama model");
    reader.expectAbsent("quantization_config");
    model.name = name;
    model.vocabulary = reader.fields().smallInteger("vocab_size", 1, largest);
    model.initializerRange = reader.fields().real("initializer_range", 0, 1e3, 0.02);
    checkModel(model);
    return model;
}

ModelSpec readModel(const std::filesystem::path& path)
{
    constexpr std::int64_t longestConfig = 16 << 20;
    std::error_code code;
    const bool folder = std::filesystem::is_directory(path, code);
    const std::filesystem::path file = folder ? path / "config.json" : path;
    const nlohmann::json config =
        parseJson(readFile(file, longestConfig, tried), tried, file.string());
    ModelSpec model = modelFromConfig(config, file.string());
    model.name = nameOf(folder                             ? path
                        : file.filename() == "config.json" ? file.parent_path() / "."
                                                           : file.stem());
    return model;
}

std::vector<std::string> modelPresets()
{
    std::vector<std::string> names;
    for (const ModelSpec& model : allPresets())
        names.push_back(model.name);
    return names;
}

ModelSpec modelPreset(const std::string& name)
{
    std::string list;
    for (const ModelSpec& model : allPresets()) {
        if (model.name == name)
            return model;
        list += (list.empty() ? "" : ", ") + model.name;
    }
    throw Error("cannot find the model", "there is no preset \"" + name + "\"",
                "choose one of " + list);
}

ModelSpec findModel(const std::string& nameOrPath)
{
    for (const ModelSpec& model : allPresets()) {
        if (model.name == nameOrPath)
            return model;
    }
    std::error_code code;
    if (std::filesystem::exists(nameOrPath, code))
        return readModel(nameOrPath);
    std::string list;
    for (const std::string& name : modelPresets())
        list += (list.empty() ? "" : ", ") + name;
    throw Error("cannot find the model",
                "\"" + nameOrPath + "\" is neither a preset nor a path that exists",
                "give a folder with config.json, or one of " + list);
}

nlohmann::json configOf(const ModelSpec& model)
{
    switch (model.architecture) {
    case Architecture::Gpt2:
        return gpt2Config(model);
    case Architecture::Llama:
        return llamaConfig(model);
    }
    return {};
}

} // namespace triaxis

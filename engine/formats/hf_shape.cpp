#include "engine/formats/hf_shape.h"

#include "engine/core/json_fields.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr int most = 100'000'000;

/// One of several names that configurations use for the same size.
class ConfigSizes
{
public:
    explicit ConfigSizes(const JsonFields& fields) : m_fields(fields) {}

    int size(std::initializer_list<const char*> names, std::optional<int> otherwise = {}) const
    {
        return m_fields.smallInteger(nameOf(names), 0, most, otherwise);
    }
    int required(std::initializer_list<const char*> names) const
    {
        return m_fields.smallInteger(nameOf(names), 1, most);
    }

private:
    std::string nameOf(std::initializer_list<const char*> names) const
    {
        for (const char* name : names)
            if (m_fields.has(name))
                return name;
        return *names.begin();
    }

    const JsonFields& m_fields;
};

/// Architectures whose MLP has two matrices; the others of today have three (SwiGLU, GeGLU).
bool isGated(const std::string& type)
{
    constexpr const char* plain[] = {"gpt2",    "gpt_neo",     "gpt_neox",   "gptj",   "opt",
                                     "bloom",   "falcon",      "phi",        "mpt",    "nemotron",
                                     "codegen", "gpt_bigcode", "starcoder2", "biogpt", "xglm"};
    return std::none_of(std::begin(plain), std::end(plain),
                        [&](const char* name) { return type == name; });
}

void readExperts(const ConfigSizes& sizes, ModelShape& shape)
{
    ExpertShape& expert = shape.expert;
    expert.experts = sizes.size({"num_local_experts", "n_routed_experts", "num_experts"}, 0);
    if (expert.experts == 0)
        return;
    expert.activeExperts = sizes.required({"num_experts_per_tok", "num_selected_experts"});
    expert.expertFeedForward =
        sizes.size({"moe_intermediate_size", "expert_ffn_hidden_size"}, shape.feedForward);
    expert.sharedExperts = sizes.size({"n_shared_experts", "num_shared_experts"}, 0);
    expert.denseLayers = sizes.size({"first_k_dense_replace"}, 0);
    expert.groups = sizes.size({"n_group"}, 0);
    expert.activeGroups = std::min(expert.groups, sizes.size({"topk_group"}, expert.groups));
}

void readLatent(const ConfigSizes& sizes, ModelShape& shape)
{
    LatentAttention& latent = shape.latent;
    latent.keyValueRank = sizes.size({"kv_lora_rank"}, 0);
    if (latent.keyValueRank == 0)
        return;
    latent.queryRank = sizes.size({"q_lora_rank"}, 0);
    latent.ropeHead = sizes.size({"qk_rope_head_dim"}, 0);
    latent.valueHead = sizes.required({"v_head_dim"});
    shape.headSize = sizes.required({"qk_nope_head_dim"});
}

} // namespace

ModelShape shapeFromConfig(const nlohmann::json& config, const std::string& name)
{
    const JsonFields whole(config, "cannot read the model configuration", name);
    // Models that also see or hear keep the part that writes in an object of its own.
    const JsonFields fields = whole.has("text_config") ? whole.object("text_config") : whole;
    const ConfigSizes sizes(fields);
    const std::string type = fields.text("model_type", whole.text("model_type", ""));
    if (fields.boolean("is_encoder_decoder", false))
        fields.refuse("is_encoder_decoder", "is true", "choose a decoder-only model");
    ModelShape shape;
    shape.name = name;
    shape.gatedMlp = isGated(type);
    shape.biases = !shape.gatedMlp;
    shape.layers = sizes.required({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
    shape.hidden = sizes.required({"hidden_size", "n_embd", "d_model"});
    shape.heads = sizes.required({"num_attention_heads", "n_head", "n_heads"});
    shape.kvHeads = std::max(1, sizes.size({"num_key_value_heads", "num_kv_heads"}, shape.heads));
    shape.headSize = sizes.size({"head_dim"}, std::max(1, shape.hidden / shape.heads));
    const int usual = shape.hidden > most / 4 ? shape.hidden : 4 * shape.hidden;
    shape.feedForward =
        sizes.size({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"}, usual);
    shape.vocabulary = sizes.required({"vocab_size", "padded_vocab_size"});
    const bool learned = type == "gpt2" || type == "opt" || type == "gpt_neo";
    shape.positions = learned ? sizes.size({"n_positions", "max_position_embeddings"}, 0) : 0;
    shape.tiedHead = fields.boolean("tie_word_embeddings", type != "llama" && !shape.gatedMlp);
    shape.predictedTokens = 1 + sizes.size({"num_nextn_predict_layers"}, 0);
    readExperts(sizes, shape);
    readLatent(sizes, shape);
    checkShape(shape);
    return shape;
}

} // namespace triaxis

#include "engine/model/parameters.h"

#include <cmath>

namespace triaxis
{
namespace
{

using Shape = std::vector<std::int64_t>;

struct SplitRule
{
    TensorSplit split = TensorSplit::Replicated;
    int dimension = 0;
};

constexpr SplitRule replicated{TensorSplit::Replicated, 0};
constexpr SplitRule byVocabulary{TensorSplit::Vocabulary, 0};
constexpr SplitRule byRows{TensorSplit::Rows, 0};
constexpr SplitRule byColumns{TensorSplit::Columns, 1};

/// Collects the parameters of one owner after the other.
class Builder
{
public:
    explicit Builder(const ModelSpec& model) : m_model(model) {}

    void enter(ParameterOwner owner, int layer, const std::string& prefix)
    {
        m_owner = owner;
        m_layer = layer;
        m_prefix = prefix;
    }

    void matrix(const std::string& name, Shape shape, SplitRule rule, double scale)
    {
        add(name, std::move(shape), rule).initialScale = scale;
    }

    void matrix(const std::string& name, Shape shape, SplitRule rule)
    {
        matrix(name, std::move(shape), rule, m_model.initializerRange);
    }

    void vector(const std::string& name, std::int64_t size, SplitRule rule, double constant)
    {
        add(name, {size}, rule).initialConstant = constant;
    }

    std::vector<ParameterSpec> take() { return std::move(m_all); }

private:
    ParameterSpec& add(const std::string& name, Shape shape, SplitRule rule)
    {
        ParameterSpec parameter;
        parameter.name = m_prefix + name;
        parameter.decays = shape.size() >= 2;
        parameter.shape = std::move(shape);
        parameter.owner = m_owner;
        parameter.layer = m_layer;
        parameter.split = rule.split;
        parameter.splitDimension = rule.dimension;
        m_all.push_back(std::move(parameter));
        return m_all.back();
    }

    const ModelSpec& m_model;
    std::vector<ParameterSpec> m_all;
    ParameterOwner m_owner = ParameterOwner::Embedding;
    int m_layer = -1;
    std::string m_prefix;
};

void addGpt2Layer(Builder& to, const ModelSpec& model)
{
    const std::int64_t c = model.hidden, f = model.feedForward;
    // Projections into the residual stream start smaller, since 2·L of them add up (Radford et al.,
    // GPT-2, 2019, 2.3).
    const double residual = model.initializerRange / std::sqrt(2.0 * model.layers);
    to.vector("ln_1.weight", c, replicated, 1);
    to.vector("ln_1.bias", c, replicated, 0);
    to.matrix("attn.c_attn.weight", {c, 3 * c}, {TensorSplit::FusedQkv, 1});
    to.vector("attn.c_attn.bias", 3 * c, {TensorSplit::FusedQkv, 0}, 0);
    to.matrix("attn.c_proj.weight", {c, c}, {TensorSplit::QueryHeads, 0}, residual);
    to.vector("attn.c_proj.bias", c, replicated, 0);
    to.vector("ln_2.weight", c, replicated, 1);
    to.vector("ln_2.bias", c, replicated, 0);
    to.matrix("mlp.c_fc.weight", {c, f}, byColumns);
    to.vector("mlp.c_fc.bias", f, byRows, 0);
    to.matrix("mlp.c_proj.weight", {f, c}, byRows, residual);
    to.vector("mlp.c_proj.bias", c, replicated, 0);
}

/// A Llama linear layer: weight [out, in], and a bias [out] where the configuration asks for it.
/// The bias follows a split of the outputs; where the inputs are split every rank holds all of it.
void addLinear(Builder& to, const std::string& name, std::int64_t out, std::int64_t in,
               SplitRule rule, bool bias)
{
    to.matrix(name + ".weight", {out, in}, rule);
    if (bias)
        to.vector(name + ".bias", out, rule.dimension == 0 ? rule : replicated, 0);
}

void addLlamaLayer(Builder& to, const ModelSpec& model)
{
    const std::int64_t c = model.hidden, f = model.feedForward;
    const std::int64_t q = std::int64_t(model.heads) * model.headSize;
    const std::int64_t kv = std::int64_t(model.kvHeads) * model.headSize;
    to.vector("input_layernorm.weight", c, replicated, 1);
    addLinear(to, "self_attn.q_proj", q, c, {TensorSplit::QueryHeads, 0}, model.attentionBias);
    addLinear(to, "self_attn.k_proj", kv, c, {TensorSplit::KeyValueHeads, 0}, model.attentionBias);
    addLinear(to, "self_attn.v_proj", kv, c, {TensorSplit::KeyValueHeads, 0}, model.attentionBias);
    addLinear(to, "self_attn.o_proj", c, q, {TensorSplit::QueryHeads, 1}, model.attentionBias);
    to.vector("post_attention_layernorm.weight", c, replicated, 1);
    addLinear(to, "mlp.gate_proj", f, c, byRows, model.mlpBias);
    addLinear(to, "mlp.up_proj", f, c, byRows, model.mlpBias);
    addLinear(to, "mlp.down_proj", c, f, byColumns, model.mlpBias);
}

std::vector<ParameterSpec> gpt2Parameters(const ModelSpec& model)
{
    const std::int64_t c = model.hidden;
    Builder to(model);
    to.matrix("wte.weight", {model.vocabulary, c}, byVocabulary);
    to.matrix("wpe.weight", {model.positions, c}, replicated);
    for (int layer = 0; layer < model.layers; ++layer) {
        to.enter(ParameterOwner::Layer, layer, "h." + std::to_string(layer) + ".");
        addGpt2Layer(to, model);
    }
    to.enter(ParameterOwner::FinalNorm, -1, "");
    to.vector("ln_f.weight", c, replicated, 1);
    to.vector("ln_f.bias", c, replicated, 0);
    to.enter(ParameterOwner::Head, -1, "");
    if (!model.tiedHead)
        to.matrix("lm_head.weight", {model.vocabulary, c}, byVocabulary);
    return to.take();
}

std::vector<ParameterSpec> llamaParameters(const ModelSpec& model)
{
    const std::int64_t c = model.hidden;
    Builder to(model);
    to.matrix("model.embed_tokens.weight", {model.vocabulary, c}, byVocabulary);
    for (int layer = 0; layer < model.layers; ++layer) {
        to.enter(ParameterOwner::Layer, layer, "model.layers." + std::to_string(layer) + ".");
        addLlamaLayer(to, model);
    }
    to.enter(ParameterOwner::FinalNorm, -1, "");
    to.vector("model.norm.weight", c, replicated, 1);
    to.enter(ParameterOwner::Head, -1, "");
    if (!model.tiedHead)
        to.matrix("lm_head.weight", {model.vocabulary, c}, byVocabulary);
    return to.take();
}

std::int64_t elementCount(const ParameterSpec& parameter)
{
    std::int64_t count = 1;
    for (const std::int64_t size : parameter.shape)
        count *= size;
    return count;
}

} // namespace

std::vector<ParameterSpec> parametersOf(const ModelSpec& model)
{
    switch (model.architecture) {
    case Architecture::Gpt2:
        return gpt2Parameters(model);
    case Architecture::Llama:
        return llamaParameters(model);
    }
    return {};
}

std::int64_t layerParameterCount(const ModelSpec& model)
{
    ModelSpec one = model;
    one.layers = 1;
    std::int64_t count = 0;
    for (const ParameterSpec& parameter : parametersOf(one)) {
        if (parameter.owner == ParameterOwner::Layer)
            count += elementCount(parameter);
    }
    return count;
}

std::int64_t parameterCount(const ModelSpec& model)
{
    ModelSpec none = model;
    none.layers = 0;
    std::int64_t count = model.layers * layerParameterCount(model);
    for (const ParameterSpec& parameter : parametersOf(none))
        count += elementCount(parameter);
    return count;
}

} // namespace triaxis

#include "engine/train/chunk.h"

#include "engine/core/error.h"

#include <string>

namespace triaxis::train
{
namespace
{

/// Looks parameters up by their canonical names and takes the sizes of linear layers from their
/// shards.
class Binder
{
public:
    Binder(const ModelSpec& model, ParameterStore& store, int tensorSize)
        : m_model(model), m_store(store), m_tensorSize(tensorSize)
    {
    }

    Parameter optional(const std::string& name)
    {
        return m_store.find(name) ? m_store.parameter(name) : Parameter{};
    }

    Linear linear(const std::string& prefix, WeightOrder order)
    {
        Linear linear;
        linear.weight = m_store.parameter(prefix + ".weight");
        linear.bias = optional(prefix + ".bias");
        linear.order = order;
        const auto& shape = m_store.find(prefix + ".weight")->shard.shape;
        const bool inputMajor = order == WeightOrder::InputMajor;
        linear.inputs = shape[inputMajor ? 0 : 1];
        linear.outputs = shape[inputMajor ? 1 : 0];
        return linear;
    }

    Norm norm(const std::string& prefix)
    {
        Norm norm;
        norm.kind =
            m_model.architecture == Architecture::Gpt2 ? NormKind::LayerNorm : NormKind::RmsNorm;
        norm.weight = m_store.parameter(prefix + ".weight");
        norm.bias = optional(prefix + ".bias");
        norm.epsilon = float(m_model.normEpsilon);
        return norm;
    }

    AttentionLayer attention(int chunkLayer)
    {
        AttentionLayer layer;
        layer.heads = m_model.heads / m_tensorSize;
        layer.kvHeads = m_tensorSize > m_model.kvHeads ? 1 : m_model.kvHeads / m_tensorSize;
        layer.headSize = m_model.headSize;
        layer.layer = chunkLayer;
        return layer;
    }

    std::int64_t firstEntry(const ParameterSlot& table) const
    {
        // Rows are split evenly but for the last ranks; an empty shard starts nowhere.
        if (table.count == 0)
            return m_model.vocabulary;
        return globalIndex(table.shard, 0) / m_model.hidden;
    }

    EmbeddingLayer embedding(const std::string& tableName, const std::string& positionName)
    {
        const ParameterSlot& slot = *m_store.find(tableName);
        EmbeddingLayer layer;
        layer.table = m_store.parameter(tableName);
        layer.positions = optional(positionName);
        layer.firstEntry = firstEntry(slot);
        layer.entries = slot.shard.shape[0];
        layer.width = m_model.hidden;
        return layer;
    }

    HeadLayer head(const std::string& normName, const std::string& weightName)
    {
        HeadLayer layer;
        layer.norm = norm(normName);
        layer.projection = linear(weightName, WeightOrder::OutputMajor);
        layer.firstEntry = firstEntry(*m_store.find(weightName + ".weight"));
        return layer;
    }

private:
    const ModelSpec& m_model;
    ParameterStore& m_store;
    int m_tensorSize;
};

Block gpt2Block(Binder& bind, int layer, int chunkLayer)
{
    const std::string prefix = "h." + std::to_string(layer) + ".";
    Block block;
    block.attention = bind.attention(chunkLayer);
    block.attention.norm = bind.norm(prefix + "ln_1");
    block.attention.projections = {bind.linear(prefix + "attn.c_attn", WeightOrder::InputMajor)};
    block.attention.output = bind.linear(prefix + "attn.c_proj", WeightOrder::InputMajor);
    block.mlp.norm = bind.norm(prefix + "ln_2");
    block.mlp.activation = Activation::Gelu;
    block.mlp.inputs = {bind.linear(prefix + "mlp.c_fc", WeightOrder::InputMajor)};
    block.mlp.output = bind.linear(prefix + "mlp.c_proj", WeightOrder::InputMajor);
    block.mlp.layer = chunkLayer;
    return block;
}

Block llamaBlock(Binder& bind, const ModelSpec& model, int layer, int chunkLayer)
{
    const std::string prefix = "model.layers." + std::to_string(layer) + ".";
    const auto linear = [&](const char* name) {
        return bind.linear(prefix + name, WeightOrder::OutputMajor);
    };
    Block block;
    block.attention = bind.attention(chunkLayer);
    block.attention.ropeTheta = float(model.ropeTheta);
    block.attention.norm = bind.norm(prefix + "input_layernorm");
    block.attention.projections = {linear("self_attn.q_proj"), linear("self_attn.k_proj"),
                                   linear("self_attn.v_proj")};
    block.attention.output = linear("self_attn.o_proj");
    block.mlp.norm = bind.norm(prefix + "post_attention_layernorm");
    block.mlp.activation = Activation::SwiGlu;
    block.mlp.inputs = {linear("mlp.gate_proj"), linear("mlp.up_proj")};
    block.mlp.output = linear("mlp.down_proj");
    block.mlp.layer = chunkLayer;
    return block;
}

} // namespace

ChunkLayers bindChunk(const ModelSpec& model, const ChunkContent& content, ParameterStore& store,
                      int tensorSize)
{
    Binder bind(model, store, tensorSize);
    const bool gpt2 = model.architecture == Architecture::Gpt2;
    const std::string table = gpt2 ? "wte" : "model.embed_tokens";
    ChunkLayers chunk;
    chunk.content = content;
    chunk.width = model.hidden;
    if (content.embedding)
        chunk.embedding = bind.embedding(table + ".weight", gpt2 ? "wpe.weight" : "");
    for (int i = 0; i < content.layerCount; ++i) {
        const int layer = content.firstLayer + i;
        chunk.blocks.push_back(gpt2 ? gpt2Block(bind, layer, i)
                                    : llamaBlock(bind, model, layer, i));
    }
    if (content.head)
        chunk.head = bind.head(gpt2 ? "ln_f" : "model.norm", model.tiedHead ? table : "lm_head");
    return chunk;
}

} // namespace triaxis::train

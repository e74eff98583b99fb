#include "reference_model.h"

#include <cmath>
#include <numbers>
#include <random>

namespace triaxis::test
{
namespace
{

void add(std::vector<std::vector<double>>& to, const std::vector<std::vector<double>>& from)
{
    for (std::size_t t = 0; t < to.size(); ++t)
        for (std::size_t i = 0; i < to[t].size(); ++i)
            to[t][i] += from[t][i];
}

} // namespace

ReferenceModel::ReferenceModel(const ModelSpec& model, unsigned seed) : m_spec(model)
{
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    for (const ParameterSpec& parameter : parametersOf(model)) {
        std::int64_t count = 1;
        for (std::int64_t extent : parameter.shape)
            count *= extent;
        std::vector<double>& values = m_parameters[parameter.name];
        m_shapes[parameter.name] = parameter.shape;
        for (std::int64_t i = 0; i < count; ++i) {
            const double scale = parameter.shape.size() > 1 ? 0.3 : 0.1;
            // Through float, so that both sides start from the very same numbers.
            values.push_back(double(float(parameter.initialConstant + scale * normal(engine))));
        }
    }
}

double ReferenceModel::loss(const std::vector<Sequence>& batch) const
{
    double sum = 0;
    std::size_t tokens = 0;
    for (const Sequence& sequence : batch) {
        sum += sequenceLoss(sequence);
        tokens += sequence.size() - 1;
    }
    return sum / double(tokens);
}

double ReferenceModel::gradient(const std::string& name, std::size_t element,
                                const std::vector<Sequence>& batch)
{
    constexpr double h = 1e-4;
    double& value = m_parameters.at(name)[element];
    const double kept = value;
    value = kept + h;
    const double above = loss(batch);
    value = kept - h;
    const double below = loss(batch);
    value = kept;
    return (above - below) / (2 * h);
}

const std::vector<double>* ReferenceModel::find(const std::string& name) const
{
    const auto found = m_parameters.find(name);
    return found == m_parameters.end() ? nullptr : &found->second;
}

ReferenceModel::Rows ReferenceModel::embed(const Sequence& tokens) const
{
    const bool gpt2 = m_spec.architecture == Architecture::Gpt2;
    const auto& table = *find(gpt2 ? "wte.weight" : "model.embed_tokens.weight");
    const std::size_t c = std::size_t(m_spec.hidden);
    Rows x(tokens.size() - 1, std::vector<double>(c));
    for (std::size_t t = 0; t < x.size(); ++t)
        for (std::size_t i = 0; i < c; ++i) {
            x[t][i] = table[std::size_t(tokens[t]) * c + i];
            if (gpt2)
                x[t][i] += (*find("wpe.weight"))[t * c + i];
        }
    return x;
}

ReferenceModel::Rows ReferenceModel::norm(const Rows& x, const std::string& prefix) const
{
    const auto& weight = *find(prefix + ".weight");
    const auto* bias = find(prefix + ".bias");
    Rows y = x;
    for (auto& row : y) {
        double mean = 0;
        if (bias) {
            for (double value : row)
                mean += value / double(row.size());
        }
        double variance = 0;
        for (double value : row)
            variance += (value - mean) * (value - mean) / double(row.size());
        const double scale = 1 / std::sqrt(variance + m_spec.normEpsilon);
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = (row[i] - mean) * scale * weight[i] + (bias ? (*bias)[i] : 0.0);
    }
    return y;
}

ReferenceModel::Rows ReferenceModel::linear(const Rows& x, const std::string& prefix) const
{
    const auto& weight = *find(prefix + ".weight");
    const auto* bias = find(prefix + ".bias");
    const auto& shape = m_shapes.at(prefix + ".weight");
    const bool inputMajor = m_spec.architecture == Architecture::Gpt2 && shape.size() == 2 &&
                            prefix.compare(0, 2, "h.") == 0;
    const std::size_t in = std::size_t(shape[inputMajor ? 0 : 1]);
    const std::size_t out = std::size_t(shape[inputMajor ? 1 : 0]);
    Rows y(x.size(), std::vector<double>(out));
    for (std::size_t t = 0; t < x.size(); ++t)
        for (std::size_t o = 0; o < out; ++o) {
            double sum = bias ? (*bias)[o] : 0.0;
            for (std::size_t i = 0; i < in; ++i)
                sum += x[t][i] * weight[inputMajor ? i * out + o : o * in + i];
            y[t][o] = sum;
        }
    return y;
}

ReferenceModel::Rows ReferenceModel::attention(const Rows& q, const Rows& k, const Rows& v) const
{
    const std::size_t d = std::size_t(m_spec.headSize);
    Rows out(q.size(), std::vector<double>(std::size_t(m_spec.heads) * d));
    for (std::size_t h = 0; h < std::size_t(m_spec.heads); ++h) {
        const std::size_t kv = h / std::size_t(m_spec.heads / m_spec.kvHeads);
        for (std::size_t t = 0; t < q.size(); ++t) {
            std::vector<double> weights;
            double sum = 0;
            for (std::size_t s = 0; s <= t; ++s) {
                double score = 0;
                for (std::size_t i = 0; i < d; ++i)
                    score += q[t][h * d + i] * k[s][kv * d + i];
                weights.push_back(std::exp(score / std::sqrt(double(d))));
                sum += weights.back();
            }
            for (std::size_t s = 0; s <= t; ++s)
                for (std::size_t i = 0; i < d; ++i)
                    out[t][h * d + i] += weights[s] / sum * v[s][kv * d + i];
        }
    }
    return out;
}

void ReferenceModel::rotate(Rows& x, int heads) const
{
    const std::size_t d = std::size_t(m_spec.headSize), half = d / 2;
    for (std::size_t t = 0; t < x.size(); ++t)
        for (std::size_t h = 0; h < std::size_t(heads); ++h)
            for (std::size_t i = 0; i < half; ++i) {
                const double angle =
                    double(t) * std::pow(m_spec.ropeTheta, -2.0 * double(i) / double(d));
                double& a = x[t][h * d + i];
                double& b = x[t][h * d + half + i];
                const double first = a * std::cos(angle) - b * std::sin(angle);
                b = b * std::cos(angle) + a * std::sin(angle);
                a = first;
            }
}

void ReferenceModel::gpt2Block(Rows& x, int layer) const
{
    const std::string prefix = "h." + std::to_string(layer) + ".";
    const std::size_t c = std::size_t(m_spec.hidden);
    const Rows fused = linear(norm(x, prefix + "ln_1"), prefix + "attn.c_attn");
    Rows q, k, v;
    for (const auto& row : fused) {
        const auto at = [&](std::size_t i) { return row.begin() + std::ptrdiff_t(i); };
        q.emplace_back(at(0), at(c));
        k.emplace_back(at(c), at(2 * c));
        v.emplace_back(at(2 * c), at(3 * c));
    }
    add(x, linear(attention(q, k, v), prefix + "attn.c_proj"));
    Rows inner = linear(norm(x, prefix + "ln_2"), prefix + "mlp.c_fc");
    for (auto& row : inner)
        for (double& value : row)
            value = 0.5 * value *
                    (1 + std::tanh(std::sqrt(2 / std::numbers::pi) *
                                   (value + 0.044715 * value * value * value)));
    add(x, linear(inner, prefix + "mlp.c_proj"));
}

void ReferenceModel::llamaBlock(Rows& x, int layer) const
{
    const std::string prefix = "model.layers." + std::to_string(layer) + ".";
    const Rows normed = norm(x, prefix + "input_layernorm");
    Rows q = linear(normed, prefix + "self_attn.q_proj");
    Rows k = linear(normed, prefix + "self_attn.k_proj");
    const Rows v = linear(normed, prefix + "self_attn.v_proj");
    rotate(q, m_spec.heads);
    rotate(k, m_spec.kvHeads);
    add(x, linear(attention(q, k, v), prefix + "self_attn.o_proj"));
    const Rows second = norm(x, prefix + "post_attention_layernorm");
    Rows gate = linear(second, prefix + "mlp.gate_proj");
    const Rows up = linear(second, prefix + "mlp.up_proj");
    for (std::size_t t = 0; t < gate.size(); ++t)
        for (std::size_t i = 0; i < gate[t].size(); ++i)
            gate[t][i] = gate[t][i] / (1 + std::exp(-gate[t][i])) * up[t][i];
    add(x, linear(gate, prefix + "mlp.down_proj"));
}

double ReferenceModel::sequenceLoss(const Sequence& tokens) const
{
    const bool gpt2 = m_spec.architecture == Architecture::Gpt2;
    Rows x = embed(tokens);
    for (int layer = 0; layer < m_spec.layers; ++layer)
        gpt2 ? gpt2Block(x, layer) : llamaBlock(x, layer);
    const Rows normed = norm(x, gpt2 ? "ln_f" : "model.norm");
    const std::string table = gpt2 ? "wte" : "model.embed_tokens";
    const Rows logits = linear(normed, m_spec.tiedHead ? table : "lm_head");
    double sum = 0;
    for (std::size_t t = 0; t < logits.size(); ++t) {
        double exponentials = 0;
        for (double logit : logits[t])
            exponentials += std::exp(logit);
        sum += std::log(exponentials) - logits[t][std::size_t(tokens[t + 1])];
    }
    return sum;
}

ModelSpec tinyGpt2()
{
    ModelSpec model;
    model.name = "tiny-gpt2";
    model.architecture = Architecture::Gpt2;
    model.vocabulary = 11;
    model.positions = 8;
    model.hidden = 8;
    model.layers = 2;
    model.heads = model.kvHeads = 2;
    model.headSize = 4;
    model.feedForward = 20;
    model.attentionBias = model.mlpBias = true;
    return model;
}

ModelSpec tinyLlama()
{
    ModelSpec model = tinyGpt2();
    model.name = "tiny-llama";
    model.architecture = Architecture::Llama;
    model.heads = 4;
    model.kvHeads = 2;
    model.headSize = 6;
    model.feedForward = 12;
    model.tiedHead = false;
    model.attentionBias = model.mlpBias = false;
    return model;
}

} // namespace triaxis::test

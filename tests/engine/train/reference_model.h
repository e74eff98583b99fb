#pragma once

#include "engine/model/parameters.h"

#include <map>
#include <string>
#include <vector>

namespace triaxis::test
{

/// The transformer by its definition, in double and as plainly as can be: the oracle of the
/// runtime's layers.
class ReferenceModel
{
public:
    using Sequence = std::vector<int>; ///< T + 1 tokens

    /// Values around what training starts from, but large enough that every term counts.
    ReferenceModel(const ModelSpec& model, unsigned seed);

    const ModelSpec& spec() const { return m_spec; }
    std::map<std::string, std::vector<double>>& parameters() { return m_parameters; }

    /// Mean cross-entropy over all tokens, nats.
    double loss(const std::vector<Sequence>& batch) const;
    /// Central difference of the loss with respect to one element.
    double gradient(const std::string& name, std::size_t element,
                    const std::vector<Sequence>& batch);

private:
    using Rows = std::vector<std::vector<double>>;

    const std::vector<double>* find(const std::string& name) const;
    Rows embed(const Sequence& tokens) const;
    Rows norm(const Rows& x, const std::string& prefix) const;
    Rows linear(const Rows& x, const std::string& prefix) const;
    Rows attention(const Rows& q, const Rows& k, const Rows& v) const;
    void rotate(Rows& x, int heads) const;
    void gpt2Block(Rows& x, int layer) const;
    void llamaBlock(Rows& x, int layer) const;
    double sequenceLoss(const Sequence& tokens) const;

    ModelSpec m_spec;
    std::map<std::string, std::vector<double>> m_parameters;
    std::map<std::string, std::vector<std::int64_t>> m_shapes;
};

ModelSpec tinyGpt2();
/// Grouped-query attention, heads · headSize different from the hidden width, untied head.
ModelSpec tinyLlama();

} // namespace triaxis::test

#include "engine/model/model.h"

#include "engine/core/error.h"

#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

constexpr int maximumVocabulary = 100'000'000;
constexpr int maximumHidden = 1 << 20;
constexpr int maximumLayers = 1 << 16;
constexpr int maximumHeads = 1 << 16;
constexpr int maximumHeadSize = 1 << 16;
constexpr int maximumFeedForward = 1 << 24;

/// Counts of operations above this are given as the largest int64.
constexpr double largestExact = 9.2e18;

[[noreturn]] void refuse(const ModelSpec& model, const std::string& detail,
                         const std::string& remedy = {})
{
    const std::string name = model.name.empty() ? "the model" : "model " + model.name;
    throw Error("cannot use this model", name + ": " + detail,
                remedy.empty() ? "correct its configuration" : remedy);
}

void checkSize(const ModelSpec& model, const char* what, int value, int limit)
{
    if (value < 1 || value > limit)
        refuse(model, std::string(what) + " is " + std::to_string(value) + ", not between 1 and " +
                          std::to_string(limit));
}

void checkHeads(const ModelSpec& model)
{
    if (model.heads % model.kvHeads != 0)
        refuse(model, std::to_string(model.heads) + " attention heads cannot share " +
                          std::to_string(model.kvHeads) + " key/value heads evenly");
    const std::int64_t width = std::int64_t(model.heads) * model.headSize;
    if (width > maximumHidden)
        refuse(model, "heads × head size is " + std::to_string(width) + ", more than " +
                          std::to_string(maximumHidden));
    switch (model.architecture) {
    case Architecture::Gpt2:
        if (width != model.hidden || model.kvHeads != model.heads)
            refuse(model,
                   "a GPT-2 model of hidden size " + std::to_string(model.hidden) +
                       " cannot have " + std::to_string(model.heads) + " heads of " +
                       std::to_string(model.headSize) + " and " + std::to_string(model.kvHeads) +
                       " key/value heads",
                   "choose a number of heads that divides the hidden size");
        break;
    case Architecture::Llama:
        if (model.headSize % 2 != 0)
            refuse(model, "the head size " + std::to_string(model.headSize) +
                              " is odd, and rotary positions need pairs");
        break;
    }
}

void checkReal(const ModelSpec& model, const char* what, double value, double above, double limit)
{
    if (!(value > above && value <= limit))
        refuse(model, std::string(what) + " is " + std::to_string(value) + ", out of range");
}

std::int64_t attentionMatrixElements(const ModelSpec& model)
{
    const std::int64_t c = model.hidden, d = model.headSize;
    return c * d * (2 * std::int64_t(model.heads) + 2 * std::int64_t(model.kvHeads));
}

std::int64_t mlpMatrixElements(const ModelSpec& model)
{
    const std::int64_t matrices = model.architecture == Architecture::Llama ? 3 : 2;
    return matrices * model.hidden * std::int64_t(model.feedForward);
}

} // namespace

bool operator==(const ModelSpec& a, const ModelSpec& b)
{
    return a.name == b.name && a.architecture == b.architecture && a.vocabulary == b.vocabulary &&
           a.positions == b.positions && a.hidden == b.hidden && a.layers == b.layers &&
           a.heads == b.heads && a.kvHeads == b.kvHeads && a.headSize == b.headSize &&
           a.feedForward == b.feedForward && a.normEpsilon == b.normEpsilon &&
           a.ropeTheta == b.ropeTheta && a.tiedHead == b.tiedHead &&
           a.attentionBias == b.attentionBias && a.mlpBias == b.mlpBias &&
           a.initializerRange == b.initializerRange;
}

void checkModel(const ModelSpec& model)
{
    checkSize(model, "the vocabulary size", model.vocabulary, maximumVocabulary);
    checkSize(model, "the number of positions", model.positions, std::numeric_limits<int>::max());
    checkSize(model, "the hidden size", model.hidden, maximumHidden);
    checkSize(model, "the number of layers", model.layers, maximumLayers);
    checkSize(model, "the number of attention heads", model.heads, maximumHeads);
    checkSize(model, "the number of key/value heads", model.kvHeads, maximumHeads);
    checkSize(model, "the head size", model.headSize, maximumHeadSize);
    checkSize(model, "the inner width of the MLP", model.feedForward, maximumFeedForward);
    checkHeads(model);
    checkReal(model, "the epsilon of the norms", model.normEpsilon, 0, 1);
    checkReal(model, "the base of the rotary positions", model.ropeTheta, 0, 1e12);
    // 0 is allowed: all matrices then start as zeros.
    checkReal(model, "the initializer range", model.initializerRange, -1e-300, 1e3);
}

const char* toText(Architecture architecture)
{
    switch (architecture) {
    case Architecture::Gpt2:
        return "gpt2";
    case Architecture::Llama:
        return "llama";
    }
    return "";
}

std::int64_t layerMatrixFlopsPerToken(const ModelSpec& model)
{
    return 2 * (attentionMatrixElements(model) + mlpMatrixElements(model));
}

std::int64_t layerAttentionFlops(const ModelSpec& model, int sequence)
{
    const std::int64_t time = sequence, width = std::int64_t(model.heads) * model.headSize;
    if (2.0 * double(width) * double(time) * (double(time) + 1) >= largestExact)
        return std::numeric_limits<std::int64_t>::max();
    return 2 * width * (time * (time + 1));
}

std::int64_t headFlopsPerToken(const ModelSpec& model)
{
    return 2 * std::int64_t(model.hidden) * model.vocabulary;
}

double trainingFlopsPerToken(const ModelSpec& model, int sequence)
{
    if (sequence < 1)
        return 0;
    const double attention = 2.0 * model.heads * model.headSize * (double(sequence) + 1);
    const double layer = double(layerMatrixFlopsPerToken(model)) + attention;
    return 3 * (model.layers * layer + double(headFlopsPerToken(model)));
}

std::int64_t trainingFlops(const ModelSpec& model, std::int64_t tokens, int sequence)
{
    if (sequence < 1 || tokens < 1)
        return 0;
    const double estimate = trainingFlopsPerToken(model, sequence) * double(tokens);
    if (estimate >= largestExact)
        return std::numeric_limits<std::int64_t>::max();
    // A last, shorter sequence attends over its own length only.
    const std::int64_t whole = tokens / sequence, rest = tokens % sequence;
    const std::int64_t attention =
        whole * layerAttentionFlops(model, sequence) + layerAttentionFlops(model, int(rest));
    return 3 * (model.layers * (tokens * layerMatrixFlopsPerToken(model) + attention) +
                tokens * headFlopsPerToken(model));
}

} // namespace triaxis

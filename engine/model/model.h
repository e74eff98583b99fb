#pragma once

#include <cstdint>
#include <string>

namespace triaxis
{

enum class Architecture { Gpt2, Llama };

/// What a decoder-only transformer is, independent of how it is spread over ranks.
/// Sizes are those of the Hugging Face configuration; a plain immutable value.
struct ModelSpec
{
    std::string name; ///< preset name or folder name, shown to people
    Architecture architecture = Architecture::Gpt2;
    int vocabulary = 0;  ///< V: real entries; padding never takes part in the softmax
    int positions = 0;   ///< longest sequence: learned positions (GPT-2) or RoPE limit (Llama)
    int hidden = 0;      ///< C
    int layers = 0;      ///< L
    int heads = 0;       ///< H query heads
    int kvHeads = 0;     ///< key/value heads; equals heads without grouped-query attention
    int headSize = 0;    ///< D; H·D need not equal C in Llama
    int feedForward = 0; ///< inner width of the MLP
    double normEpsilon = 1e-5;
    double ropeTheta = 10000.0; ///< Llama only
    bool tiedHead = true;       ///< output head shares the token embedding
    bool attentionBias = false; ///< Llama variants with biases on q, k, v, o; GPT-2 always has them
    bool mlpBias = false;       ///< Llama variants; GPT-2 always has them
    double initializerRange = 0.02; ///< standard deviation of random weights
};

bool operator==(const ModelSpec&, const ModelSpec&);

/// Throws Error, naming the field by its Hugging Face meaning, if the sizes are out of range or do
/// not fit together (heads that do not divide, an odd head size under RoPE, …). Whatever passes can
/// be counted without overflow.
void checkModel(const ModelSpec& model);

const char* toText(Architecture architecture); ///< "gpt2", "llama"

/// Floating-point operations of one token in one layer's forward pass (multiply and add counted as
/// two). Matrix products of the layer, without attention scores.
std::int64_t layerMatrixFlopsPerToken(const ModelSpec& model);
/// Attention scores and weighted sum of a whole causal sequence of T tokens, forward:
/// 2·2·H·D·T(T+1)/2.
std::int64_t layerAttentionFlops(const ModelSpec& model, int sequence);
/// The vocabulary projection, forward, one token: 2·C·V.
std::int64_t headFlopsPerToken(const ModelSpec& model);
/// Model FLOPs of one training step over `tokens` tokens in sequences of T: forward plus backward
/// (twice forward), recompute not counted. The numerator of MFU (convention: Megatron, causal half
/// counted). A step above 9.2·10¹⁸ (405B with a batch of more than 3.7 M tokens) does not fit: it
/// is given as the largest int64, and trainingFlopsPerToken serves instead.
std::int64_t trainingFlops(const ModelSpec& model, std::int64_t tokens, int sequence);
/// The same for the mean token of a sequence of T.
double trainingFlopsPerToken(const ModelSpec& model, int sequence);

} // namespace triaxis

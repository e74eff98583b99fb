#pragma once

#include "engine/record/run_plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace triaxis
{

/// Where the tokens of a run come from. Sample `s` of the run is the same for every layout: the
/// global batch of step n is samples [n·B, (n+1)·B); microbatch j of data rank d takes n·B +
/// j·(b·dp) + d·b + k, k < b (Megatron's sampler rule).
class TokenSource
{
public:
    virtual ~TokenSource() = default;
    /// T + 1 tokens of sample `index` (input = first T, target = last T).
    virtual void sample(std::int64_t index, std::int32_t* tokens) const = 0;
    virtual int vocabulary() const = 0;
    /// Best reachable mean loss, nats per token; −1 if unknown.
    virtual double bestLoss() const { return -1; }
};

inline constexpr int byteVocabulary = 257; ///< 256 bytes and end-of-text
inline constexpr std::int32_t endOfText = 256;

/// Makes the source of a plan. Text: the file's bytes, end-of-text at its end, windows of T+1
/// tokens whose order is a permutation keyed by the seed, a new one each epoch. Synthetic: a
/// first-order Markov chain over the model's vocabulary (capped at 64 states), made from the seed,
/// whose entropy rate is bestLoss(). Batches: the file's own. Throws Error (missing or empty file,
/// token out of range, too few batches).
std::unique_ptr<TokenSource> makeTokenSource(const RunPlan& plan);

/// "batches" files also carry seed, batch, sequence and hyperparameters: fills them into `plan`.
/// Steps = number of batches.
void applyBatchFile(const std::filesystem::path& file, RunPlan& plan);

/// Lower-case hexadecimal SHA-256 of a file. Throws Error if it cannot be read.
std::string fileSha256(const std::filesystem::path& file);

} // namespace triaxis

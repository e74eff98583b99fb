#pragma once

#include "kernels/cpu/simd/kernel_table.h"
#include "kernels/device.h"

#include <cstdint>

namespace triaxis::kernels::cpu
{

/// One key/value head of one sequence and the query heads that use it: what one thread works on.
/// Queries and keys are taken in blocks (Dao et al., "FlashAttention", algorithms 1 and 4; the
/// forward keeps log Σ exp instead of maximum and sum). Everything a block needs is first packed
/// without gaps, so that the products run from the nearest cache.
class AttentionPart
{
public:
    /// Floats of scratch for one part, a multiple of 16.
    static std::int64_t scratchSize(const Attention& attention);

    AttentionPart(const KernelTable& kernels, const Attention& attention, std::int64_t sequence,
                  std::int64_t kvHead, float* scratch);

    void forward(float* out, float* logSumExp);
    void backward(float* dQ, float* dK, float* dV, const float* dOut, const float* out,
                  const float* logSumExp);

private:
    /// The block of queries at `query` against the block of keys at `key`; on the diagonal only
    /// half of it is seen.
    struct Block
    {
        std::int64_t query, rows, key, keys;
        bool isDiagonal() const { return query == key; }
    };
    template <class Body>
    static void forRowGroups(const Block& block, Body&& body);
    template <class Body>
    static void forKeyGroups(const Block& block, Body&& body);

    std::int64_t qAt(std::int64_t head, std::int64_t token, std::int64_t stride) const;
    std::int64_t kvAt(std::int64_t token) const
    {
        return qAt(m_kvHead, token, m_attention.kvStride);
    }
    std::int64_t sumAt(std::int64_t head) const;

    void turn(float* to, const float* from) const;
    void forwardQueries(std::int64_t head, std::int64_t query, float* out, float* logSumExp);
    void forwardBlock(const Block& block, float* maxima, float* sums);
    void backwardQueries(std::int64_t head, std::int64_t query, float* dQ, const float* dOut,
                         const float* out, const float* logSumExp);
    void backwardBlock(const Block& block, const float* dots, const float* logSumExp);

    void timesTurned(const Block& block, float* to, const float* left, const float* turned) const;
    void addScoresTimes(const Block& block, float* to, const float* scores,
                        const float* right) const;
    void addTurnedScoresTimes(const Block& block, float* to, const float* scores,
                              const float* right) const;

    const KernelTable& m_kernels;
    const Attention& m_attention;
    std::int64_t m_sequence, m_kvHead, m_group, m_width;
    float *m_scores, *m_dScores;                    ///< [block, block]
    float *m_queries, *m_gathered, *m_dOut;         ///< [block, headSize]
    float *m_turnedKeys, *m_turnedValues;           ///< by block [headSize, block]
    float *m_keys, *m_values, *m_dKeys, *m_dValues; ///< [time, headSize]
};

} // namespace triaxis::kernels::cpu

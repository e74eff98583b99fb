#include "kernels/cpu/cpu_device.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::kernels::cpu
{

namespace
{

/// Queries and keys are taken in blocks of this many tokens (Dao et al., "FlashAttention",
/// algorithms 1 and 4; the forward keeps log Σ exp instead of maximum and sum).
constexpr std::int64_t blockTokens = 64;

/// One key/value head of one sequence, and the query heads that use it.
struct Part
{
    const Attention& attention;
    std::int64_t sequence, kvHead;

    std::int64_t groupSize() const { return attention.heads / attention.kvHeads; }
    std::int64_t qHead(std::int64_t member) const { return kvHead * groupSize() + member; }
    std::int64_t qAt(std::int64_t head, std::int64_t token, std::int64_t stride) const
    {
        return (sequence * attention.time + token) * stride + head * attention.headSize;
    }
    std::int64_t kvAt(std::int64_t token) const { return qAt(kvHead, token, attention.kvStride); }
    std::int64_t sumAt(std::int64_t head) const
    {
        return (sequence * attention.heads + head) * attention.time;
    }
};

/// How many keys of the block at `key` query `token` sees.
std::int64_t visibleKeys(std::int64_t token, std::int64_t key, std::int64_t keys)
{
    return std::min(keys, token - key + 1);
}

/// What one thread needs while it works on a part: blocks of scores, and keys and values turned to
/// [headSize, time].
class Scratch
{
public:
    Scratch(float* data, const Attention& a)
        : m_scores(data), m_dScores(m_scores + blockTokens * blockTokens),
          m_queries(m_dScores + blockTokens * blockTokens),
          m_out(m_queries + blockTokens * a.headSize), m_keys(m_out + blockTokens * a.headSize),
          m_values(m_keys + a.headSize * a.time)
    {
    }
    static std::int64_t size(const Attention& a)
    {
        const std::int64_t floats = 2 * blockTokens * blockTokens + 2 * blockTokens * a.headSize +
                                    2 * std::int64_t(a.headSize) * a.time;
        return (floats + 15) / 16 * 16;
    }

    float* scores() const { return m_scores; }
    float* dScores() const { return m_dScores; }
    float* queries() const { return m_queries; }
    float* out() const { return m_out; }
    float* keys() const { return m_keys; }
    float* values() const { return m_values; }

private:
    float *m_scores, *m_dScores, *m_queries, *m_out, *m_keys, *m_values;
};

/// [rows, keys] = left[rows, headSize] · turned[headSize, keys], into rows blockTokens apart.
void timesTurned(const KernelTable& kernels, const Attention& a, float* to, const float* left,
                 std::int64_t leftRow, const float* turned, std::int64_t rows, std::int64_t keys)
{
    BlockProduct p;
    p.m = rows;
    p.n = keys;
    p.k = a.headSize;
    p.a = left;
    p.aRow = leftRow;
    p.aColumn = 1;
    p.b = turned;
    p.bRow = a.time;
    p.c = to;
    p.cRow = blockTokens;
    kernels.multiply(p);
}

/// to[rows, headSize] += scores[rows, keys] · right[keys, headSize]
void addScoresTimes(const KernelTable& kernels, const Attention& a, float* to, std::int64_t toRow,
                    const float* scores, const float* right, std::int64_t rightRow,
                    std::int64_t rows, std::int64_t keys)
{
    BlockProduct p;
    p.m = rows;
    p.n = a.headSize;
    p.k = keys;
    p.a = scores;
    p.aRow = blockTokens;
    p.aColumn = 1;
    p.b = right;
    p.bRow = rightRow;
    p.c = to;
    p.cRow = toRow;
    p.accumulate = true;
    kernels.multiply(p);
}

/// to[keys, headSize] += scores[rows, keys]ᵀ · right[rows, headSize]
void addTurnedScoresTimes(const KernelTable& kernels, const Attention& a, float* to,
                          std::int64_t toRow, const float* scores, const float* right,
                          std::int64_t rightRow, std::int64_t rows, std::int64_t keys)
{
    BlockProduct p;
    p.m = keys;
    p.n = a.headSize;
    p.k = rows;
    p.a = scores;
    p.aRow = 1;
    p.aColumn = blockTokens;
    p.b = right;
    p.bRow = rightRow;
    p.c = to;
    p.cRow = toRow;
    p.accumulate = true;
    kernels.multiply(p);
}

void forwardBlock(const KernelTable& kernels, const Part& part, const Scratch& scratch,
                  std::int64_t head, std::int64_t query, float* out, float* logSumExp)
{
    const Attention& a = part.attention;
    const std::int64_t width = a.headSize;
    const std::int64_t rows = std::min(blockTokens, a.time - query);
    kernels.pack(scratch.queries(), a.q + part.qAt(head, query, a.qStride), a.qStride, a.scale,
                 rows, width);
    std::fill_n(scratch.out(), rows * width, 0.0f);
    float maxima[blockTokens], sums[blockTokens];
    std::fill_n(maxima, rows, -std::numeric_limits<float>::infinity());
    std::fill_n(sums, rows, 0.0f);
    for (std::int64_t key = 0; key < query + rows; key += blockTokens) {
        const std::int64_t keys = std::min(blockTokens, a.time - key);
        timesTurned(kernels, a, scratch.scores(), scratch.queries(), width, scratch.keys() + key,
                    rows, keys);
        for (std::int64_t i = 0; i < rows; ++i) {
            const float factor =
                kernels.softmaxBlock(scratch.scores() + i * blockTokens, maxima + i, sums + i,
                                     visibleKeys(query + i, key, keys), keys);
            if (factor != 1.0f)
                kernels.scale(scratch.out() + i * width, factor, width);
        }
        addScoresTimes(kernels, a, scratch.out(), width, scratch.scores(), a.v + part.kvAt(key),
                       a.kvStride, rows, keys);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
        kernels.pack(out + part.qAt(head, query + i, a.outStride), scratch.out() + i * width, width,
                     1.0f / sums[i], 1, width);
        logSumExp[part.sumAt(head) + query + i] = maxima[i] + std::log(sums[i]);
    }
}

/// The gradients of one query head through all blocks, those of keys and values being added to.
class BackwardHead
{
public:
    BackwardHead(const KernelTable& kernels, const Part& part, const Scratch& scratch,
                 std::int64_t head)
        : m_kernels(kernels), m_part(part), m_scratch(scratch), m_head(head)
    {
    }

    void queryBlock(std::int64_t query, float* dQ, float* dK, float* dV, const float* dOut,
                    const float* out, const float* logSumExp)
    {
        const Attention& a = m_part.attention;
        const std::int64_t width = a.headSize;
        const std::int64_t rows = std::min(blockTokens, a.time - query);
        const float* const dOutBlock = dOut + m_part.qAt(m_head, query, a.outStride);
        const float* const outBlock = out + m_part.qAt(m_head, query, a.outStride);
        float* const dQBlock = dQ + m_part.qAt(m_head, query, a.qStride);
        m_kernels.pack(m_scratch.queries(), a.q + m_part.qAt(m_head, query, a.qStride), a.qStride,
                       a.scale, rows, width);
        std::fill_n(m_scratch.out(), rows * width, 0.0f);
        float dots[blockTokens];
        for (std::int64_t i = 0; i < rows; ++i)
            dots[i] = m_kernels.dot(dOutBlock + i * a.outStride, outBlock + i * a.outStride, width);
        for (std::int64_t key = 0; key < query + rows; key += blockTokens)
            keyBlock(query, key, rows, dots, logSumExp + m_part.sumAt(m_head) + query, dOutBlock,
                     dK + m_part.kvAt(key), dV + m_part.kvAt(key));
        for (std::int64_t i = 0; i < rows; ++i)
            m_kernels.pack(dQBlock + i * a.qStride, m_scratch.out() + i * width, width, a.scale, 1,
                           width);
    }

private:
    void keyBlock(std::int64_t query, std::int64_t key, std::int64_t rows, const float* dots,
                  const float* logSumExp, const float* dOut, float* dK, float* dV)
    {
        const Attention& a = m_part.attention;
        const std::int64_t width = a.headSize;
        const std::int64_t keys = std::min(blockTokens, a.time - key);
        float* const scores = m_scratch.scores();
        float* const dScores = m_scratch.dScores();
        timesTurned(m_kernels, a, scores, m_scratch.queries(), width, m_scratch.keys() + key, rows,
                    keys);
        timesTurned(m_kernels, a, dScores, dOut, a.outStride, m_scratch.values() + key, rows, keys);
        for (std::int64_t i = 0; i < rows; ++i)
            m_kernels.softmaxBackwardBlock(scores + i * blockTokens, dScores + i * blockTokens,
                                           logSumExp[i], dots[i], visibleKeys(query + i, key, keys),
                                           keys);
        addTurnedScoresTimes(m_kernels, a, dV, a.kvStride, scores, dOut, a.outStride, rows, keys);
        addScoresTimes(m_kernels, a, m_scratch.out(), width, dScores, a.k + m_part.kvAt(key),
                       a.kvStride, rows, keys);
        addTurnedScoresTimes(m_kernels, a, dK, a.kvStride, dScores, m_scratch.queries(), width,
                             rows, keys);
    }

    const KernelTable& m_kernels;
    const Part& m_part;
    const Scratch& m_scratch;
    std::int64_t m_head;
};

} // namespace

void CpuDevice::attentionForward(Stream&, const Attention& a, float* out, float* logSumExp)
{
    const std::int64_t scratchSize = Scratch::size(a);
    const Buffer memory = allocateFloats(m_pool.threads() * scratchSize, MemoryUse::Workspace);
    m_pool.run(a.batch * a.kvHeads, [&](std::int64_t item, int thread) {
        const Scratch scratch(memory.floats() + thread * scratchSize, a);
        const Part part{a, item / a.kvHeads, item % a.kvHeads};
        m_kernels.transpose(scratch.keys(), a.time, a.k + part.kvAt(0), a.kvStride, a.time,
                            a.headSize);
        for (std::int64_t member = 0; member < part.groupSize(); ++member)
            for (std::int64_t query = 0; query < a.time; query += blockTokens)
                forwardBlock(m_kernels, part, scratch, part.qHead(member), query, out, logSumExp);
    });
}

void CpuDevice::attentionBackward(Stream&, const Attention& a, float* dQ, float* dK, float* dV,
                                  const float* dOut, const float* out, const float* logSumExp)
{
    const std::int64_t scratchSize = Scratch::size(a);
    const Buffer memory = allocateFloats(m_pool.threads() * scratchSize, MemoryUse::Workspace);
    m_pool.run(a.batch * a.kvHeads, [&](std::int64_t item, int thread) {
        const Scratch scratch(memory.floats() + thread * scratchSize, a);
        const Part part{a, item / a.kvHeads, item % a.kvHeads};
        m_kernels.transpose(scratch.keys(), a.time, a.k + part.kvAt(0), a.kvStride, a.time,
                            a.headSize);
        m_kernels.transpose(scratch.values(), a.time, a.v + part.kvAt(0), a.kvStride, a.time,
                            a.headSize);
        for (std::int64_t t = 0; t < a.time; ++t) {
            std::fill_n(dK + part.kvAt(t), a.headSize, 0.0f);
            std::fill_n(dV + part.kvAt(t), a.headSize, 0.0f);
        }
        for (std::int64_t member = 0; member < part.groupSize(); ++member) {
            BackwardHead head(m_kernels, part, scratch, part.qHead(member));
            for (std::int64_t query = 0; query < a.time; query += blockTokens)
                head.queryBlock(query, dQ, dK, dV, dOut, out, logSumExp);
        }
    });
}

} // namespace triaxis::kernels::cpu

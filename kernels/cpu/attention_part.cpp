#include "kernels/cpu/attention_part.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::kernels::cpu
{

namespace
{

constexpr std::int64_t blockTokens = 64;
/// On the diagonal, rows are taken in groups of this many, each with the keys that one of them
/// sees.
constexpr std::int64_t groupTokens = 16;

std::int64_t blocksOf(std::int64_t time)
{
    return (time + blockTokens - 1) / blockTokens;
}

/// Hands out pieces of the scratch, each aligned to a cache line.
class Carver
{
public:
    explicit Carver(float* data) : m_data(data) {}
    float* take(std::int64_t count)
    {
        float* const piece = m_data + m_used;
        m_used += (count + 15) / 16 * 16;
        return piece;
    }
    std::int64_t used() const { return m_used; }

private:
    float* m_data;
    std::int64_t m_used = 0;
};

} // namespace

std::int64_t AttentionPart::scratchSize(const Attention& a)
{
    const auto round = [](std::int64_t count) { return (count + 15) / 16 * 16; };
    return 2 * round(blockTokens * blockTokens) + 3 * round(blockTokens * a.headSize) +
           2 * round(blocksOf(a.time) * blockTokens * a.headSize) + 4 * round(a.time * a.headSize);
}

AttentionPart::AttentionPart(const KernelTable& kernels, const Attention& attention,
                             std::int64_t sequence, std::int64_t kvHead, float* scratch)
    : m_kernels(kernels), m_attention(attention), m_sequence(sequence), m_kvHead(kvHead),
      m_group(attention.heads / attention.kvHeads), m_width(attention.headSize)
{
    Carver carver(scratch);
    m_scores = carver.take(blockTokens * blockTokens);
    m_dScores = carver.take(blockTokens * blockTokens);
    m_queries = carver.take(blockTokens * m_width);
    m_gathered = carver.take(blockTokens * m_width);
    m_dOut = carver.take(blockTokens * m_width);
    m_turnedKeys = carver.take(blocksOf(attention.time) * blockTokens * m_width);
    m_turnedValues = carver.take(blocksOf(attention.time) * blockTokens * m_width);
    m_keys = carver.take(attention.time * m_width);
    m_values = carver.take(attention.time * m_width);
    m_dKeys = carver.take(attention.time * m_width);
    m_dValues = carver.take(attention.time * m_width);
}

std::int64_t AttentionPart::qAt(std::int64_t head, std::int64_t token, std::int64_t stride) const
{
    return (m_sequence * m_attention.time + token) * stride + head * m_width;
}

std::int64_t AttentionPart::sumAt(std::int64_t head) const
{
    return (m_sequence * m_attention.heads + head) * m_attention.time;
}

/// body(first row, rows, keys seen)
template <class Body>
void AttentionPart::forRowGroups(const Block& block, Body&& body)
{
    if (!block.isDiagonal()) {
        body(0, block.rows, block.keys);
        return;
    }
    for (std::int64_t row = 0; row < block.rows; row += groupTokens)
        body(row, std::min(groupTokens, block.rows - row), std::min(row + groupTokens, block.keys));
}

/// body(first key, keys, first row that sees one of them)
template <class Body>
void AttentionPart::forKeyGroups(const Block& block, Body&& body)
{
    if (!block.isDiagonal()) {
        body(0, block.keys, 0);
        return;
    }
    for (std::int64_t key = 0; key < block.keys; key += groupTokens)
        body(key, std::min(groupTokens, block.keys - key), key);
}

/// Keys or values, by block, with tokens along the rows.
void AttentionPart::turn(float* to, const float* from) const
{
    for (std::int64_t token = 0; token < m_attention.time; token += blockTokens)
        m_kernels.transpose(to + token * m_width, blockTokens, from + kvAt(token),
                            m_attention.kvStride, std::min(blockTokens, m_attention.time - token),
                            m_width);
}

/// to[rows, keys] = left[rows, headSize] · turned[headSize, keys]
void AttentionPart::timesTurned(const Block& block, float* to, const float* left,
                                const float* turned) const
{
    forRowGroups(block, [&](std::int64_t row, std::int64_t rows, std::int64_t keys) {
        BlockProduct p;
        p.m = rows;
        p.n = keys;
        p.k = m_width;
        p.a = left + row * m_width;
        p.aRow = m_width;
        p.aColumn = 1;
        p.b = turned + block.key * m_width;
        p.bRow = blockTokens;
        p.c = to + row * blockTokens;
        p.cRow = blockTokens;
        m_kernels.multiply(p);
    });
}

/// to[rows, headSize] += scores[rows, keys] · right[keys, headSize]
void AttentionPart::addScoresTimes(const Block& block, float* to, const float* scores,
                                   const float* right) const
{
    forRowGroups(block, [&](std::int64_t row, std::int64_t rows, std::int64_t keys) {
        BlockProduct p;
        p.m = rows;
        p.n = m_width;
        p.k = keys;
        p.a = scores + row * blockTokens;
        p.aRow = blockTokens;
        p.aColumn = 1;
        p.b = right + block.key * m_width;
        p.bRow = m_width;
        p.c = to + row * m_width;
        p.cRow = m_width;
        p.accumulate = true;
        m_kernels.multiply(p);
    });
}

/// to[keys, headSize] += scores[rows, keys]ᵀ · right[rows, headSize]
void AttentionPart::addTurnedScoresTimes(const Block& block, float* to, const float* scores,
                                         const float* right) const
{
    forKeyGroups(block, [&](std::int64_t key, std::int64_t keys, std::int64_t row) {
        BlockProduct p;
        p.m = keys;
        p.n = m_width;
        p.k = block.rows - row;
        p.a = scores + row * blockTokens + key;
        p.aRow = 1;
        p.aColumn = blockTokens;
        p.b = right + row * m_width;
        p.bRow = m_width;
        p.c = to + (block.key + key) * m_width;
        p.cRow = m_width;
        p.accumulate = true;
        m_kernels.multiply(p);
    });
}

void AttentionPart::forward(float* out, float* logSumExp)
{
    const Attention& a = m_attention;
    turn(m_turnedKeys, a.k);
    m_kernels.pack(m_values, a.v + kvAt(0), a.kvStride, 1, a.time, m_width);
    for (std::int64_t head = m_kvHead * m_group; head < (m_kvHead + 1) * m_group; ++head)
        for (std::int64_t query = 0; query < a.time; query += blockTokens)
            forwardQueries(head, query, out, logSumExp);
}

void AttentionPart::forwardQueries(std::int64_t head, std::int64_t query, float* out,
                                   float* logSumExp)
{
    const Attention& a = m_attention;
    const std::int64_t rows = std::min(blockTokens, a.time - query);
    m_kernels.pack(m_queries, a.q + qAt(head, query, a.qStride), a.qStride, a.scale, rows, m_width);
    std::fill_n(m_gathered, rows * m_width, 0.0f);
    float maxima[blockTokens], sums[blockTokens], shares[blockTokens];
    std::fill_n(maxima, rows, -std::numeric_limits<float>::infinity());
    std::fill_n(sums, rows, 0.0f);
    for (std::int64_t key = 0; key <= query; key += blockTokens)
        forwardBlock({query, rows, key, std::min(blockTokens, a.time - key)}, maxima, sums);
    for (std::int64_t i = 0; i < rows; ++i) {
        shares[i] = 1.0f / sums[i];
        logSumExp[sumAt(head) + query + i] = maxima[i] + std::log(sums[i]);
    }
    m_kernels.scaleRows(m_gathered, shares, rows, m_width);
    m_kernels.unpack(out + qAt(head, query, a.outStride), a.outStride, m_gathered, 1, rows,
                     m_width);
}

void AttentionPart::forwardBlock(const Block& block, float* maxima, float* sums)
{
    float factors[blockTokens];
    timesTurned(block, m_scores, m_queries, m_turnedKeys);
    forRowGroups(block, [&](std::int64_t row, std::int64_t rows, std::int64_t keys) {
        const ScoreBlock scores{m_scores + row * blockTokens, blockTokens, rows, keys,
                                block.query - block.key + row + 1};
        m_kernels.softmaxBlock(scores, maxima + row, sums + row, factors + row);
    });
    m_kernels.scaleRows(m_gathered, factors, block.rows, m_width);
    addScoresTimes(block, m_gathered, m_scores, m_values);
}

void AttentionPart::backward(float* dQ, float* dK, float* dV, const float* dOut, const float* out,
                             const float* logSumExp)
{
    const Attention& a = m_attention;
    turn(m_turnedKeys, a.k);
    turn(m_turnedValues, a.v);
    m_kernels.pack(m_keys, a.k + kvAt(0), a.kvStride, 1, a.time, m_width);
    std::fill_n(m_dKeys, a.time * m_width, 0.0f);
    std::fill_n(m_dValues, a.time * m_width, 0.0f);
    for (std::int64_t head = m_kvHead * m_group; head < (m_kvHead + 1) * m_group; ++head)
        for (std::int64_t query = 0; query < a.time; query += blockTokens)
            backwardQueries(head, query, dQ, dOut, out, logSumExp);
    m_kernels.unpack(dK + kvAt(0), a.kvStride, m_dKeys, 1, a.time, m_width);
    m_kernels.unpack(dV + kvAt(0), a.kvStride, m_dValues, 1, a.time, m_width);
}

void AttentionPart::backwardQueries(std::int64_t head, std::int64_t query, float* dQ,
                                    const float* dOut, const float* out, const float* logSumExp)
{
    const Attention& a = m_attention;
    const std::int64_t rows = std::min(blockTokens, a.time - query);
    const std::int64_t outAt = qAt(head, query, a.outStride);
    m_kernels.pack(m_queries, a.q + qAt(head, query, a.qStride), a.qStride, a.scale, rows, m_width);
    m_kernels.pack(m_dOut, dOut + outAt, a.outStride, 1, rows, m_width);
    std::fill_n(m_gathered, rows * m_width, 0.0f);
    float dots[blockTokens];
    for (std::int64_t i = 0; i < rows; ++i)
        dots[i] = m_kernels.dot(m_dOut + i * m_width, out + outAt + i * a.outStride, m_width);
    for (std::int64_t key = 0; key <= query; key += blockTokens)
        backwardBlock({query, rows, key, std::min(blockTokens, a.time - key)}, dots,
                      logSumExp + sumAt(head) + query);
    m_kernels.unpack(dQ + qAt(head, query, a.qStride), a.qStride, m_gathered, a.scale, rows,
                     m_width);
}

void AttentionPart::backwardBlock(const Block& block, const float* dots, const float* logSumExp)
{
    timesTurned(block, m_scores, m_queries, m_turnedKeys);
    timesTurned(block, m_dScores, m_dOut, m_turnedValues);
    forRowGroups(block, [&](std::int64_t row, std::int64_t rows, std::int64_t keys) {
        const ScoreBlock scores{m_scores + row * blockTokens, blockTokens, rows, keys,
                                block.query - block.key + row + 1};
        m_kernels.softmaxBackwardBlock(scores, m_dScores + row * blockTokens, logSumExp + row,
                                       dots + row);
    });
    addTurnedScoresTimes(block, m_dValues, m_scores, m_dOut);
    addTurnedScoresTimes(block, m_dKeys, m_dScores, m_queries);
    addScoresTimes(block, m_gathered, m_dScores, m_keys);
}

} // namespace triaxis::kernels::cpu

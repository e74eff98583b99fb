#pragma once

#include "engine/data/permutation.h"
#include "engine/data/token_source.h"

#include <string>

namespace triaxis
{

/// A file's bytes as tokens 0 … 255, with end-of-text after the last. N bytes make N + 1 tokens and
/// floor(N / T) windows of T + 1 tokens: window w covers tokens [w·T, w·T + T], so that every token
/// but the first is a target at most once an epoch; up to T − 1 tokens at the end are left over,
/// and end-of-text is a target where T divides N. Sample s is window π(s mod W) of epoch s / W,
/// with a permutation π of its own for each epoch.
class TextSource : public TokenSource
{
public:
    /// Throws Error: missing, no regular file, empty, or shorter than T bytes.
    TextSource(const std::filesystem::path& file, int sequence, std::uint64_t seed);
    ~TextSource() override;
    TextSource(const TextSource&) = delete;
    TextSource& operator=(const TextSource&) = delete;

    void sample(std::int64_t index, std::int32_t* tokens) const override;
    int vocabulary() const override { return byteVocabulary; }

    std::int64_t windows() const { return m_windows; }

private:
    std::string m_path;
    int m_descriptor = -1;
    std::int64_t m_bytes = 0;
    int m_sequence = 1;
    std::int64_t m_windows = 0;
    EpochPermutation m_order;
};

} // namespace triaxis

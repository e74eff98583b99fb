#pragma once

#include "engine/data/token_source.h"

namespace triaxis
{

/// The batches of a JSON file, [steps][sequences][T + 1] token ids.
class BatchFileSource : public TokenSource
{
public:
    /// Throws Error: no such file, other shapes than the plan's, fewer batches than steps, tokens
    /// outside the model's vocabulary.
    explicit BatchFileSource(const RunPlan& plan);

    void sample(std::int64_t index, std::int32_t* tokens) const override;
    int vocabulary() const override { return m_vocabulary; }

private:
    std::string m_path;
    std::int64_t m_samples = 0;
    std::size_t m_width = 0; ///< T + 1
    int m_vocabulary = 0;
    std::vector<std::int32_t> m_tokens; ///< [samples, T + 1]
};

} // namespace triaxis

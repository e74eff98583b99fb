#pragma once

#include "engine/core/random.h"
#include "engine/data/token_source.h"

namespace triaxis
{

/// A stationary first-order Markov chain of min(vocabulary, 64) states, made from the seed: row i
/// of the transition matrix is the softmax of independent normal numbers times a fixed sharpness.
/// Each sample starts in the stationary distribution, so that every target's conditional entropy is
/// the chain's entropy rate H = −Σᵢ πᵢ Σⱼ Pᵢⱼ ln Pᵢⱼ, which no model can beat.
class MarkovSource : public TokenSource
{
public:
    MarkovSource(int vocabulary, int sequence, std::uint64_t seed);

    void sample(std::int64_t index, std::int32_t* tokens) const override;
    int vocabulary() const override { return m_states; }
    double bestLoss() const override { return m_entropyRate; }

    double transition(int from, int to) const;
    double stationary(int state) const { return m_stationary[std::size_t(state)]; }

private:
    int m_states;
    int m_sequence;
    std::vector<double> m_cumulative; ///< [states, states] running sums of each row
    std::vector<double> m_stationary;
    std::vector<double> m_stationarySums;
    double m_entropyRate = 0;
    CounterRandom m_random;
};

} // namespace triaxis

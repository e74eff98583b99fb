#include "engine/data/markov_source.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr int mostStates = 64;
/// Makes chains of 64 states have an entropy rate of about half of ln 64: far from certain, far
/// from noise.
constexpr double sharpness = 2.5;

using Matrix = std::vector<double>; ///< [states, states]

Matrix transitions(int states, std::uint64_t seed)
{
    const CounterRandom random(seed, "data.markov.transitions");
    const auto width = std::size_t(states);
    Matrix rows(width * width);
    for (std::size_t i = 0; i < width; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < width; ++j)
            sum += rows[i * width + j] = std::exp(sharpness * random.normal(i * width + j));
        for (std::size_t j = 0; j < width; ++j)
            rows[i * width + j] /= sum;
    }
    return rows;
}

/// Power iteration; every entry of the matrix is positive, so that it converges.
std::vector<double> stationaryOf(const Matrix& rows, std::size_t width)
{
    constexpr int mostRounds = 100'000;
    constexpr double accuracy = 1e-15;
    std::vector<double> current(width, 1.0 / double(width)), next(width);
    double change = 1;
    for (int round = 0; round < mostRounds && change > accuracy; ++round) {
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t i = 0; i < width; ++i) {
            for (std::size_t j = 0; j < width; ++j)
                next[j] += current[i] * rows[i * width + j];
        }
        change = 0;
        for (std::size_t j = 0; j < width; ++j)
            change = std::max(change, std::fabs(next[j] - current[j]));
        current.swap(next);
    }
    return current;
}

double entropyRate(const Matrix& rows, const std::vector<double>& stationary)
{
    const std::size_t width = stationary.size();
    double rate = 0;
    for (std::size_t i = 0; i < width; ++i) {
        for (std::size_t j = 0; j < width; ++j) {
            const double p = rows[i * width + j];
            if (p > 0)
                rate -= stationary[i] * p * std::log(p);
        }
    }
    return rate;
}

void accumulate(double* values, std::size_t count)
{
    for (std::size_t i = 1; i < count; ++i)
        values[i] += values[i - 1];
}

/// The first entry whose running sum exceeds `uniform`; the last one where rounding leaves the sum
/// below it.
std::int32_t draw(const double* sums, std::size_t count, double uniform)
{
    const double* found = std::upper_bound(sums, sums + count, uniform);
    return std::int32_t(std::min(std::size_t(found - sums), count - 1));
}

} // namespace

MarkovSource::MarkovSource(int vocabulary, int sequence, std::uint64_t seed)
    : m_states(std::clamp(vocabulary, 1, mostStates)), m_sequence(sequence),
      m_cumulative(transitions(m_states, seed)), m_random(seed, "data.markov.samples")
{
    const auto width = std::size_t(m_states);
    m_stationary = stationaryOf(m_cumulative, width);
    m_entropyRate = entropyRate(m_cumulative, m_stationary);
    for (std::size_t i = 0; i < width; ++i)
        accumulate(m_cumulative.data() + i * width, width);
    m_stationarySums = m_stationary;
    accumulate(m_stationarySums.data(), width);
}

double MarkovSource::transition(int from, int to) const
{
    const double* row = m_cumulative.data() + std::size_t(from) * std::size_t(m_states);
    return to == 0 ? row[0] : row[to] - row[to - 1];
}

void MarkovSource::sample(std::int64_t index, std::int32_t* tokens) const
{
    const auto width = std::size_t(m_states);
    const std::uint64_t base = std::uint64_t(index) * (std::uint64_t(m_sequence) + 1);
    tokens[0] = draw(m_stationarySums.data(), width, m_random.uniform(base));
    for (int t = 1; t <= m_sequence; ++t)
        tokens[t] = draw(m_cumulative.data() + std::size_t(tokens[t - 1]) * width, width,
                         m_random.uniform(base + std::uint64_t(t)));
}

} // namespace triaxis

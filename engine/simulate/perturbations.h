#pragma once

#include "engine/core/ids.h"
#include "engine/layout/layout.h"

#include <cstdint>
#include <vector>

namespace triaxis
{

/// All that a rank computes takes `factor` times as long: a straggler, or another device.
struct SlowRank
{
    Rank rank;
    double factor = 1;
    double update = 0; ///< factor of the weights' update, where it differs; 0: `factor`
};

/// Transfers and data-axis collectives over a link take `factor` times as long: between two ranks,
/// or (to = −1) whatever a rank exchanges with other stages and replicas.
struct SlowLink
{
    Rank from;
    Rank to{-1};
    double factor = 1;
};

/// What makes ranks differ that the layout makes alike. Seconds of ranks are drawn from (seed,
/// rank, instruction) only, so that a rank's do not depend on how many others are simulated.
struct Perturbations
{
    std::vector<SlowRank> slowRanks;
    std::vector<SlowLink> slowLinks;
    double jitter = 0; ///< standard deviation of the logarithm of each instruction's time; mean 1
    std::uint64_t seed = 1;

    bool none() const { return slowRanks.empty() && slowLinks.empty() && jitter == 0; }
};

/// Throws Error that names the figure: ranks that the layout does not have, factors that are not
/// positive and finite, a jitter outside 0 … 1.
void checkPerturbations(const Perturbations& perturbations, const Layout& layout);

/// [rank] product of the factors of its update.
std::vector<double> updateFactors(const Perturbations& perturbations, const Layout& layout);
/// [rank] product of the factors of its compute.
std::vector<double> slowFactors(const Perturbations& perturbations, const Layout& layout);

/// How much longer what ranks exchange takes.
class LinkFactors
{
public:
    LinkFactors(const Perturbations& perturbations, const Layout& layout);
    bool none() const { return m_links.empty(); }
    double between(Rank a, Rank b) const; ///< a transfer
    double around(Rank rank) const;       ///< a collective that the rank joins

private:
    std::vector<SlowLink> m_links;
    std::vector<double> m_around; ///< [rank]; empty: no link is slow
};

} // namespace triaxis

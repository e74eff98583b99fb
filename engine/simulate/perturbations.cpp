#include "engine/simulate/perturbations.h"

#include "engine/core/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace triaxis
{
namespace
{

void checkRank(Rank rank, const Layout& layout)
{
    if (rank.value < 0 || rank.value >= layout.ranks())
        throw Error("cannot perturb the ranks", "there is no rank " + std::to_string(rank.value),
                    "give ranks from 0 to " + std::to_string(layout.ranks() - 1));
}

void checkFactor(double factor, const char* name)
{
    constexpr double most = 1e6;
    if (!(factor > 0 && factor <= most))
        throw Error("cannot perturb the ranks",
                    std::string("a factor of ") + std::to_string(factor) + " for a " + name,
                    "give how many times as long it takes, above 0");
}

} // namespace

void checkPerturbations(const Perturbations& perturbations, const Layout& layout)
{
    for (const SlowRank& slow : perturbations.slowRanks) {
        checkRank(slow.rank, layout);
        checkFactor(slow.factor, "rank");
        checkFactor(slow.update > 0 ? slow.update : slow.factor, "rank's update");
    }
    for (const SlowLink& slow : perturbations.slowLinks) {
        checkRank(slow.from, layout);
        if (slow.to.value != -1)
            checkRank(slow.to, layout);
        checkFactor(slow.factor, "link");
    }
    if (!(perturbations.jitter >= 0 && perturbations.jitter <= 1))
        throw Error("cannot perturb the ranks",
                    "a jitter of " + std::to_string(perturbations.jitter),
                    "give a share of each instruction's time from 0 to 1");
}

std::vector<double> slowFactors(const Perturbations& perturbations, const Layout& layout)
{
    std::vector<double> factors(std::size_t(layout.ranks()), 1);
    for (const SlowRank& slow : perturbations.slowRanks)
        factors[std::size_t(slow.rank.value)] *= slow.factor;
    return factors;
}

std::vector<double> updateFactors(const Perturbations& perturbations, const Layout& layout)
{
    std::vector<double> factors(std::size_t(layout.ranks()), 1);
    for (const SlowRank& slow : perturbations.slowRanks)
        factors[std::size_t(slow.rank.value)] *= slow.update > 0 ? slow.update : slow.factor;
    return factors;
}

LinkFactors::LinkFactors(const Perturbations& perturbations, const Layout& layout)
    : m_links(perturbations.slowLinks)
{
    if (m_links.empty())
        return;
    m_around.assign(std::size_t(layout.ranks()), 1);
    for (const SlowLink& slow : m_links)
        for (const Rank end : {slow.from, slow.to})
            if (end.value >= 0)
                m_around[std::size_t(end.value)] =
                    std::max(m_around[std::size_t(end.value)], slow.factor);
}

double LinkFactors::between(Rank a, Rank b) const
{
    double factor = 1;
    for (const SlowLink& slow : m_links) {
        const bool any = slow.to.value < 0 && (slow.from == a || slow.from == b);
        const bool both = (slow.from == a && slow.to == b) || (slow.from == b && slow.to == a);
        if (any || both)
            factor = std::max(factor, slow.factor);
    }
    return factor;
}

double LinkFactors::around(Rank rank) const
{
    return m_around.empty() ? 1 : m_around[std::size_t(rank.value)];
}

} // namespace triaxis

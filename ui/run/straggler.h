#pragma once

#include "ui/run/run_data.h"

#include <QString>

#include <vector>

namespace triaxis::ui
{

/// A rank that computes longer than its peers: the median of its computing time over the last steps
/// with spans (at most RunData::sharesKept, at least stragglerSteps) is stragglerExcess or more
/// above the median of the other ranks of its stage.
struct Straggler
{
    Rank rank;
    double excess = 0; ///< 0.12: 12 % above its peers
};
inline constexpr double stragglerExcess = 0.10;
inline constexpr std::size_t stragglerSteps = 3;

/// All of them, the slowest first.
std::vector<Straggler> stragglers(const RunData& run);
/// How much longer each rank computes than its peers [ranks]; NaN where it has none or too few
/// steps are known.
std::vector<double> computeExcess(const RunData& run, std::size_t leastSteps = stragglerSteps);
/// "straggler: computes 12 % longer than its stage".
QString text(const Straggler& straggler);
/// The rule in words.
QString stragglerRule();

} // namespace triaxis::ui

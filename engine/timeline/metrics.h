#pragma once

#include "engine/layout/layout.h"
#include "engine/timeline/span.h"

#include <limits>
#include <vector>

namespace triaxis
{

/// Where the time of one compute lane went, in seconds of one window. The sum of all is the
/// window's length. The one definition of the bubble: idle share of a compute lane, over the step
/// without its tail (see BubbleRates).
struct LaneShare
{
    double compute = 0;    ///< busy: spans on the compute lane less tensorWait and tensorTransfer
    double tensorWait = 0; ///< waiting inside a tensor collective for a slower partner
    double tensorTransfer = 0;
    double warmUp = 0; ///< idle before the first compute span of the step
    double steady =
        0; ///< idle between the first and the last compute span, not covered by the two below
    double peerWait = 0; ///< idle between them while a receive or send waited for (ready … begin)
    double exposedTransfer =
        0;               ///< idle while a transfer that is waited for moves bytes (begin … end)
    double coolDown = 0; ///< idle after the rank's last compute span until the tail begins
    /// Gradient reduction, norm, optimizer, loss: from the end of the last forward or backward
    /// anywhere in the rank's replica (all stages; a reduction that runs before it is hidden in the
    /// cool-down) to the step's end. 0 where no such span follows.
    double tail = 0;

    double window() const;  ///< sum of all
    double idle() const;    ///< warmUp + steady + peerWait + exposedTransfer + coolDown
    double idleOwn() const; ///< idle between the rank's first and last compute span: steady +
                            ///< peerWait + exposedTransfer
    double
    busy() const; ///< compute + tensorWait + tensorTransfer: what an ideal pipeline would take
};

struct StepShares
{
    std::int32_t step = 0;
    double begin = 0, end = 0;      ///< first begin and last end over all ranks
    std::vector<LaneShare> perRank; ///< [ranks]
};

/// Shares of one step from its spans (paired, see span.h). Ranks without spans get zeros.
StepShares stepShares(const std::vector<Span>& spansOfStep, const Layout& layout);
/// The bubble by both usual rates, and within both windows: the step, which begins and ends on all
/// ranks together, and the rank's own, from its first to its last compute span, in which
/// zero-bubble schedules idle nothing. The tail counts in neither.
struct BubbleRates
{
    double overIdeal =
        std::numeric_limits<double>::quiet_NaN(); ///< idle over busy: (P−1)/M for 1F1B
    double overMakespan =
        std::numeric_limits<double>::quiet_NaN(); ///< idle over the step: (P−1)/(M+P−1) for 1F1B
    double ownOverIdeal =
        std::numeric_limits<double>::quiet_NaN(); ///< idle within the own window over busy
    double ownOverMakespan =
        std::numeric_limits<double>::quiet_NaN(); ///< idle within the own window over that window
};

/// [P] means over the ranks of each stage; NaN for a stage none of whose ranks has spans.
std::vector<BubbleRates> bubbleRatesByStage(const StepShares& shares, const Layout& layout);
/// Mean of these over the stages that have them; NaN if none has.
BubbleRates bubbleRates(const StepShares& shares, const Layout& layout);

/// BubbleRates::overMakespan of each stage.
std::vector<double> bubbleByStage(const StepShares& shares, const Layout& layout);
/// BubbleRates::overMakespan of all.
double bubble(const StepShares& shares, const Layout& layout);

} // namespace triaxis

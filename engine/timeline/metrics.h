#pragma once

#include "engine/layout/layout.h"
#include "engine/timeline/span.h"

#include <vector>

namespace triaxis
{

/// Where the time of one compute lane went, in seconds of one window. The sum of all is the window's length.
/// The one definition of the bubble: idle share of a compute lane over the step (idle over makespan).
struct LaneShare
{
    double compute = 0;        ///< busy: spans on the compute lane less tensorWait and tensorTransfer
    double tensorWait = 0;     ///< waiting inside a tensor collective for a slower partner
    double tensorTransfer = 0;
    double warmUp = 0;         ///< idle before the first compute span of the step
    double steady = 0;         ///< idle between the first and the last compute span, not covered by the two below
    double peerWait = 0;       ///< idle between them while a receive or send waited for (ready … begin)
    double exposedTransfer = 0; ///< idle while a transfer that is waited for moves bytes (begin … end)
    double coolDown = 0;       ///< idle after the rank's last compute span until the tail begins
    /// Gradient reduction, norm, optimizer, loss: from the end of the last forward or backward anywhere in the rank's replica
    /// (all stages; a reduction that runs before it is hidden in the cool-down) to the step's end. 0 where no such span follows.
    double tail = 0;

    double window() const;     ///< sum of all
    double idle() const;       ///< warmUp + steady + peerWait + exposedTransfer + coolDown
};

struct StepShares
{
    std::int32_t step = 0;
    double begin = 0, end = 0;               ///< first begin and last end over all ranks
    std::vector<LaneShare> perRank;          ///< [ranks]
};

/// Shares of one step from its spans (paired, see span.h). Ranks without spans get zeros.
StepShares stepShares(const std::vector<Span>& spansOfStep, const Layout& layout);
/// Mean over the ranks of each stage: idle over (window − tail), the figure that the closed form (P−1)/(M+P−1) speaks of.
/// NaN for a stage none of whose ranks has spans.
std::vector<double> bubbleByStage(const StepShares& shares, const Layout& layout);
/// Mean of bubbleByStage over the stages that have one; NaN if none has.
double bubble(const StepShares& shares, const Layout& layout);

} // namespace triaxis

#pragma once

#include "engine/schedule/closed_forms.h"
#include "engine/timeline/metrics.h"

#include <array>
#include <limits>
#include <vector>

namespace triaxis
{

/// Where the time of a compute lane goes in a step. One of them at any moment, in the order in which
/// they are shown; see LaneShare.
enum class BubblePhase : std::uint8_t {
    WarmUp,
    PeerWait,
    OtherIdle,
    Transfer,
    CoolDown,
    Tensor, ///< waiting and moving bytes inside tensor collectives
    Tail,
    Busy
};
inline constexpr int bubblePhaseCount = 8;
/// "warm-up", "waiting for a peer", … for people.
const char* toText(BubblePhase phase);
/// What counts as this phase, in a sentence.
const char* definitionOf(BubblePhase phase);
/// Whether a lane idles in it: what the bubble is made of.
bool isIdle(BubblePhase phase);

/// Phases of one stage: means over its ranks and over steps, each of which counts the same.
struct StagePhases
{
    int stage = 0;
    std::array<double, bubblePhaseCount> share{}; ///< of the step; the sum is 1
    /// Idle over the step without its tail: the rate that closed forms give.
    double bubble = std::numeric_limits<double>::quiet_NaN();

    double of(BubblePhase phase) const { return share[std::size_t(phase)]; }
};

/// The bubble of some steps: mean over the stages; NaN without spans. Of one step the same as
/// bubble() of metrics.h.
double meanBubble(const std::vector<StagePhases>& stages);

/// A row for every stage of which a step has spans.
std::vector<StagePhases> phasesByStage(const std::vector<StepShares>& steps, const Layout& layout);

/// What the closed form of a schedule says of one stage, over the step without its tail. NaN where
/// there is none.
struct ClosedPhases
{
    double bubble = std::numeric_limits<double>::quiet_NaN();
    double ends = std::numeric_limits<double>::quiet_NaN();    ///< warm-up and cool-down
    double between = std::numeric_limits<double>::quiet_NaN(); ///< between first and last compute
};
ClosedPhases closedPhases(const ClosedForm& form, int stage);

} // namespace triaxis

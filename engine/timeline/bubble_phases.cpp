#include "engine/timeline/bubble_phases.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

double partOf(const LaneShare& lane, BubblePhase phase)
{
    switch (phase) {
    case BubblePhase::WarmUp:
        return lane.warmUp;
    case BubblePhase::PeerWait:
        return lane.peerWait;
    case BubblePhase::OtherIdle:
        return lane.steady;
    case BubblePhase::Transfer:
        return lane.exposedTransfer;
    case BubblePhase::CoolDown:
        return lane.coolDown;
    case BubblePhase::Tensor:
        return lane.tensorWait + lane.tensorTransfer;
    case BubblePhase::Tail:
        return lane.tail;
    case BubblePhase::Busy:
        return lane.compute;
    }
    return 0;
}

/// Sums over the ranks and steps of one stage.
struct Sums
{
    std::array<double, bubblePhaseCount> share{};
    double bubble = 0;
    int lanes = 0;
    int bubbles = 0;

    void add(const LaneShare& lane)
    {
        const double window = lane.window();
        if (!(window > 0))
            return;
        ++lanes;
        for (int phase = 0; phase < bubblePhaseCount; ++phase)
            share[std::size_t(phase)] += partOf(lane, BubblePhase(phase)) / window;
        if (window - lane.tail > 0) {
            bubble += lane.idle() / (window - lane.tail);
            ++bubbles;
        }
    }
};

} // namespace

const char* toText(BubblePhase phase)
{
    switch (phase) {
    case BubblePhase::WarmUp:
        return "warm-up";
    case BubblePhase::PeerWait:
        return "waiting for a peer";
    case BubblePhase::OtherIdle:
        return "other idle";
    case BubblePhase::Transfer:
        return "exposed transfer";
    case BubblePhase::CoolDown:
        return "cool-down";
    case BubblePhase::Tensor:
        return "tensor collectives";
    case BubblePhase::Tail:
        return "tail";
    case BubblePhase::Busy:
        return "busy";
    }
    return "";
}

const char* definitionOf(BubblePhase phase)
{
    switch (phase) {
    case BubblePhase::WarmUp:
        return "Idle from the begin of the step to the rank's first forward: the pipeline fills.";
    case BubblePhase::PeerWait:
        return "Idle between two computations because the other end of a send or receive was not "
               "ready yet.";
    case BubblePhase::OtherIdle:
        return "Idle between two computations for no transfer's sake: the host, the operating "
               "system, the runtime itself.";
    case BubblePhase::Transfer:
        return "Idle while bytes that the next computation needs are on their way. Transfers "
               "behind computation cost nothing and are not counted.";
    case BubblePhase::CoolDown:
        return "Idle from the rank's last backward to the end of the last backward of its replica: "
               "the pipeline drains.";
    case BubblePhase::Tensor:
        return "Inside forwards and backwards: waiting for the tensor group, and summing with it.";
    case BubblePhase::Tail:
        return "From the last backward of the replica to the end of the step: gradient reduction, "
               "norm, optimizer and loss. Not part of the bubble.";
    case BubblePhase::Busy:
        return "Computing: forwards and backwards without their tensor collectives.";
    }
    return "";
}

bool isIdle(BubblePhase phase)
{
    switch (phase) {
    case BubblePhase::WarmUp:
    case BubblePhase::PeerWait:
    case BubblePhase::OtherIdle:
    case BubblePhase::Transfer:
    case BubblePhase::CoolDown:
        return true;
    case BubblePhase::Tensor:
    case BubblePhase::Tail:
    case BubblePhase::Busy:
        return false;
    }
    return false;
}

std::vector<StagePhases> phasesByStage(const std::vector<StepShares>& steps, const Layout& layout)
{
    std::vector<Sums> sums(std::size_t(std::max(0, layout.pp)));
    std::vector<std::size_t> stageOf;
    for (int rank = 0; rank < layout.ranks(); ++rank)
        stageOf.push_back(std::size_t(coordinatesOf(layout, Rank(rank)).pipeline));
    for (const StepShares& step : steps)
        for (std::size_t rank = 0; rank < std::min(stageOf.size(), step.perRank.size()); ++rank)
            sums[stageOf[rank]].add(step.perRank[rank]);
    std::vector<StagePhases> rows;
    for (std::size_t stage = 0; stage < sums.size(); ++stage) {
        const Sums& sum = sums[stage];
        if (sum.lanes == 0)
            continue;
        StagePhases row;
        row.stage = int(stage);
        for (std::size_t phase = 0; phase < row.share.size(); ++phase)
            row.share[phase] = sum.share[phase] / sum.lanes;
        if (sum.bubbles > 0)
            row.bubble = sum.bubble / sum.bubbles;
        rows.push_back(row);
    }
    return rows;
}

double meanBubble(const std::vector<StagePhases>& stages)
{
    double sum = 0;
    int count = 0;
    for (const StagePhases& stage : stages) {
        if (std::isnan(stage.bubble))
            continue;
        sum += stage.bubble;
        ++count;
    }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

ClosedPhases closedPhases(const ClosedForm& form, int stage)
{
    ClosedPhases closed;
    const auto at = std::size_t(std::max(0, stage));
    if (at >= form.idle.size() || !(form.work + form.idle[at] > 0))
        return closed;
    const double whole = form.work + form.idle[at];
    closed.bubble = form.idle[at] / whole;
    if (at < form.idleOwn.size()) {
        closed.between = form.idleOwn[at] / whole;
        closed.ends = (form.idle[at] - form.idleOwn[at]) / whole;
    }
    return closed;
}

} // namespace triaxis

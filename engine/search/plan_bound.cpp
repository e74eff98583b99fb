#include "engine/search/plan_bound.h"

#include "engine/schedule/generators.h"

#include <algorithm>

// Why the bound holds. A forward of virtual stage p needs those of p − 1, p − 2, … 0 of its
// microbatch, one after the other, with a hop wherever two neighbours lie on different stages; a
// backward of p must be followed by those of p − 1 … 0. Let stage r hold v as its lowest virtual
// stage, and let it compute w seconds in all.
//
// 1. Whatever r computes first is a forward of v, for any other forward it could begin with needs
//    that one before. It begins after fill(r), the forwards below v and their hops.
// 2. Full backwards: what r computes last is a backward of v, for any backward of a higher virtual
//    stage of r must be followed by one of v. The backwards below v follow: drain(r). In all
//    fill + w + drain.
// 3. Split backwards: weights may come later. The last backward for the input on r is one of v (as
//    in 2); all forwards and all backwards for the input of r precede its end, and those below v
//    follow with at least the weights of virtual stage 0 of that microbatch: fill + forwards and
//    inputs + drainInput. And r computes all of w after fill.
// 4. Copies of the weights: stage r holds r of one copy and P − 1 − r of the other; what is first
//    and last is of one of both, so that the smaller fill and drain hold.
// 5. 1F1B: stage 0 begins forward m + P only when backward m is over, and that is a round trip
//    after forward m began. After k = ⌊(M − 1) / P⌋ of them M − kP microbatches have not begun, to
//    which 2 applies.
// 6. Steps that end on each stage by themselves last as long as the longest window of a stage. With
//    full backwards in one direction stage 0 begins first and ends last, so that 2 and 5 hold as
//    they are; with split ones its window still holds the chain of 3, and that of r at least w.
// 7. All M forwards and backwards of the last virtual stage lie on one stage. Before the first of
// them come the forwards of all others, and the backwards of all others after the last. Of copies
// one takes at least M / 2. The first and the last step of this chain lie on stage 0.
// An overlapped pair saves at most gain · min(F, B) ≤ gain/2 · (F + B), and is never shorter than
// one of its steps, so that a chain through different stages saves nothing.

namespace triaxis
{

ScheduleTraits traitsOf(std::size_t schedule)
{
    const ScheduleInfo& info = schedules().at(schedule);
    ScheduleTraits traits;
    traits.splitsBackward = info.splitsBackward;
    traits.minimumVirtual = info.minimumVirtual;
    traits.maximumVirtual = info.maximumVirtual;
    traits.oneForwardOneBackward = info.name == "1f1b";
    traits.overlaps = info.name == "dualpipe" || info.name == "dualpipe-v";
    if (info.replicas > 1) {
        traits.placement = Placement::Bidirectional;
    } else if (info.minimumVirtual == 2 && info.maximumVirtual == 2) {
        traits.placement = Placement::Vee;
    }
    return traits;
}

namespace
{

/// Sums over the virtual stages below one, hops included.
struct Below
{
    double forward = 0;
    double input = 0;
    double backward = 0;
};

Below belowOf(const StageCosts& costs, int virtualStage)
{
    Below below;
    for (int index = 0; index < virtualStage; ++index) {
        below.forward += costs.forward[index] + costs.transfer;
        below.input += costs.input[index] + costs.transfer;
        below.backward += costs.input[index] + costs.weight[index] + costs.transfer;
    }
    return below;
}

void addChunk(BoundStage& stage, const StageCosts& costs, int virtualStage)
{
    stage.forward += costs.forward[virtualStage];
    stage.input += costs.input[virtualStage];
    stage.weight += costs.weight[virtualStage];
}

BoundStage chunksOf(const StageCosts& costs, Placement placement, int stages, int stage)
{
    BoundStage bound;
    const int positions = static_cast<int>(costs.forward.size());
    switch (placement) {
    case Placement::Looped:
        for (int index = stage; index < positions; index += stages) {
            addChunk(bound, costs, index);
        }
        break;
    case Placement::Vee:
        addChunk(bound, costs, stage);
        addChunk(bound, costs, 2 * stages - 1 - stage);
        break;
    case Placement::Bidirectional: {
        addChunk(bound, costs, stage);
        const int other = stages - 1 - stage;
        bound.twin = costs.forward[other] + costs.input[other] + costs.weight[other];
        break;
    }
    }
    return bound;
}

double workOf(const BoundStage& stage)
{
    return stage.forward + stage.input + stage.weight + stage.twin;
}

BoundStage boundStage(const StageCosts& costs, Placement placement, int stages, int stage)
{
    BoundStage bound = chunksOf(costs, placement, stages, stage);
    Below below = belowOf(costs, stage);
    if (placement == Placement::Bidirectional) {
        const Below other = belowOf(costs, stages - 1 - stage);
        below = {std::min(below.forward, other.forward), std::min(below.input, other.input),
                 std::min(below.backward, other.backward)};
    }
    bound.fill = below.forward;
    bound.drain = below.backward;
    bound.drainInput = below.input + costs.weight[0];
    return bound;
}

/// Hops of a microbatch on its way down: one wherever two neighbours lie on different stages.
int hopsOf(const StageCosts& costs, Placement placement, int stages)
{
    const int boundaries = static_cast<int>(costs.forward.size()) - 1;
    switch (placement) {
    case Placement::Looped:
        return stages > 1 ? boundaries : 0;
    case Placement::Vee:
        return boundaries - 1; // the turn lies on the last stage
    case Placement::Bidirectional:
        return boundaries;
    }
    return 0;
}

/// The last of the stages that take longest: fill and drain grow with the stage.
int busiestStage(const StageCosts& costs, Placement placement, int stages)
{
    int busiest = 0;
    double most = -1;
    for (int stage = 0; stage < stages; ++stage) {
        const double work = workOf(chunksOf(costs, placement, stages, stage));
        constexpr double rounding = 1e-12;
        if (work >= most * (1 - rounding)) {
            busiest = stage;
            most = std::max(most, work);
        }
    }
    return busiest;
}

double straightBound(const PipelineTerms& terms, const ScheduleTraits& traits, double microbatches)
{
    double rounds = 0;
    double rest = microbatches;
    if (traits.oneForwardOneBackward) {
        rounds =
            static_cast<double>(static_cast<std::int64_t>(microbatches - 1) / terms.pipelineSize);
        rest = microbatches - rounds * terms.pipelineSize;
    }
    double most = 0;
    for (const BoundStage& stage : terms.stages) {
        const double work = stage.forward + stage.input + stage.weight;
        const double ends = stage.fill + stage.drain;
        most = std::max(
            {most, ends + microbatches * work, ends + rest * work + rounds * terms.roundTrip});
    }
    return most;
}

double splitBound(const PipelineTerms& terms, double microbatches)
{
    double most = 0;
    for (const BoundStage& stage : terms.stages) {
        const double chain = stage.forward + stage.input;
        const double work = chain + stage.weight;
        const double fill = terms.barrier ? stage.fill : 0;
        most = std::max({most, stage.fill + microbatches * chain + stage.drainInput,
                         fill + microbatches * work});
    }
    return most;
}

double bidirectionalBound(const PipelineTerms& terms, const ScheduleTraits& traits,
                          std::int64_t microbatches)
{
    const double first = static_cast<double>((microbatches + 1) / 2);
    const double second = static_cast<double>(microbatches / 2);
    double most = 0;
    for (const BoundStage& stage : terms.stages) {
        const double own = stage.forward + stage.input + stage.weight;
        double ends = terms.barrier ? stage.fill : 0;
        ends += terms.barrier && !traits.splitsBackward ? stage.drain : 0;
        most = std::max(most, first * own + second * stage.twin + ends);
    }
    return most;
}

} // namespace

PipelineTerms pipelineTerms(const StageCosts& costs, Placement placement, int stages, bool barrier)
{
    PipelineTerms terms;
    terms.pipelineSize = stages;
    terms.overlapGain = costs.overlapGain;
    terms.barrier = barrier;
    const int busiest = busiestStage(costs, placement, stages);
    terms.stages = {boundStage(costs, placement, stages, busiest),
                    boundStage(costs, placement, stages, 0),
                    boundStage(costs, placement, stages, stages - 1)};
    for (std::size_t index = 0; index < costs.forward.size(); ++index) {
        terms.roundTrip += costs.forward[index] + costs.input[index] + costs.weight[index];
        terms.roundTripInput += costs.forward[index] + costs.input[index];
    }
    const double hops = 2 * costs.transfer * hopsOf(costs, placement, stages);
    terms.roundTrip += hops;
    terms.roundTripInput += hops + costs.weight.front();
    terms.turnInput = costs.forward.back() + costs.input.back();
    terms.turn = terms.turnInput + costs.weight.back();
    return terms;
}

namespace
{

/// Rule 7 for as many microbatches as one copy takes at least; a pair saves the share 1 − gain.
double chainBound(const PipelineTerms& terms, bool splitsBackward, double microbatches, double gain)
{
    const double roundTrip = splitsBackward ? terms.roundTripInput : terms.roundTrip;
    const double turn = splitsBackward ? terms.turnInput : terms.turn;
    return roundTrip + (gain * microbatches - 1) * turn;
}

} // namespace

double pipelineBound(const PipelineTerms& terms, const ScheduleTraits& traits,
                     std::int64_t microbatches)
{
    const double gain = traits.overlaps ? 1 - terms.overlapGain / 2 : 1;
    const double count = static_cast<double>(microbatches);
    if (traits.placement == Placement::Bidirectional) {
        const double oneWay = static_cast<double>((microbatches + 1) / 2);
        return std::max(gain * bidirectionalBound(terms, traits, microbatches),
                        chainBound(terms, traits.splitsBackward, oneWay, gain));
    }
    const double work =
        traits.splitsBackward ? splitBound(terms, count) : straightBound(terms, traits, count);
    return std::max(gain * work, chainBound(terms, traits.splitsBackward, count, gain));
}

} // namespace triaxis

#pragma once

#include "engine/cost/training_job.h"
#include "engine/simulate/play.h"

#include <array>
#include <cstdint>
#include <vector>

namespace triaxis
{

/// Where the virtual stages of a schedule lie.
enum class Placement {
    Looped,       ///< chunk c of stage r is virtual stage c·P + r
    Vee,          ///< stage r holds r and 2P − 1 − r
    Bidirectional ///< of two copies: r of the first, P − 1 − r of the second
};
inline constexpr std::size_t placements = 3;

/// What the closed-form bound must know of a schedule.
struct ScheduleTraits
{
    Placement placement = Placement::Looped;
    bool splitsBackward = false;
    bool oneForwardOneBackward = false; ///< stage 0 holds P microbatches at most, in order
    bool overlaps = false;              ///< runs a forward and a backward as one
    int minimumVirtual = 1;
    int maximumVirtual = 1;
};

/// Of an index into schedules().
ScheduleTraits traitsOf(std::size_t schedule);

/// One pipeline stage in the bound, seconds for one microbatch.
struct BoundStage
{
    double forward = 0; ///< all its chunks; of copies: of the first
    double input = 0;
    double weight = 0;
    double twin = 0;       ///< all three, of the second copy
    double fill = 0;       ///< before its first forward can begin
    double drain = 0;      ///< of full backwards, after its last one …
    double drainInput = 0; ///< … and of backwards for the input only, the last weight's included
};

/// What one placement costs, whatever the schedule: plain numbers.
struct PipelineTerms
{
    std::array<BoundStage, 3> stages; ///< the busiest, the first and the last
    double roundTrip = 0;             ///< of one microbatch: down and up again, full backwards
    double roundTripInput = 0;        ///< the same with backwards for the input, and one weight's
    double turn = 0;                  ///< forward and full backward of the last virtual stage
    double turnInput = 0;             ///< … and with the backward for the input only
    double overlapGain = 0;
    int pipelineSize = 1;
    bool barrier = true;
};

/// `costs` by virtual stage [P·V], as the player takes them.
PipelineTerms pipelineTerms(const StageCosts& costs, Placement placement, int stages, bool barrier);

/// Seconds that no play of the schedule with these costs undercuts (proof: plan_bound.cpp), and
/// that GPipe and 1F1B with even stages and free transfers meet. No allocation.
double pipelineBound(const PipelineTerms& terms, const ScheduleTraits& traits,
                     std::int64_t microbatches);

} // namespace triaxis

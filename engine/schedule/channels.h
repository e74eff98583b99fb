#pragma once

#include "engine/schedule/instruction.h"

namespace triaxis {

/// A channel is an ordered pair of stages; its sends and receives pair in order. So that a channel
/// has one order, every transfer from one stage to another stands on the same lane, whatever it
/// carries, on either side:
/// - Next for the stage after this one, Previous for the stage before it;
/// - round the ends (interleaved schedules send from the last stage to the first): Next on the last
/// stage, Previous on the first;
/// - with two stages the other is the next of stage 0 and the previous of stage 1, also for what
/// goes round the ends, since
///   both ways are the same channel;
/// - stages that are no neighbours (free placements): the shorter way round the ring, Next when
/// both are as long. Only
///   these share a lane with another channel; the verifier tells whether that deadlocks.
Lane sendLane(Stage from, Stage to, int stages);
/// Lane on which `at` receives from `from`.
Lane receiveLane(Stage at, Stage from, int stages);

} // namespace triaxis

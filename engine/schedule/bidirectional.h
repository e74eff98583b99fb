#pragma once

#include "engine/schedule/generators.h"
#include "engine/schedule/stage_order.h"

namespace triaxis
{

/// Throws Error unless P is even and M ≥ 2: each direction needs a microbatch of its own.
void checkBidirectional(const ScheduleRequest& request);

/// The larger share of M over the two directions: ⌈M / 2⌉, of replica 0. Replica 1 runs the rest.
int microbatchesOneWay(int microbatches);

/// Chunk 0 (replica 0) takes the first ⌈M / 2⌉ microbatches, chunk 1 the others.
void shareMicrobatches(StageOrder& order, int microbatches);

} // namespace triaxis

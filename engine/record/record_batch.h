#pragma once

#include "engine/record/records.h"

namespace triaxis
{

/// Moves everything of `part` to the end of `all`.
void append(RecordBatch& all, RecordBatch part);

class ClockTrack;
/// Puts every time of the batch, which is one rank's own, on rank 0's clock.
void alignToRankZero(RecordBatch& batch, const ClockTrack& clock);

/// Removes what claims to be of another rank than the one whose file it was read from, so that a
/// damaged file cannot index out of a layout.
void keepRank(RecordBatch& batch, Rank rank);

} // namespace triaxis

#pragma once

#include "engine/timeline/lanes.h"

#include <optional>

namespace triaxis
{

/// One painted span by position.
struct SpanPlace
{
    std::size_t lane = 0; ///< into Lanes::ranks()
    bool communication = false;
    std::size_t index = 0; ///< into the track
    int stream = -1;       ///< into RankTracks::streams; −1: compute, or all communication on one track
    bool operator==(const SpanPlace&) const = default;
};

const Track& trackOf(const Lanes& lanes, const SpanPlace& place);

/// The span of an instruction: of a transfer or collective the piece in which it moves, else its wait.
/// `streams`: look on the track of its own stream rather than on the one of all communication.
std::optional<SpanPlace> findSpan(const Lanes& lanes, Rank rank, std::int32_t step,
                                  InstructionId id, bool streams = false);

/// What is known of a span, gathered from its tracks.
struct SpanDetails
{
    Rank rank;
    Coordinates at;
    std::int32_t step = 0;
    InstructionId id;
    bool communication = false;
    double begin = 0; ///< seconds; of a transfer: when bytes began to move
    double end = 0;
    double waited = 0; ///< seconds before `begin` in which the rank was held up; of a compute span: in its
                       ///< tensor collectives
    double tensorTransfer = 0; ///< compute spans: seconds their tensor collectives took to transfer
    std::int64_t bytes = 0;    ///< transfers and collectives
    std::int64_t flops = 0;    ///< compute

    double seconds() const { return end - begin; }
    /// Bytes or FLOPs a second; 0 where nothing is known. Of a compute span over the time that it computed.
    double rate() const;
};
SpanDetails detailsOf(const Lanes& lanes, const SpanPlace& place);

} // namespace triaxis

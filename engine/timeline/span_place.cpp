#include "engine/timeline/span_place.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// The pieces of an instruction that lie in a range of time: its wait, its transfer.
struct Pieces
{
    std::optional<std::size_t> wait;
    std::optional<std::size_t> transfer;
};

Pieces piecesOf(const Track& track, std::int32_t step, InstructionId id, double from, double to)
{
    Pieces pieces;
    for (std::size_t i = track.lowerBound(from); i < track.size() && track.begin(i) <= to; ++i) {
        if (track.id(i) != id || track.step(i) != step)
            continue;
        auto& piece = track.category(i) == Category::Wait ? pieces.wait : pieces.transfer;
        if (!piece)
            piece = i;
    }
    return pieces;
}

bool isOnComputeTrack(InstructionId id)
{
    return isCompute(id.kind());
}

/// The stream of a rank that an instruction ran on.
int streamOf(const RankTracks& tracks, std::int32_t step, InstructionId id, double from, double to)
{
    for (std::size_t s = 0; s < tracks.streams.size(); ++s) {
        const Pieces pieces = piecesOf(tracks.streams[s].track, step, id, from, to);
        if (pieces.wait || pieces.transfer)
            return int(s);
    }
    return -1;
}

void addCommunicationDetails(SpanDetails& details, const Lanes& lanes, const RankTracks& tracks)
{
    const auto [from, to] = lanes.stepRange(details.step);
    const int stream = streamOf(tracks, details.step, details.id, from, to);
    if (stream < 0)
        return;
    const Track& track = tracks.streams[std::size_t(stream)].track;
    const Pieces pieces = piecesOf(track, details.step, details.id, from, to);
    if (pieces.wait) {
        details.waited = track.end(*pieces.wait) - track.begin(*pieces.wait);
        details.bytes = track.amount(*pieces.wait);
        details.begin = details.end = track.end(*pieces.wait);
    }
    if (pieces.transfer) {
        details.begin = track.begin(*pieces.transfer);
        details.end = track.end(*pieces.transfer);
        details.bytes = track.amount(*pieces.transfer);
    }
}

} // namespace

const Track& trackOf(const Lanes& lanes, const SpanPlace& place)
{
    const RankTracks& rank = lanes.ranks()[place.lane];
    if (place.stream >= 0)
        return rank.streams[std::size_t(place.stream)].track;
    return place.communication ? rank.communication : rank.compute;
}

std::optional<SpanPlace> findSpan(const Lanes& lanes, Rank rank, std::int32_t step,
                                  InstructionId id, bool streams)
{
    const auto lane = lanes.laneOf(rank);
    if (!lane)
        return std::nullopt;
    const auto [from, to] = lanes.stepRange(step);
    SpanPlace place{*lane, !isOnComputeTrack(id), 0};
    if (place.communication && streams) {
        place.stream = streamOf(lanes.ranks()[*lane], step, id, from, to);
        if (place.stream < 0)
            return std::nullopt;
    }
    const Pieces pieces = piecesOf(trackOf(lanes, place), step, id, from, to);
    if (!pieces.transfer && !pieces.wait)
        return std::nullopt;
    place.index = pieces.transfer ? *pieces.transfer : *pieces.wait;
    return place;
}

double SpanDetails::rate() const
{
    const double work = double(communication ? bytes : flops);
    const double worked = communication ? seconds() : seconds() - waited - tensorTransfer;
    return work > 0 && worked > 0 ? work / worked : 0;
}

SpanDetails detailsOf(const Lanes& lanes, const SpanPlace& place)
{
    const RankTracks& tracks = lanes.ranks()[place.lane];
    const Track& track = trackOf(lanes, place);
    SpanDetails details;
    details.rank = tracks.rank;
    details.at = tracks.at;
    details.step = track.step(place.index);
    details.id = track.id(place.index);
    details.communication = place.communication;
    details.begin = track.begin(place.index);
    details.end = track.end(place.index);
    if (place.communication) {
        addCommunicationDetails(details, lanes, tracks);
        return details;
    }
    details.waited = track.tensorWait(place.index);
    details.tensorTransfer = track.tensorTransfer(place.index);
    details.flops = track.amount(place.index);
    return details;
}

} // namespace triaxis

#include "engine/timeline/display_list.h"

#include "engine/timeline/timeline_geometry.h"

namespace triaxis
{
namespace
{

constexpr double reachPixels = 2; // a span this near counts as hit

/// The span at `time`, else the nearest within `reach` seconds.
void findSpan(TimelineHit& hit, const Track& track, double time, double reach)
{
    const std::size_t next = track.lowerBound(time);
    double best = reach;
    if (next < track.size()) {
        const double distance = track.begin(next) - time;
        if (distance <= best) {
            hit.found = true;
            hit.index = next;
            best = distance;
        }
    }
    if (next > 0 && time - track.end(next - 1) < best) {
        hit.found = true;
        hit.index = next - 1;
    }
}

const Track& trackAt(const RankTracks& lane, const TimelineGeometry::RowAt& at)
{
    if (at.stream >= 0)
        return lane.streams[std::size_t(at.stream)].track;
    return at.communication ? lane.communication : lane.compute;
}

} // namespace

TimelineHit hitTest(const Lanes& lanes, const TimelineView& view, double x, double y)
{
    TimelineHit hit;
    const TimelineGeometry geometry(lanes, view);
    hit.time = geometry.timeAt(x);
    if (y < geometry.axisHeight() || lanes.ranks().empty())
        return hit;
    const auto at = geometry.rowAt(y);
    if (!at)
        return hit;
    hit.row = int(at->row);
    const LaneRow& row = geometry.rows()[at->row];
    const RankTracks& lane = lanes.ranks()[row.lane];
    hit.rank = lane.rank;
    hit.at = lane.at;
    hit.communication = at->communication;
    hit.stream = at->stream;
    if (row.kind != LaneRow::Kind::Lane || x < geometry.plotLeft() || x > view.width)
        return hit;
    findSpan(hit, trackAt(lane, *at), hit.time, reachPixels / geometry.pixelsPerSecond());
    return hit;
}

} // namespace triaxis

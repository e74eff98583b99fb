#include "engine/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double axisBand = 24;
constexpr double headingBand = 22;
constexpr double gapBetweenTracks = 3;
constexpr double topMargin = 4;

} // namespace

TimelineGeometry::TimelineGeometry(const Lanes& lanes, const TimelineView& view)
    : m_view(view), m_lanes(lanes.ranks().size())
{
    const Layout& layout = lanes.layout();
    m_perReplica = std::size_t(std::max(1, layout.tp * layout.pp));
    m_axisHeight = view.axis ? axisBand : 0;
    m_headingHeight = layout.dp > 1 ? headingBand : 0;
    m_pitch = std::max(1.0, communicationOffset() + view.communicationHeight + view.laneGap);
    m_height = m_lanes == 0 ? m_axisHeight : laneTop(m_lanes - 1) + m_pitch;
}

double TimelineGeometry::communicationOffset() const
{
    return m_view.computeHeight + (m_view.communicationHeight > 0 ? gapBetweenTracks : 0);
}

double TimelineGeometry::laneTop(std::size_t lane) const
{
    const double headings = double(lane / m_perReplica + 1) * m_headingHeight;
    return m_axisHeight + topMargin + headings + double(lane) * m_pitch;
}

double TimelineGeometry::headingMiddle(std::size_t replica) const
{
    return laneTop(replica * m_perReplica) - m_headingHeight / 2;
}

std::pair<std::size_t, std::size_t> TimelineGeometry::lanesWithin(double top, double bottom) const
{
    // laneTop grows with the lane, so both ends are found by halving.
    const auto firstBelow = [this](double y) {
        std::size_t low = 0;
        std::size_t high = m_lanes;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (laneTop(middle) < y)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    return {firstBelow(top - m_pitch), firstBelow(bottom)};
}

std::optional<TimelineGeometry::LaneAt> TimelineGeometry::laneAt(double y) const
{
    const auto [first, last] = lanesWithin(y, y + 1);
    for (std::size_t lane = first; lane < last; ++lane) {
        const double within = y - laneTop(lane);
        const double bottom = communicationOffset() + m_view.communicationHeight;
        if (within < 0 || within >= bottom)
            continue;
        const double border = (m_view.computeHeight + communicationOffset()) / 2;
        return LaneAt{lane, m_view.communicationHeight > 0 && within >= border};
    }
    return std::nullopt;
}

double TimelineGeometry::plotWidth() const
{
    return std::max(1.0, m_view.width - m_view.headerWidth);
}

double TimelineGeometry::pixelsPerSecond() const
{
    const double seconds = m_view.to - m_view.from;
    return seconds > 0 && std::isfinite(seconds) ? plotWidth() / seconds : plotWidth();
}

} // namespace triaxis

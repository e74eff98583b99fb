#pragma once

#include "engine/timeline/display_list.h"

#include <optional>

namespace triaxis
{

/// Where everything of a timeline picture lies, in pixels of the whole picture before scrolling.
/// Drawing and hit testing share it.
class TimelineGeometry
{
public:
    TimelineGeometry(const Lanes& lanes, const TimelineView& view);

    double axisHeight() const { return m_axisHeight; }
    double pitch() const { return m_pitch; }   ///< from lane to lane
    double height() const { return m_height; } ///< of all lanes with the axis
    double communicationOffset() const;        ///< from the top of a lane
    double laneTop(std::size_t lane) const;    ///< of the compute track
    bool hasHeadings() const { return m_headingHeight > 0; }
    double headingMiddle(std::size_t replica) const;
    std::size_t lanesPerReplica() const { return m_perReplica; }
    /// First and one past the last lane that touch [top, bottom).
    std::pair<std::size_t, std::size_t> lanesWithin(double top, double bottom) const;
    /// The lane under y, if any; with `communication` told apart by the middle of the gap between
    /// the tracks.
    struct LaneAt
    {
        std::size_t lane = 0;
        bool communication = false;
    };
    std::optional<LaneAt> laneAt(double y) const;

    double plotLeft() const { return m_view.headerWidth; }
    double plotWidth() const;
    double pixelsPerSecond() const;
    double xOf(double time) const { return plotLeft() + (time - m_view.from) * pixelsPerSecond(); }
    double timeAt(double x) const { return m_view.from + (x - plotLeft()) / pixelsPerSecond(); }

private:
    TimelineView m_view;
    std::size_t m_lanes = 0;
    std::size_t m_perReplica = 1;
    double m_axisHeight = 0;
    double m_headingHeight = 0;
    double m_pitch = 0;
    double m_height = 0;
};

} // namespace triaxis

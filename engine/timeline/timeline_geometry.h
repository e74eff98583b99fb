#pragma once

#include "engine/timeline/display_list.h"

#include <optional>
#include <utility>
#include <vector>

namespace triaxis
{

/// Where everything of a timeline picture lies, in pixels. "Whole" is the picture before scrolling, "shown" the
/// viewport, in which pinned rows stay where they are. Drawing and hit testing share it.
class TimelineGeometry
{
public:
    TimelineGeometry(const Lanes& lanes, const TimelineView& view);

    const std::vector<LaneRow>& rows() const { return *m_rows; }
    double axisHeight() const { return m_axisHeight; }
    double pitch() const; ///< from lane to lane
    double height() const { return m_height; } ///< of all rows with the axis
    double rowTop(std::size_t row) const { return m_tops[row]; } ///< whole
    double rowHeight(std::size_t row) const;
    double shownTop(std::size_t row) const;
    std::size_t pinnedRows() const { return m_pinned; }
    double pinnedBottom() const; ///< shown; of the axis where nothing is pinned

    double computeOffset() const { return m_computeOffset; } ///< from the top of a row
    double computeHeight(const LaneRow& row) const;
    double communicationOffset(const LaneRow& row) const;
    /// From the top of a lane's row; `stream` counts those of the rank.
    double streamOffset(int stream) const;
    double communicationOffset() const; ///< of lanes
    /// Top of the compute track of a lane in the whole picture; of its group where it is collapsed. −1: not shown.
    double laneTop(std::size_t lane) const;
    /// The row of a lane; none where it is hidden or in a collapsed group.
    std::optional<std::size_t> rowOfLane(std::size_t lane) const;

    /// First and one past the last row that is not pinned and touches [top, bottom) of the whole picture.
    std::pair<std::size_t, std::size_t> rowsWithin(double top, double bottom) const;
    /// The row under a y of the viewport, if any. Tracks are told apart by the middle of the gap between them.
    struct RowAt
    {
        std::size_t row = 0;
        bool communication = false;
        int stream = -1;
    };
    std::optional<RowAt> rowAt(double y) const;

    double plotLeft() const { return m_view.headerWidth; }
    double plotWidth() const;
    double pixelsPerSecond() const;
    double xOf(double time) const { return plotLeft() + (time - m_view.from) * pixelsPerSecond(); }
    double timeAt(double x) const { return m_view.from + (x - plotLeft()) / pixelsPerSecond(); }

private:
    double communicationHeight(const LaneRow& row) const;
    RowAt within(std::size_t row, double y) const;

    TimelineView m_view;
    const Lanes& m_lanes;
    std::shared_ptr<const std::vector<LaneRow>> m_rows;
    std::vector<double> m_tops; ///< [row], and where the next would begin
    std::size_t m_pinned = 0;
    double m_axisHeight = 0;
    double m_computeOffset = 0;
    double m_height = 0;
};

} // namespace triaxis

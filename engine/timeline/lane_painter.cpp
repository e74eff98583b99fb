#include "engine/timeline/lane_painter.h"

#include "engine/timeline/aggregate_painter.h"
#include "engine/timeline/lane_label.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr double twoLinePitch = 30; // lanes at least so tall have their rank on a line of its own
constexpr double smallestText = 8;
constexpr double labelMargin = 10;
constexpr double leastHeader = 40; // narrower ones have no room for labels
constexpr double headingSize = 11;
constexpr double headingIndent = 14; // room for the mark of an open or collapsed group
constexpr double flagRoom = 12;      // of the warning sign before a name
constexpr const char* flagSign = "▲";

class RowPainter
{
public:
    RowPainter(DisplayList& list, std::vector<ListedColumns>* stacks, const Lanes& lanes,
               const TimelineView& view, const TimelineGeometry& geometry)
        : m_list(list), m_stacks(stacks), m_lanes(lanes), m_view(view), m_geometry(geometry)
    {
    }

    void lane(const LaneRow& row, double top, bool labelled)
    {
        const RankTracks& lane = m_lanes.ranks()[row.lane];
        TrackFrame frame = frameAt(top + m_geometry.computeOffset(), m_view.computeHeight);
        frame.labels = m_view.computeHeight >= smallestText + 2;
        if (m_view.colourBy)
            frame.member = memberInk(coordinateOf(lane.at, *m_view.colourBy));
        addIdle(frame);
        paintTrack(m_list, lane.compute, frame);
        addPrediction(lane, top);
        addCommunication(lane, row, top);
        if (labelled && m_view.headerWidth >= leastHeader)
            addLaneLabel(lane, top);
    }

    GroupColumns columns(const LaneRow& row, const MergedGroups::Group* merged) const
    {
        std::vector<const Track*> tracks;
        for (const std::size_t lane : row.lanes)
            tracks.push_back(&m_lanes.ranks()[lane].compute);
        GroupColumns group{
            aggregateColumns(tracks, frameAt(0, 1), merged ? &merged->compute : nullptr), {}};
        if (!(m_view.communicationHeight > 0))
            return group;
        for (std::size_t i = 0; i < row.lanes.size(); ++i)
            tracks[i] = &m_lanes.ranks()[row.lanes[i]].communication;
        group.communication =
            aggregateColumns(tracks, frameAt(0, 1), merged ? &merged->communication : nullptr);
        return group;
    }

    void group(const LaneRow& row, double top, const GroupColumns& columns)
    {
        TrackFrame frame = frameAt(top + m_geometry.computeOffset(), m_geometry.computeHeight(row));
        addIdle(frame);
        paintAggregate(m_list, m_stacks, columns.compute, row.lanes.size(), frame);
        if (m_view.communicationHeight > 0) {
            frame = frameAt(top + m_geometry.communicationOffset(row), m_view.communicationHeight);
            paintAggregate(m_list, m_stacks, columns.communication, row.lanes.size(), frame);
        }
        heading(row, top + m_geometry.computeOffset() + headingSize / 2 + 3, true);
        if (m_view.headerWidth < leastHeader)
            return;
        const std::string count =
            std::to_string(row.lanes.size()) + (row.lanes.size() == 1 ? " rank" : " ranks");
        m_list.items.emplace_back(DrawText{headingIndent,
                                           top + m_geometry.computeOffset() + headingSize * 1.5 + 8,
                                           count, Ink::MutedText, 10, Align::Left});
    }

    void heading(const LaneRow& row, double middle, bool collapsed)
    {
        const double arm = 3;
        const double x = 5;
        Polyline mark{{}, Ink::MutedText, 1.4};
        if (collapsed)
            mark.points = {
                {x - arm / 2, middle - arm}, {x + arm / 2, middle}, {x - arm / 2, middle + arm}};
        else
            mark.points = {
                {x - arm, middle - arm / 2}, {x, middle + arm / 2}, {x + arm, middle - arm / 2}};
        // In a still picture nothing can be opened.
        const bool marked = m_view.rows && m_view.headerWidth >= leastHeader;
        if (marked)
            m_list.items.emplace_back(std::move(mark));
        if (middle - headingSize / 2 < m_list.height)
            m_list.items.emplace_back(DrawText{marked ? headingIndent : 0, middle,
                                               groupName(row.axis, row.group), Ink::Text,
                                               headingSize, Align::Left, true});
        const bool flagged =
            std::any_of(row.lanes.begin(), row.lanes.end(),
                        [this](std::size_t lane) { return isFlagged(m_lanes.ranks()[lane].rank); });
        if (collapsed && flagged)
            addFlag(headingIndent + textWidth(groupName(row.axis, row.group), headingSize) + 8,
                    middle);
    }

private:
    TrackFrame frameAt(double top, double height) const
    {
        TrackFrame frame;
        frame.left = m_geometry.plotLeft();
        frame.top = top;
        frame.width = m_geometry.plotWidth();
        frame.height = height;
        frame.from = m_view.from;
        frame.to = m_view.to;
        return frame;
    }

    void addIdle(const TrackFrame& frame)
    {
        m_list.items.emplace_back(FillRect{frame.left, frame.top, frame.width, frame.height,
                                           Ink::Idle, std::min(2.0, frame.height / 8)});
    }

    void addPrediction(const RankTracks& lane, double top)
    {
        if (!m_view.predicted)
            return;
        const Lanes& predicted = *m_view.predicted;
        const auto at = predicted.laneOf(lane.rank);
        if (!at)
            return;
        TrackFrame frame = frameAt(top, m_view.predictedHeight);
        frame.opacity = predictedOpacity;
        frame.labels = m_view.predictedHeight >= smallestText + 2;
        for (const auto& [step, range] : predicted.stepRanges()) {
            const double from = std::max(range.first, m_view.from);
            const double to = std::min(range.second, m_view.to);
            if (to > from)
                m_list.items.emplace_back(FillRect{
                    m_geometry.xOf(from), frame.top, m_geometry.xOf(to) - m_geometry.xOf(from),
                    frame.height, Ink::Idle, 0, false, predictedOpacity});
        }
        paintTrack(m_list, predicted.ranks()[*at].compute, frame);
    }

    void addCommunication(const RankTracks& lane, const LaneRow& row, double top)
    {
        if (!(m_view.communicationHeight > 0))
            return;
        TrackFrame frame =
            frameAt(top + m_geometry.communicationOffset(row), m_view.communicationHeight);
        if (!m_view.streams) {
            paintTrack(m_list, lane.communication, frame);
            return;
        }
        for (std::size_t s = 0; s < lane.streams.size(); ++s) {
            frame.top = top + m_geometry.streamOffset(int(s));
            paintTrack(m_list, lane.streams[s].track, frame);
            if (m_view.headerWidth >= leastHeader && frame.height >= smallestText)
                m_list.items.emplace_back(DrawText{
                    m_geometry.plotLeft() - labelMargin, frame.top + frame.height / 2,
                    toText(lane.streams[s].lane), Ink::MutedText, smallestText, Align::Right});
        }
    }

    bool isFlagged(Rank rank) const { return m_view.flagged && m_view.flagged->count(rank) > 0; }

    void addFlag(double x, double middle)
    {
        m_list.items.emplace_back(DrawText{x, middle, flagSign, Ink::Data, 10, Align::Left});
    }

    std::string placeOf(Rank rank) const
    {
        const auto at = std::size_t(rank.value);
        return m_view.places && at < m_view.places->size() ? (*m_view.places)[at] : std::string();
    }

    void addLaneLabel(const RankTracks& lane, double top)
    {
        const double right = m_geometry.plotLeft() - labelMargin;
        const double middle = top + m_geometry.computeOffset() + m_view.computeHeight / 2;
        const bool twoLines = m_geometry.pitch() >= twoLinePitch && !m_view.streams;
        const double size = twoLines ? 11 : std::clamp(m_geometry.pitch() - 2, smallestText, 11.0);
        const double flag = isFlagged(lane.rank) ? flagRoom : 0;
        const std::vector<std::string> lines = laneLabel(lane.at, lane.rank, placeOf(lane.rank),
                                                         twoLines ? 2 : 1, right - 2 - flag, size);
        if (flag > 0)
            addFlag(2, middle);
        m_list.items.emplace_back(DrawText{right, middle, lines[0], Ink::Text, size, Align::Right});
        if (lines.size() < 2)
            return;
        const double below = std::max(
            top + m_geometry.communicationOffset() + m_view.communicationHeight / 2, middle + 13);
        m_list.items.emplace_back(
            DrawText{right, below, lines[1], Ink::MutedText, 10, Align::Right});
    }

    DisplayList& m_list;
    std::vector<ListedColumns>* m_stacks;
    const Lanes& m_lanes;
    const TimelineView& m_view;
    const TimelineGeometry& m_geometry;
};

} // namespace

GroupColumns columnsOf(const Lanes& lanes, const TimelineView& view,
                       const TimelineGeometry& geometry, const LaneRow& row,
                       const MergedGroups::Group* merged)
{
    DisplayList none;
    return RowPainter(none, nullptr, lanes, view, geometry).columns(row, merged);
}

void paintRow(DisplayList& list, std::vector<ListedColumns>* stacks, const Lanes& lanes,
              const TimelineView& view, const TimelineGeometry& geometry, std::size_t row,
              double top, bool labelled, const GroupColumns& group)
{
    const LaneRow& shown = geometry.rows()[row];
    RowPainter painter(list, stacks, lanes, view, geometry);
    switch (shown.kind) {
    case LaneRow::Kind::Heading:
        painter.heading(shown, top + geometry.rowHeight(row) / 2, false);
        return;
    case LaneRow::Kind::Lane:
        painter.lane(shown, top, labelled);
        return;
    case LaneRow::Kind::Group:
        painter.group(shown, top, group);
        return;
    }
}

std::string groupName(Axis axis, int coordinate)
{
    switch (axis) {
    case Axis::Data:
        return "data " + std::to_string(coordinate);
    case Axis::Tensor:
        return "tensor " + std::to_string(coordinate);
    case Axis::Pipeline:
        return "stage " + std::to_string(coordinate);
    }
    return {};
}

Ink memberInk(int coordinate)
{
    constexpr Ink inks[] = {Ink::Forward, Ink::Data,           Ink::Backward, Ink::Pipeline,
                            Ink::Tensor,  Ink::WeightGradient, Ink::Optimizer};
    return inks[std::size_t(coordinate < 0 ? 0 : coordinate) % std::size(inks)];
}

} // namespace triaxis

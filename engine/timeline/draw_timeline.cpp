#include "engine/timeline/display_list.h"

#include "engine/core/parallel.h"
#include "engine/timeline/lane_painter.h"
#include "engine/timeline/live_timeline.h"
#include "engine/timeline/time_axis.h"
#include "engine/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double smallestText = 8;
constexpr double headingReach = 24;

void addHint(DisplayList& list, const TimelineView& view, const char* text)
{
    list.items.emplace_back(
        DrawText{view.width / 2, list.height / 2, text, Ink::MutedText, 12, Align::Centre});
}

bool hasRange(const TimelineView& view)
{
    return std::isfinite(view.from) && std::isfinite(view.to) && view.to > view.from;
}

constexpr double emptyHeight = 64;

class TimelinePainter
{
public:
    /// `groups` and `stacks`: both, or neither.
    TimelinePainter(DisplayList& list, const Lanes& lanes, const TimelineView& view,
                    MergedGroups* groups, std::vector<ListedColumns>* stacks)
        : m_list(list), m_lanes(lanes), m_view(view), m_groups(groups), m_stacks(stacks),
          m_geometry(lanes, view)
    {
    }

    void paint()
    {
        drawGrid(m_list, m_lanes, m_view, m_geometry,
                 std::min(m_list.height, m_geometry.height() - m_view.scrollY));
        addScrolledRows();
        addPinnedRows();
        if (m_view.axis)
            drawAxis(m_list, m_lanes, m_view, m_geometry);
    }

private:
    /// Columns of the collapsed groups among rows [first, last), side by side where there is much
    /// to sum up; by row.
    std::vector<GroupColumns> groupColumns(std::size_t first, std::size_t last) const
    {
        constexpr double worthThreads = 50'000; // columns of single tracks
        std::vector<GroupColumns> groups(last - first);
        std::vector<std::size_t> rows;
        std::vector<const MergedGroups::Group*> merged;
        std::size_t tracks = 0;
        for (std::size_t row = first; row < last; ++row) {
            const LaneRow& shown = m_geometry.rows()[row];
            if (shown.kind != LaneRow::Kind::Group)
                continue;
            rows.push_back(row);
            merged.push_back(m_groups ? &m_groups->of(shown.lanes) : nullptr);
            tracks += 2 * shown.lanes.size();
        }
        const auto sumUp = [&](std::size_t i) {
            groups[rows[i] - first] =
                columnsOf(m_lanes, m_view, m_geometry, m_geometry.rows()[rows[i]], merged[i]);
        };
        if (double(tracks) * m_geometry.plotWidth() >= worthThreads)
            inParallel(rows.size(), sumUp);
        else
            for (std::size_t i = 0; i < rows.size(); ++i)
                sumUp(i);
        return groups;
    }

    void addRow(std::size_t row, double top, bool labelled, const GroupColumns& group)
    {
        paintRow(m_list, m_stacks, m_lanes, m_view, m_geometry, row, top, labelled, group);
    }

    void addScrolledRows()
    {
        // A heading stands above its first lane and may be in sight without it.
        const auto [first, last] =
            m_geometry.rowsWithin(m_view.scrollY + m_geometry.pinnedBottom() - headingReach,
                                  m_view.scrollY + m_list.height);
        const std::vector<GroupColumns> groups = groupColumns(first, last);
        double labelBottom = -1e300;
        for (std::size_t row = first; row < last; ++row) {
            const double top = m_geometry.shownTop(row);
            const bool labelled = top >= labelBottom;
            addRow(row, top, labelled, groups[row - first]);
            if (labelled && m_geometry.rows()[row].kind == LaneRow::Kind::Lane)
                labelBottom = top + smallestText + 2;
        }
    }

    void addPinnedRows()
    {
        if (m_geometry.pinnedRows() == 0)
            return;
        const double bottom = m_geometry.pinnedBottom();
        const std::vector<GroupColumns> groups = groupColumns(0, m_geometry.pinnedRows());
        m_list.items.emplace_back(FillRect{0, 0, m_view.width, bottom, Ink::Background});
        for (std::size_t row = 0; row < m_geometry.pinnedRows(); ++row)
            addRow(row, m_geometry.shownTop(row), true, groups[row]);
        m_list.items.emplace_back(
            StrokeLine{0, bottom - 0.5, m_view.width, bottom - 0.5, Ink::Line, 1});
    }

    DisplayList& m_list;
    const Lanes& m_lanes;
    const TimelineView& m_view;
    MergedGroups* m_groups;
    std::vector<ListedColumns>* m_stacks;
    TimelineGeometry m_geometry;
};

void draw(DisplayList& list, const Lanes& lanes, const TimelineView& view, MergedGroups* groups,
          std::vector<ListedColumns>* stacks)
{
    list.items.clear();
    list.width = view.width;
    list.height = view.height < 0 ? timelineHeight(lanes, view) : view.height;
    if (lanes.stepRanges().empty() || !hasRange(view)) {
        addHint(list, view, lanes.stepRanges().empty() ? "No spans recorded yet" : "No time range");
        return;
    }
    TimelinePainter(list, lanes, view, groups, stacks).paint();
}

/// Cuts the list where columns belong between its items.
std::vector<LiveTimeline::Part> partsOf(DisplayList list, std::vector<ListedColumns> stacks)
{
    std::vector<LiveTimeline::Part> parts;
    std::size_t taken = 0;
    for (ListedColumns& stack : stacks) {
        LiveTimeline::Part part{{list.width, list.height, {}}, std::move(stack.columns)};
        for (; taken < stack.after; ++taken)
            part.items.items.push_back(std::move(list.items[taken]));
        parts.push_back(std::move(part));
    }
    list.items.erase(list.items.begin(), list.items.begin() + std::ptrdiff_t(taken));
    parts.push_back({std::move(list), {}});
    return parts;
}

} // namespace

double timelineHeight(const Lanes& lanes, const TimelineView& view)
{
    if (lanes.ranks().empty() || lanes.stepRanges().empty())
        return emptyHeight;
    return TimelineGeometry(lanes, view).height();
}

void drawTimeline(DisplayList& list, const Lanes& lanes, const TimelineView& view)
{
    draw(list, lanes, view, nullptr, nullptr);
}

void drawTimeline(LiveTimeline& picture, const Lanes& lanes, const TimelineView& view)
{
    // The memory of a list without columns is used again.
    DisplayList list;
    if (!picture.parts.empty())
        list = std::move(picture.parts.back().items);
    std::vector<ListedColumns> stacks;
    draw(list, lanes, view, &picture.groups, &stacks);
    picture.parts = partsOf(std::move(list), std::move(stacks));
}

DisplayList drawTimeline(const Lanes& lanes, const TimelineView& view)
{
    DisplayList list;
    drawTimeline(list, lanes, view);
    return list;
}

} // namespace triaxis

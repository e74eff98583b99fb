#include "ui/widgets/lane_view.h"

#include "engine/timeline/timeline_geometry.h"
#include "ui/theme/fonts.h"

#include <QAccessible>
#include <QScrollBar>

#include <algorithm>

// Walking from span to span, from lane to lane, and along the data.

namespace triaxis::ui
{

void LaneView::setFocusedSpan(std::optional<SpanPlace> place)
{
    m_focus = place;
    m_focusGroup.reset();
    setAccessibleDescription(m_focus ? describe(*m_lanes, *m_focus) : QString());
    tellFocus();
    viewport()->update();
    emit focusChanged();
}

void LaneView::setFocusedGroup(std::optional<int> group)
{
    setFocusedSpan(std::nullopt);
    m_focusGroup = group;
    viewport()->update();
}

/// A reader speaks the lane that has the focus now, and its new value.
void LaneView::tellFocus()
{
    if (!m_focus || !QAccessible::isActive())
        return;
    QAccessibleEvent moved(this, QAccessible::Focus);
    moved.setChild(int(m_focus->lane) * 2 + (m_focus->communication ? 1 : 0));
    QAccessible::updateAccessibility(&moved);
    QAccessibleValueChangeEvent changed(this, describe(*m_lanes, *m_focus));
    QAccessible::updateAccessibility(&changed);
}

void LaneView::focusSpan(const SpanPlace& place)
{
    if (!m_lanes || place.lane >= m_lanes->ranks().size() ||
        place.index >= trackOf(*m_lanes, place).size())
        return;
    setFocusedSpan(place);
    reveal(place);
}

/// Moves the window, and scrolls, as little as it takes to see the span.
void LaneView::reveal(const SpanPlace& place)
{
    const Track& track = trackOf(*m_lanes, place);
    const double begin = track.begin(place.index);
    const double end = track.end(place.index);
    if (begin < window().from || end > window().to)
        m_range->moveTo(window().moved((begin + end) / 2 - (window().from + window().to) / 2));
    const TimelineGeometry geometry(*m_lanes, view());
    if (const auto row = geometry.rowOfLane(place.lane))
        revealRow(*row);
}

void LaneView::revealRow(std::size_t row)
{
    const TimelineGeometry geometry(*m_lanes, view());
    if (row < geometry.pinnedRows())
        return;
    const double top = geometry.shownTop(row) * fontScale();
    const double bottom = top + geometry.rowHeight(row) * fontScale();
    const double first = geometry.pinnedBottom() * fontScale();
    QScrollBar* bar = verticalScrollBar();
    if (top < first)
        bar->setValue(bar->value() - int(first - top) - 1);
    else if (bottom > viewport()->height())
        bar->setValue(bar->value() + int(bottom - viewport()->height()) + 1);
}

void LaneView::stepFocus(int direction)
{
    if (!m_lanes || !m_rows || m_lanes->ranks().empty())
        return;
    SpanPlace place;
    if (m_focus) {
        place = *m_focus;
    } else {
        const auto first = std::find_if(m_rows->begin(), m_rows->end(), [](const LaneRow& row) {
            return row.kind == LaneRow::Kind::Lane;
        });
        if (first == m_rows->end())
            return;
        place.lane = first->lane;
    }
    const Track& track = trackOf(*m_lanes, place);
    if (track.size() == 0)
        return;
    if (!m_focus)
        place.index = std::min(track.lowerBound(window().from), track.size() - 1);
    else if (direction > 0)
        place.index = std::min(place.index + 1, track.size() - 1);
    else
        place.index = place.index > 0 ? place.index - 1 : 0;
    focusSpan(place);
}

std::vector<LaneView::Stop> LaneView::stops() const
{
    std::vector<Stop> all;
    for (std::size_t row = 0; row < m_rows->size(); ++row) {
        const LaneRow& shown = (*m_rows)[row];
        if (shown.kind != LaneRow::Kind::Lane) {
            all.push_back({row, true, {}});
            continue;
        }
        all.push_back({row, false, {shown.lane, false, 0}});
        const auto& streams = m_lanes->ranks()[shown.lane].streams;
        if (!m_streams)
            all.push_back({row, false, {shown.lane, true, 0}});
        for (int s = 0; m_streams && s < int(streams.size()); ++s)
            all.push_back({row, false, {shown.lane, true, 0, s}});
    }
    return all;
}

void LaneView::moveFocusLane(int direction)
{
    if (!m_lanes || !m_rows || m_lanes->ranks().empty())
        return;
    const std::vector<Stop> all = stops();
    if (!m_focus && !m_focusGroup) {
        stepFocus(1);
        if (!m_focus && !all.empty() && all.front().heading)
            setFocusedGroup((*m_rows)[all.front().row].group);
        return;
    }
    const auto here = std::find_if(all.begin(), all.end(), [&](const Stop& stop) {
        if (stop.heading)
            return m_focusGroup == (*m_rows)[stop.row].group;
        return m_focus && stop.place.lane == m_focus->lane &&
               stop.place.communication == m_focus->communication &&
               stop.place.stream == m_focus->stream;
    });
    if (here == all.end()) {
        setFocusedSpan(std::nullopt);
        return;
    }
    const double time = m_focus ? trackOf(*m_lanes, *m_focus).begin(m_focus->index)
                                : (window().from + window().to) / 2;
    for (auto to = here - all.begin() + direction; to >= 0 && to < std::ptrdiff_t(all.size());
         to += direction) {
        Stop stop = all[std::size_t(to)];
        if (stop.heading) {
            setFocusedGroup((*m_rows)[stop.row].group);
            revealRow(stop.row);
            return;
        }
        const Track& track = trackOf(*m_lanes, stop.place);
        if (track.size() == 0)
            continue;
        stop.place.index = std::min(track.lowerBound(time), track.size() - 1);
        setFocusedSpan(stop.place);
        revealRow(stop.row);
        return;
    }
}

void LaneView::followFlow(bool forward)
{
    if (!m_focus || !m_partners || !m_lanes)
        return;
    const Track& track = trackOf(*m_lanes, *m_focus);
    const Rank rank = m_lanes->ranks()[m_focus->lane].rank;
    const InstructionId id = track.id(m_focus->index);
    const std::int32_t step = track.step(m_focus->index);
    std::optional<RankInstruction> end{{rank, id}};
    // What lies hidden behind other communication everywhere is passed over.
    for (std::optional<SpanPlace> place; !place;) {
        end = forward ? m_partners->next(end->rank, end->id)
                      : m_partners->previous(end->rank, end->id);
        if (!end)
            return;
        place = findSpan(*m_lanes, end->rank, step, end->id, m_streams);
        if (!place)
            place = findSpan(*m_lanes, end->rank, step, end->id, true);
        if (place) {
            focusSpan(*place);
            return;
        }
    }
}

void LaneView::selectFocusedSpan()
{
    if (!m_focus)
        return;
    const Track& track = trackOf(*m_lanes, *m_focus);
    m_range->select(TimeWindow{track.begin(m_focus->index), track.end(m_focus->index)});
}

std::optional<Rank> LaneView::focusedRank() const
{
    if (!m_focus || !m_lanes)
        return std::nullopt;
    return m_lanes->ranks()[m_focus->lane].rank;
}

void LaneView::togglePin()
{
    const auto rank = focusedRank();
    if (!rank)
        return;
    m_arrangement.togglePinned(*rank);
    arrangementEdited();
    reveal(*m_focus);
}

void LaneView::hideLane()
{
    const auto rank = focusedRank();
    if (!rank)
        return;
    m_arrangement.hidden.insert(*rank);
    std::erase(m_arrangement.pinned, *rank);
    setFocusedSpan(std::nullopt);
    arrangementEdited();
}

void LaneView::showAllLanes()
{
    m_arrangement.hidden.clear();
    for (auto& only : m_arrangement.only)
        only.clear();
    arrangementEdited();
}

void LaneView::toggleGroup()
{
    if (!m_lanes || !m_arrangement.group)
        return;
    int group = 0;
    if (m_focusGroup)
        group = *m_focusGroup;
    else if (m_focus)
        group = coordinateOf(m_lanes->ranks()[m_focus->lane].at, *m_arrangement.group);
    else
        return;
    m_arrangement.toggleCollapsed(group);
    arrangementEdited();
    setFocusedGroup(group);
}

void LaneView::toggleAllGroups()
{
    if (!m_lanes || !m_arrangement.group)
        return;
    const int groups = sizeOf(m_lanes->layout(), *m_arrangement.group);
    const bool open = !m_arrangement.collapsed.empty();
    m_arrangement.collapsed.clear();
    for (int group = 0; !open && group < groups; ++group)
        m_arrangement.collapsed.insert(group);
    setFocusedSpan(std::nullopt);
    arrangementEdited();
}

} // namespace triaxis::ui

#include "ui/base/text.h"
#include "ui/plan/axis_name.h"
#include "ui/plan/floor_view.h"

#include <QApplication>

#include <algorithm>
#include <numeric>

namespace triaxis::ui
{
namespace
{

/// A rank on a device that was free. Empty again where each rank is on its own device.
std::vector<int> movedPlacement(std::vector<int> placement, int ranks, int rank, int device)
{
    if (int(placement.size()) != ranks) {
        placement.resize(std::size_t(ranks));
        std::iota(placement.begin(), placement.end(), 0);
    }
    if (rank >= 0 && rank < ranks)
        placement[std::size_t(rank)] = device;
    for (int other = 0; other < ranks; ++other)
        if (placement[std::size_t(other)] != other)
            return placement;
    return {};
}

} // namespace

QString FloorView::wordsFor(const FloorProposal& proposal) const
{
    if (proposal.swap)
        return tr("swap ranks %1 and %2").arg(proposal.swap->first).arg(proposal.swap->second);
    const AxisSizes& sizes = proposal.sizes;
    const Axis axis = m_gesture ? m_gesture->axis : Axis::Data;
    if (proposal.by == FloorProposal::By::Swap) {
        const bool moved = m_gesture && proposal.placement != m_gesture->base.placement;
        return moved ? tr("move the rank to this free device")
                     : tr("drop on another rank or on a free device");
    }
    QString text = QStringLiteral("%1 %2 · %3×%4×%5, %6")
                       .arg(axisName(axis))
                       .arg(sizes.of(axis))
                       .arg(sizes.dp)
                       .arg(sizes.tp)
                       .arg(sizes.pp)
                       .arg(sizes.product());
    const int devices = m_floor.realDevices();
    if (sizes.product() <= devices)
        text += tr(" of %1").arg(counted(devices, m_floor.model().deviceNoun));
    return text;
}

void FloorView::startGesture(Gesture gesture)
{
    emit drawingBegins();
    gesture.id = ++m_gestures;
    gesture.base = {gesture.by, gesture.axis, sizesOf(m_floor.layout()), m_floor.model().placement,
                    std::nullopt};
    gesture.latest = gesture.base;
    if (gesture.by == FloorProposal::By::Swap) {
        for (int rank = 0; rank < m_floor.layout().ranks(); ++rank)
            gesture.deviceOfRank.push_back(m_floor.deviceOf(Rank(rank)));
    }
    gesture.geometry = m_geometry;
    gesture.zoom = m_zoom;
    gesture.origin = origin();
    m_gesture = std::move(gesture);
}

void FloorView::beginStretch(FloorProposal::By by, Axis axis, int device, const QPointF& at)
{
    Gesture gesture;
    gesture.by = by;
    gesture.axis = axis;
    gesture.first = gesture.last = device;
    gesture.press = gesture.at = at;
    startGesture(std::move(gesture));
}

void FloorView::beginSwap(int device, const QPointF& at)
{
    if (!m_floor.rankAt(device)) {
        tell(tr("no rank here to be moved: drag one here instead"));
        return;
    }
    Gesture gesture;
    gesture.by = FloorProposal::By::Swap;
    gesture.first = gesture.last = device;
    gesture.press = gesture.at = at;
    startGesture(std::move(gesture));
}

void FloorView::dragTo(const QPointF& position)
{
    Gesture& gesture = *m_gesture;
    gesture.at = position;
    if ((position - gesture.press).manhattanLength() >= QApplication::startDragDistance() / 2.0)
        gesture.moved = true;
    if (!gesture.moved)
        return;
    viewport()->update();
    gesture.last = gesture.geometry.deviceNear((position - gesture.origin) / gesture.zoom);
    FloorProposal proposal = gesture.base;
    if (gesture.by != FloorProposal::By::Swap) {
        const int wish = draggedSize(gesture.base.sizes, gesture.axis, gesture.first, gesture.last);
        proposal.sizes = stretched(gesture.base.sizes, gesture.axis, wish, limits());
        if (proposal.sizes != gesture.base.sizes)
            proposal.placement.clear();
        propose(proposal);
        return;
    }
    const auto rankAtStart = [&](int device) {
        const auto place =
            std::find(gesture.deviceOfRank.begin(), gesture.deviceOfRank.end(), device);
        return place == gesture.deviceOfRank.end() ? -1 : int(place - gesture.deviceOfRank.begin());
    };
    gesture.last = std::min(gesture.last, m_floor.devices() - 1);
    const int first = rankAtStart(gesture.first);
    const int second = rankAtStart(gesture.last);
    if (second >= 0 && second != first) {
        proposal.swap = FloorProposal::Swap{first, second};
        proposal.placement = swappedPlacement(gesture.base.placement,
                                              int(gesture.base.sizes.product()), first, second);
    } else if (second < 0 && first >= 0 && gesture.last < m_floor.realDevices()) {
        proposal.placement = movedPlacement(gesture.base.placement,
                                            int(gesture.base.sizes.product()), first, gesture.last);
    } else {
        gesture.last = gesture.first;
    }
    propose(proposal);
    if (second < 0 && proposal.placement == gesture.base.placement)
        tell(tr("the cluster has no such device: a rank cannot be moved there"));
}

void FloorView::propose(const FloorProposal& proposal)
{
    if (proposal == m_gesture->latest)
        return;
    m_gesture->latest = proposal;
    m_gesture->emitted = true;
    tell(wordsFor(proposal));
    emit proposed(proposal, m_gesture->id);
}

void FloorView::endGesture()
{
    m_gesture.reset();
    if (m_shrunk) {
        FloorModel model = std::move(*m_shrunk);
        m_shrunk.reset();
        setModel(std::move(model));
        return;
    }
    rebuild();
    refresh();
}

void FloorView::finishGesture()
{
    const Gesture gesture = *m_gesture;
    endGesture();
    if (gesture.emitted)
        emit finished(gesture.id);
}

void FloorView::cancel()
{
    if (!m_gesture)
        return;
    const Gesture gesture = *m_gesture;
    if (gesture.emitted && gesture.latest != gesture.base)
        emit proposed(gesture.base, gesture.id);
    endGesture();
    if (gesture.emitted) {
        tell(tr("cancelled"));
        emit cancelled(gesture.id);
    }
}

void FloorView::stepAxis(Axis axis, int steps)
{
    cancel();
    Gesture gesture;
    gesture.axis = axis;
    startGesture(std::move(gesture));
    FloorProposal proposal = m_gesture->base;
    proposal.sizes = stepped(proposal.sizes, axis, steps, limits());
    if (proposal.sizes != m_gesture->base.sizes)
        proposal.placement.clear();
    propose(proposal);
    finishGesture();
}

void FloorView::swapByKey()
{
    if (!m_selected)
        return;
    const auto rank = m_floor.rankAt(*m_selected);
    const bool isReal = *m_selected < m_floor.realDevices();
    if (!rank && (!m_marked || !isReal)) {
        tell(isReal ? tr("no rank here: mark one first, then move it here")
                    : tr("the cluster has no such device"));
        return;
    }
    if (rank && (!m_marked || *m_marked == rank->value)) {
        m_marked = m_marked ? std::nullopt : std::optional(rank->value);
        tell(m_marked ? tr("rank %1 marked to be swapped").arg(rank->value)
                      : tr("rank %1 no longer marked").arg(rank->value));
        viewport()->update();
        return;
    }
    const int first = *m_marked;
    m_marked.reset();
    Gesture gesture;
    gesture.by = FloorProposal::By::Swap;
    startGesture(std::move(gesture));
    FloorProposal proposal = m_gesture->base;
    const int ranks = m_floor.layout().ranks();
    if (rank) {
        proposal.swap = FloorProposal::Swap{first, rank->value};
        proposal.placement = swappedPlacement(proposal.placement, ranks, first, rank->value);
    } else {
        proposal.placement = movedPlacement(proposal.placement, ranks, first, *m_selected);
    }
    propose(proposal);
    finishGesture();
}

} // namespace triaxis::ui

#include "ui/widgets/lane_view_accessible.h"

#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/widgets/lane_statistics.h"
#include "ui/widgets/lane_view.h"

namespace triaxis::ui
{
namespace
{

std::size_t laneOf(int item)
{
    return std::size_t(item / 2);
}

bool isCommunication(int item)
{
    return item % 2 == 1;
}

} // namespace

LaneViewAccessible::LaneViewAccessible(LaneView* view)
    : AccessibleList(view, QAccessible::Table, QAccessible::Row)
{
}

QAccessibleInterface* LaneViewAccessible::make(const QString&, QObject* object)
{
    auto* view = qobject_cast<LaneView*>(object);
    return view ? new LaneViewAccessible(view) : nullptr;
}

LaneView* LaneViewAccessible::view() const
{
    return static_cast<LaneView*>(object());
}

int LaneViewAccessible::itemCount() const
{
    return view()->lanes() ? int(view()->lanes()->ranks().size()) * 2 : 0;
}

QRect LaneViewAccessible::itemRect(int item) const
{
    return view()->laneRect(laneOf(item), isCommunication(item)).toAlignedRect();
}

QString LaneViewAccessible::itemText(int item, QAccessible::Text kind) const
{
    switch (kind) {
    case QAccessible::Name:
        return name(item);
    case QAccessible::Value:
        return item == focusedItem() ? value() : spansShown(item);
    default:
        return {};
    }
}

QString LaneViewAccessible::name(int item) const
{
    const RankTracks& tracks = view()->lanes()->ranks()[laneOf(item)];
    const auto flag = view()->flags().find(tracks.rank);
    return Words::tr("rank %1, data %2, pipeline %3, tensor %4: %5%6")
        .arg(tracks.rank.value)
        .arg(tracks.at.data)
        .arg(tracks.at.pipeline)
        .arg(tracks.at.tensor)
        .arg(isCommunication(item) ? Words::tr("communication") : Words::tr("compute"),
             flag == view()->flags().end() ? QString() : QStringLiteral(", ") + flag->second);
}

QString LaneViewAccessible::spansShown(int item) const
{
    const Track& track = trackOf(*view()->lanes(), {laneOf(item), isCommunication(item), 0});
    const TimeWindow& window = view()->window();
    std::size_t last = track.lowerBound(window.to);
    if (last < track.size() && track.begin(last) < window.to)
        ++last;
    return counted(int(last - track.lowerBound(window.from)), QStringLiteral("span"));
}

int LaneViewAccessible::focusedItem() const
{
    const auto focus = view()->focusedSpan();
    return focus ? int(focus->lane) * 2 + (focus->communication ? 1 : 0) : -1;
}

QString LaneViewAccessible::value() const
{
    const auto focus = view()->focusedSpan();
    return focus ? triaxis::ui::describe(*view()->lanes(), *focus) : QString();
}

} // namespace triaxis::ui

#include "ui/widgets/lane_view_accessible.h"

#include "ui/base/text.h"
#include "ui/widgets/lane_view.h"

#include <QPointer>

namespace triaxis::ui
{
namespace
{

/// One track of one rank.
class LaneAccessible : public QAccessibleInterface
{
public:
    LaneAccessible(LaneView* view, int index) : m_view(view), m_index(index) {}

    int index() const { return m_index; }

    bool isValid() const override
    {
        return m_view && m_view->lanes() && lane() < m_view->lanes()->ranks().size();
    }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override
    {
        return m_view ? m_view->QWidget::window()->windowHandle() : nullptr;
    }
    QAccessibleInterface* parent() const override
    {
        return m_view ? QAccessible::queryAccessibleInterface(m_view) : nullptr;
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::Row; }
    void setText(QAccessible::Text, const QString&) override {}

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect box = m_view->laneRect(lane(), communication()).toAlignedRect();
        return {m_view->viewport()->mapToGlobal(box.topLeft()), box.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.readOnly = true;
        state.focusable = true;
        state.focused = hasFocus() && m_view->hasFocus();
        state.selected = hasFocus();
        state.offscreen = !m_view->viewport()->rect().intersects(
            m_view->laneRect(lane(), communication()).toAlignedRect());
        return state;
    }

    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        switch (kind) {
        case QAccessible::Name:
            return name();
        case QAccessible::Value:
            return hasFocus() ? describe(*m_view->lanes(), *m_view->focusedSpan()) : spansShown();
        default:
            return {};
        }
    }

private:
    std::size_t lane() const { return std::size_t(m_index / 2); }
    bool communication() const { return m_index % 2 == 1; }
    bool hasFocus() const
    {
        const auto focus = m_view->focusedSpan();
        return focus && focus->lane == lane() && focus->communication == communication();
    }
    QString name() const
    {
        const RankTracks& tracks = m_view->lanes()->ranks()[lane()];
        return QStringLiteral("rank %1, data %2, pipeline %3, tensor %4: %5")
            .arg(tracks.rank.value)
            .arg(tracks.at.data)
            .arg(tracks.at.pipeline)
            .arg(tracks.at.tensor)
            .arg(communication() ? QStringLiteral("communication") : QStringLiteral("compute"));
    }
    QString spansShown() const
    {
        const Track& track = trackOf(*m_view->lanes(), {lane(), communication(), 0});
        const TimeWindow& window = m_view->window();
        std::size_t last = track.lowerBound(window.to);
        if (last < track.size() && track.begin(last) < window.to)
            ++last;
        return counted(int(last - track.lowerBound(window.from)), QStringLiteral("span"));
    }

    QPointer<LaneView> m_view;
    int m_index;
};

} // namespace

LaneViewAccessible::LaneViewAccessible(LaneView* view) : QAccessibleWidget(view, QAccessible::Table)
{
}

LaneViewAccessible::~LaneViewAccessible()
{
    for (const QAccessible::Id id : m_lanes)
        if (id != 0)
            QAccessible::deleteAccessibleInterface(id);
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

int LaneViewAccessible::childCount() const
{
    return view()->lanes() ? int(view()->lanes()->ranks().size()) * 2 : 0;
}

QAccessibleInterface* LaneViewAccessible::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    if (int(m_lanes.size()) <= index)
        m_lanes.resize(std::size_t(childCount()), 0);
    QAccessible::Id& id = m_lanes[std::size_t(index)];
    if (id == 0)
        id = QAccessible::registerAccessibleInterface(new LaneAccessible(view(), index));
    return QAccessible::accessibleInterface(id);
}

int LaneViewAccessible::indexOfChild(const QAccessibleInterface* child) const
{
    const auto* lane = dynamic_cast<const LaneAccessible*>(child);
    return lane && lane->index() < childCount() ? lane->index() : -1;
}

QAccessibleInterface* LaneViewAccessible::childAt(int x, int y) const
{
    const QPointF at = view()->viewport()->mapFromGlobal(QPoint(x, y));
    for (int i = 0; i < childCount(); ++i)
        if (view()->laneRect(std::size_t(i / 2), i % 2 == 1).contains(at))
            return child(i);
    return nullptr;
}

int LaneViewAccessible::focusedLane() const
{
    const auto focus = view()->focusedSpan();
    return focus ? int(focus->lane) * 2 + (focus->communication ? 1 : 0) : -1;
}

QAccessibleInterface* LaneViewAccessible::focusChild() const
{
    return child(focusedLane());
}

QString LaneViewAccessible::text(QAccessible::Text kind) const
{
    if (kind != QAccessible::Value)
        return QAccessibleWidget::text(kind);
    const auto focus = view()->focusedSpan();
    return focus ? describe(*view()->lanes(), *focus) : QString();
}

} // namespace triaxis::ui

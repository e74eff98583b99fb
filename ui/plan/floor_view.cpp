#include "ui/plan/floor_view.h"

#include "ui/base/text.h"
#include "ui/base/widget_keys.h"
#include "ui/plan/floor_accessible.h"
#include "ui/plan/floor_picture.h"
#include "ui/theme/fonts.h"

#include <QAccessible>
#include <QAction>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::ui
{
namespace
{

constexpr int ranksOfAMachine = 64; ///< that can be drawn with a brush

/// Fewer nodes of the same size, or one smaller node instead of one.
bool isSmaller(const FloorModel& next, const FloorModel& now)
{
    if (!next.nodeDevices.empty() || !now.nodeDevices.empty())
        return false;
    const bool fewer = next.devicesPerNode == now.devicesPerNode && next.nodes < now.nodes;
    const bool tighter =
        next.nodes == 1 && now.nodes == 1 && next.devicesPerNode < now.devicesPerNode;
    return fewer || tighter;
}

} // namespace

FloorView::FloorView(QWidget* parent) : QAbstractScrollArea(parent), m_tools(new FloorTools(this))
{
    static const bool installed = [] {
        QAccessible::installFactory(FloorAccessible::make);
        return true;
    }();
    Q_UNUSED(installed);
    setObjectName(QStringLiteral("floor"));
    setAccessibleName(tr("Ranks of the cluster"));
    setKeySection(this, QStringLiteral("Plan: floor"));
    setWidgetKeys(this,
                  {{{QStringLiteral("Left"), QStringLiteral("Right"), QStringLiteral("Up"), QStringLiteral("Down")}, tr("Select the rank beside")},
                   {{QStringLiteral("+"), QStringLiteral("-")}, tr("Zoom; with a brush: size of its axis")},
                   {{QStringLiteral("Return")}, tr("Swap tool: mark the rank; then swap it with another, or move it to a free device")},
                   {{QStringLiteral("Esc")}, tr("Give up a gesture, the selection, the brush")},
                   {{tr("drag with a brush")}, tr("Draw a group, chain stages, stamp replicas; swap two ranks, or move one to a free device"), true},
                   {{tr("wheel"), tr("Shift+wheel")}, tr("Zoom at the pointer, move sideways"), true},
                   {{tr("middle button"), tr("Space and drag")}, tr("Move the floor"), true}});
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAutoFillBackground(false);
    viewport()->setMouseTracking(true);
    setMinimumHeight(120);
    for (QAction* action : floorActions()) {
        if (!action)
            action = new QAction(this);
        if (action->parent() == this)
            action->setSeparator(true);
        addAction(action);
    }
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_tools->zoomIn(), &QAction::triggered, this, &FloorView::zoomIn);
    connect(m_tools->zoomOut(), &QAction::triggered, this, &FloorView::zoomOut);
    connect(m_tools->fit(), &QAction::triggered, this, &FloorView::fit);
    connect(m_tools->fitSelection(), &QAction::triggered, this, &FloorView::fitSelection);
    connect(m_tools->fold(), &QAction::triggered, this, &FloorView::setFolded);
    // Keys go on where the brush is used.
    connect(m_tools, &FloorTools::brushTaken, this, [this] { setFocus(Qt::OtherFocusReason); });
    connect(m_tools, &FloorTools::brushChanged, this, [this](FloorBrush brush) {
        cancel();
        m_marked.reset();
        hover(std::nullopt);
        refresh();
        emit brushChanged(brush);
    });
    rebuild();
}

FloorView::~FloorView() = default;

void FloorView::setModel(FloorModel model)
{
    const int devices = m_floor.devices();
    const int nodes = m_floor.nodes();
    m_shrunk.reset();
    if (!m_gesture && model == m_floor.model())
        return; // an edit of something that the floor does not show
    if (m_gesture && isSmaller(model, m_floor.model())) {
        // A cluster that follows the ranks must not shrink away under the cursor.
        m_shrunk = model;
        model.nodes = m_floor.model().nodes;
        model.devicesPerNode = m_floor.model().devicesPerNode;
    }
    m_floor = FloorIndex(std::move(model));
    const auto gone = [&](const std::optional<int>& device) {
        return device && *device >= m_floor.devices();
    };
    if (gone(m_selected))
        m_selected.reset();
    if (gone(m_hovered))
        m_hovered.reset();
    m_marked.reset();
    // While a layout is drawn nothing moves, not even what could be folded now.
    const bool sameFloor = devices == m_floor.devices() && nodes == m_floor.nodes();
    if (!m_gesture || !sameFloor)
        rebuild();
    refresh();
    emit shownChanged();
}

void FloorView::setLimits(SizeLimits limits)
{
    m_limits = std::move(limits);
}

void FloorView::setProblem(const QString& problem)
{
    if (problem == m_problem)
        return;
    m_problem = problem;
    viewport()->update();
}

SizeLimits FloorView::limits() const
{
    if (m_limits)
        return *m_limits;
    SizeLimits limits;
    limits.devices = m_floor.realDevices();
    return limits;
}

void FloorView::showLayout(const Layout& layout, const std::vector<RankShare>& shares, int cores)
{
    const int devices = std::max(layout.ranks(), cores);
    m_limits = SizeLimits{std::max(devices, ranksOfAMachine), {}, {}, {}}; // ranks share cores
    FloorModel model = floorModelOf(layout, devices, 1);
    model.nodesPerRack = 0;
    model.deviceNoun = QStringLiteral("place");
    model.nodeTitles = {tr("this machine")};
    if (!shares.empty()) {
        for (int rank = 0; rank < layout.ranks(); ++rank)
            model.memoryBytes.push_back(
                shareOf(shares, layout, coordinatesOf(layout, Rank(rank))).totalBytes());
    }
    setModel(std::move(model));
}

FloorScene FloorView::scene() const
{
    return {m_floor, m_geometry, themeOf(palette()), m_sprites,
            m_zoom,  origin(),   viewport()->size()};
}

DisplayList FloorView::picture() const
{
    return floorPicture(scene());
}

FloorDetail FloorView::detail() const
{
    return scene().detail();
}

QRect FloorView::cellOnScreen(int device) const
{
    return scene().cell(device);
}

FloorSpot FloorView::spotAt(const QPointF& position) const
{
    return m_geometry.at((position - origin()) / m_zoom);
}

std::optional<Coordinates> FloorView::selected() const
{
    return m_selected ? m_floor.coordinatesAt(*m_selected) : std::nullopt;
}

std::optional<Coordinates> FloorView::shown() const
{
    const auto device = m_hovered ? m_hovered : m_selected;
    return device ? m_floor.coordinatesAt(*device) : std::nullopt;
}

void FloorView::select(std::optional<Coordinates> at)
{
    const Layout& layout = m_floor.layout();
    if (at && (at->data >= layout.dp || at->tensor >= layout.tp || at->pipeline >= layout.pp))
        at.reset();
    selectDevice(at ? std::optional(m_floor.deviceOf(*at)) : std::nullopt);
}

void FloorView::selectDevice(std::optional<int> device)
{
    if (device && (*device < 0 || *device >= m_floor.devices()))
        device.reset();
    m_selected = device;
    if (device)
        tell(describe(*device));
    else
        setAccessibleDescription({});
    viewport()->update();
    if (device && QAccessible::isActive()) {
        QAccessibleEvent event(this, QAccessible::Focus);
        event.setChild(*device);
        QAccessible::updateAccessibility(&event);
    }
    emit shownChanged();
}

void FloorView::hover(std::optional<int> device)
{
    if (device == m_hovered)
        return;
    m_hovered = device;
    viewport()->update();
    emit shownChanged();
}

void FloorView::tell(const QString& text)
{
    setAccessibleDescription(text);
    if (QAccessible::isActive()) {
        QAccessibleValueChangeEvent event(this, text);
        QAccessible::updateAccessibility(&event);
    }
}

void FloorView::refresh()
{
    m_stale = true;
    viewport()->update();
}

QSize FloorView::sizeHint() const
{
    return {600, 300};
}

void FloorView::placeTools()
{
    m_tools->arrange(height());
    const QSize tools = m_tools->sizeHint();
    if (viewportMargins().left() != tools.width() + 6)
        setViewportMargins(tools.width() + 6, 0, 0, 0);
    m_tools->setGeometry(0, 0, tools.width(), std::min(height(), tools.height()));
}

void FloorView::resizeEvent(QResizeEvent*)
{
    placeTools();
    if (m_fitted && !m_gesture)
        rebuild();
    else
        updateScrollBars();
    m_stale = true;
}

void FloorView::moveSelection(int across, int down)
{
    if (!m_selected) {
        selectDevice(0);
        return;
    }
    const QPointF from = m_geometry.cell(*m_selected).center();
    double nearest = std::numeric_limits<double>::infinity();
    int best = *m_selected;
    for (const FloorGeometry::Slot& slot : m_geometry.slotsDrawn()) {
        const int last = m_floor.firstDevice(slot.node) + m_floor.devicesOf(slot.node);
        for (int device = m_floor.firstDevice(slot.node); device < last; ++device) {
            const QPointF step = m_geometry.cell(device).center() - from;
            const double along = step.x() * across + step.y() * down;
            const double aside = std::abs(step.x() * down) + std::abs(step.y() * across);
            if (along > 1 && along + 4 * aside < nearest) {
                nearest = along + 4 * aside;
                best = device;
            }
        }
    }
    selectDevice(best);
    ensureVisible(best);
}

void FloorView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (!m_selected && event->reason() != Qt::MouseFocusReason &&
        event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::OtherFocusReason)
        selectDevice(0);
}

void FloorView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    m_spaceHeld = false;
    viewport()->update();
}

void FloorView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        placeTools();
        rebuild();
    }
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace triaxis::ui

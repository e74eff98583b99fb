#include "ui/widgets/lane_view.h"

#include "engine/timeline/lane_painter.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/report/save_part.h"
#include "ui/timeline/key_commands.h"

#include <QAction>
#include <QActionGroup>
#include <QKeyEvent>
#include <QMenu>

#include <array>

// The actions of the timeline, for its menus and keys.

namespace triaxis::ui
{
namespace
{

constexpr std::array axes{Axis::Data, Axis::Pipeline, Axis::Tensor};

QString axisName(Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return Words::tr("replica (data)");
    case Axis::Pipeline:
        return Words::tr("stage (pipeline)");
    case Axis::Tensor:
        return Words::tr("tensor rank");
    }
    return {};
}

/// The axis after another, none after the last.
std::optional<Axis> nextAxis(const std::optional<Axis>& axis)
{
    if (!axis)
        return axes.front();
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
        if (axes[i] == *axis)
            return axes[i + 1];
    }
    return std::nullopt;
}

} // namespace

void LaneView::addCommands()
{
    addViewCommands();
    addLaneCommands();
}

void LaneView::addViewCommands()
{
    const auto add = [this](const char* id, auto act) {
        QAction* made = addCommand(this, QLatin1String(id));
        m_commands.insert(QLatin1String(id), made);
        connect(made, &QAction::triggered, this, act);
        return made;
    };
    add("timeline.export", [this] {
        if (!m_lanes)
            return;
        saveShownPicture(QWidget::window(), accessibleName(), QStringLiteral("timeline"),
                         [this] { return picture(); });
    });
    add("timeline.zoomIn", [this] { zoomIn(); });
    add("timeline.zoomOut", [this] { zoomOut(); });
    add("timeline.earlier", [this] { pan(-0.15); });
    add("timeline.later", [this] { pan(0.15); });
    add("timeline.fitAll", [this] { fitAll(); });
    add("timeline.fitSelection", [this] { fitMeasured(); });
    QAction* follow = add("timeline.follow", [this] {
        followLatest();
        command(QStringLiteral("timeline.follow"))->setChecked(isFollowing()); // stays chosen
    });
    follow->setCheckable(true);
    follow->setChecked(true);
    connect(this, &LaneView::followingChanged, follow, &QAction::setChecked);
    add("timeline.back", [this] { zoomBack(); });
    add("timeline.forward", [this] { zoomForward(); });
    add("timeline.selectSpan", [this] { selectFocusedSpan(); });
    add("timeline.cursorEarlier", [this] { moveCursor(-1); });
    add("timeline.cursorLater", [this] { moveCursor(1); });
    add("timeline.clear", [this] { clearMarks(); });
    add("timeline.nextSpan", [this] { stepFocus(1); });
    add("timeline.previousSpan", [this] { stepFocus(-1); });
    add("timeline.nextFlow", [this] { followFlow(true); });
    add("timeline.previousFlow", [this] { followFlow(false); });
    const auto addSwitch = [&](const char* id, bool on, auto act) {
        QAction* made = add(id, act);
        made->setCheckable(true);
        made->setChecked(on);
    };
    addSwitch("timeline.path", m_pathShown, [this](bool on) { setPathShown(on); });
    addSwitch("timeline.flows", m_flowsShown, [this](bool on) { setFlowsShown(on); });
    addSwitch("timeline.prediction", m_predictionShown, [this](bool on) {
        setPredictionShown(on);
        emit predictionSwitched(on);
    });
    addSwitch("timeline.scalePrediction", m_predictionScaled, [this](bool on) {
        setPredictionScaled(on);
        emit predictionScaleSwitched(on);
    });
    command(QStringLiteral("timeline.scalePrediction"))
        ->setToolTip(tr("Every predicted step as long as the measured one, to compare "
                        "shape and bubble; else both by the clock"));
    addSwitch("timeline.streams", m_streams, [this](bool on) { setStreamsShown(on); });
}

void LaneView::addLaneCommands()
{
    const auto add = [this](const char* id, auto act) {
        QAction* made = addCommand(this, QLatin1String(id));
        m_commands.insert(QLatin1String(id), made);
        connect(made, &QAction::triggered, this, act);
    };
    add("timeline.laneUp", [this] { moveFocusLane(-1); });
    add("timeline.laneDown", [this] { moveFocusLane(1); });
    add("timeline.pin", [this] { togglePin(); });
    add("timeline.hide", [this] { hideLane(); });
    add("timeline.showAll", [this] { showAllLanes(); });
    add("timeline.collapse", [this] { toggleGroup(); });
    add("timeline.collapseAll", [this] { toggleAllGroups(); });
    add("timeline.group", [this] {
        LaneArrangement next = m_arrangement;
        next.group = nextAxis(next.group);
        next.collapsed.clear();
        setArrangement(next);
    });
    add("timeline.colour", [this] { setColourBy(nextAxis(m_colourBy)); });
}

void LaneView::setFlowsShown(bool shown)
{
    m_flowsShown = shown;
    command(QStringLiteral("timeline.flows"))->setChecked(shown);
    viewport()->update();
}

void LaneView::fillGroupMenu(QMenu& menu)
{
    menu.clear();
    auto* group = new QActionGroup(&menu);
    const auto add = [&](const QString& text, std::optional<Axis> axis) {
        QAction* action = menu.addAction(text);
        action->setCheckable(true);
        action->setChecked(m_arrangement.group == axis);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, axis] {
            LaneArrangement next = m_arrangement;
            next.group = axis;
            next.collapsed.clear();
            setArrangement(next);
        });
    };
    for (const Axis axis : axes)
        add(tr("By ") + axisName(axis), axis);
    add(tr("By rank, without groups"), std::nullopt);
    menu.addSeparator();
    for (const char* id : {"timeline.group", "timeline.collapse", "timeline.collapseAll"})
        menu.addAction(command(QLatin1String(id)));
}

void LaneView::fillColourMenu(QMenu& menu)
{
    menu.clear();
    auto* group = new QActionGroup(&menu);
    const auto add = [&](const QString& text, std::optional<Axis> axis) {
        QAction* action = menu.addAction(text);
        action->setCheckable(true);
        action->setChecked(m_colourBy == axis);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, axis] { setColourBy(axis); });
    };
    add(tr("By what is done"), std::nullopt);
    for (const Axis axis : axes)
        add(tr("By ") + axisName(axis), axis);
    menu.addSeparator();
    menu.addAction(command(QStringLiteral("timeline.colour")));
}

void LaneView::fillFilterMenu(QMenu& menu)
{
    constexpr int mostChoices = 64;
    menu.clear();
    qDeleteAll(menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    if (!m_lanes)
        return;
    for (const Axis axis : axes) {
        const int size = sizeOf(m_lanes->layout(), axis);
        if (size < 2)
            continue;
        QMenu* choices = menu.addMenu(tr("Only this %1").arg(axisName(axis)));
        for (int i = 0; i < std::min(size, mostChoices); ++i) {
            QAction* action = choices->addAction(spoken(groupName(axis, i)));
            action->setCheckable(true);
            action->setChecked(m_arrangement.only[std::size_t(axis)].contains(i));
            connect(action, &QAction::triggered, this, [this, axis, i] {
                LaneArrangement next = m_arrangement;
                next.toggleOnly(axis, i);
                setArrangement(next);
            });
        }
    }
    menu.addSeparator();
    menu.addAction(command(QStringLiteral("timeline.showAll")));
}

void LaneView::fillLaneMenu(QMenu& menu)
{
    for (const char* id : {"timeline.pin", "timeline.hide", "timeline.showAll"})
        menu.addAction(command(QLatin1String(id)));
    if (m_focus) {
        menu.addSeparator();
        const Coordinates at = m_lanes->ranks()[m_focus->lane].at;
        for (const Axis axis : axes) {
            if (sizeOf(m_lanes->layout(), axis) < 2)
                continue;
            const int here = coordinateOf(at, axis);
            QAction* only = menu.addAction(tr("Show only %1").arg(spoken(groupName(axis, here))));
            connect(only, &QAction::triggered, this, [this, axis, here] {
                LaneArrangement next = m_arrangement;
                next.only[std::size_t(axis)] = {here};
                setArrangement(next);
            });
        }
    }
    menu.addSeparator();
    menu.addAction(command(QStringLiteral("timeline.collapse")));
    menu.addAction(command(QStringLiteral("timeline.selectSpan")));
    menu.addAction(command(QStringLiteral("timeline.nextFlow")));
    menu.addAction(command(QStringLiteral("timeline.previousFlow")));
}

/// Positions of W, A, S, D on the keyboard, so that other layouts than QWERTY work as well.
bool LaneView::physicalKey(QKeyEvent* event)
{
    struct Place
    {
        quint32 code;
        Qt::Key key;
        const char* id;
    };
    constexpr Place places[] = {{25, Qt::Key_W, "timeline.zoomIn"},
                                {39, Qt::Key_S, "timeline.zoomOut"},
                                {38, Qt::Key_A, "timeline.earlier"},
                                {40, Qt::Key_D, "timeline.later"}};
    if (event->modifiers() & ~Qt::KeypadModifier)
        return false;
    for (const Place& place : places) {
        QAction* action = command(QLatin1String(place.id));
        if (event->nativeScanCode() == place.code &&
            action->shortcuts().contains(QKeySequence(place.key))) {
            action->trigger();
            return true;
        }
    }
    return false;
}

void LaneView::keyPressEvent(QKeyEvent* event)
{
    // Shortcuts come first where the view has the focus in an active window; this is for keys that
    // are sent to it otherwise, and for keyboards on which the letters lie elsewhere.
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const QKeySequence pressed(int(modifiers) | event->key());
    const QKeySequence plain(event->key());
    const auto all = actions();
    for (QAction* action : all) {
        const auto keys = action->shortcuts();
        // "+" needs Shift on many keyboards.
        const bool symbol = modifiers == Qt::ShiftModifier && !event->text().isEmpty() &&
                            !event->text()[0].isLetter() && event->key() < Qt::Key_Escape;
        if (action->isEnabled() && (keys.contains(pressed) || (symbol && keys.contains(plain)))) {
            action->trigger();
            return;
        }
    }
    if (physicalKey(event))
        return;
    QAbstractScrollArea::keyPressEvent(event);
}

} // namespace triaxis::ui

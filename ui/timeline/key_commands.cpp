#include "ui/timeline/key_commands.h"

#include <QAction>
#include <QSettings>
#include <QWidget>

namespace triaxis::ui
{
namespace
{

QList<QKeySequence> keys(std::initializer_list<const char*> names)
{
    QList<QKeySequence> made;
    for (const char* name : names)
        made << QKeySequence(QString::fromUtf8(name), QKeySequence::PortableText);
    return made;
}

/// "Timeline" of "Timeline: spans".
QString placeOfKeys(const KeyCommand& command)
{
    return QString::fromUtf8(command.section).section(QLatin1Char(':'), 0, 0);
}

QString settingOf(const QString& id)
{
    return QStringLiteral("shortcuts/") + id;
}

} // namespace

const std::vector<KeyCommand>& keyCommands()
{
    static const std::vector<KeyCommand> commands{
        {"window.plan", "Window", "Plan", keys({"Ctrl+1"})},
        {"window.run", "Window", "Run", keys({"Ctrl+2"})},
        {"window.history", "Window", "History", keys({"Ctrl+3"})},
        {"window.settings", "Window", "Appearance…", keys({"Ctrl+Alt+S"})},
        {"window.textLarger", "Window", "Larger text", keys({"Ctrl+Alt++", "Ctrl+Alt+="})},
        {"window.textSmaller", "Window", "Smaller text", keys({"Ctrl+Alt+-"})},
        {"window.textUsual", "Window", "Usual text size", keys({"Ctrl+0"})},
        {"window.keys", "Window", "Keyboard…", keys({"F1"})},
        {"window.export", "Window", "Export…", keys({"Ctrl+Shift+E"})},
        {"window.sweep", "Window", "Sweep layouts…", keys({"Ctrl+L"})},
        {"window.quit", "Window", "Close the window", keys({"Ctrl+Q"})},
        {"file.examples", "Window: plan file", "Examples…", keys({"Ctrl+N"})},
        {"file.open", "Window: plan file", "Open…", keys({"Ctrl+O"})},
        {"file.save", "Window: plan file", "Save", keys({"Ctrl+S"})},
        {"file.saveAs", "Window: plan file", "Save as…", keys({"Ctrl+Shift+S"})},

        {"plan.undo", "Plan", "Undo", keys({"Ctrl+Z"})},
        {"plan.redo", "Plan", "Redo", keys({"Ctrl+Shift+Z", "Ctrl+Y"})},
        {"plan.run", "Plan", "Run", keys({"Ctrl+Return"})},
        {"plan.find", "Plan", "Find best layout…", keys({"Ctrl+F"})},
        {"plan.whatIf", "Plan", "What if…", keys({"Ctrl+I"})},
        {"plan.findMachine", "Plan", "Find what this machine has", keys({"Ctrl+Shift+M"})},
        {"plan.measure", "Plan", "Calibrate this machine…", keys({"Ctrl+M"})},
        {"plan.step", "Plan", "Predicted step", keys({"Ctrl+T"})},
        {"plan.schedule", "Plan", "Schedule", keys({"Ctrl+Shift+T"})},

        {"floor.select", "Floor: brushes", "Select ranks", keys({"V"})},
        {"floor.tensor", "Floor: brushes", "Draw a tensor group", keys({"T"})},
        {"floor.pipeline", "Floor: brushes", "Draw a pipeline", keys({"P"})},
        {"floor.data", "Floor: brushes", "Stamp data replicas", keys({"D"})},
        {"floor.swap", "Floor: brushes", "Swap two ranks", keys({"X"})},
        {"floor.zoomIn", "Floor: view", "Zoom in", keys({"Ctrl++", "Ctrl+="})},
        {"floor.zoomOut", "Floor: view", "Zoom out", keys({"Ctrl+-"})},
        {"floor.fit", "Floor: view", "Show the whole floor", keys({"Home"})},
        {"floor.fitSelection", "Floor: view", "Zoom to the selected rank", keys({"F"})},
        {"floor.fold", "Floor: view", "Fold equal nodes", keys({"U"})},

        {"history.search", "History", "Search the runs", keys({"/", "Ctrl+F"})},
        {"history.open", "History", "Open the run", keys({"Return", "Enter"})},
        {"history.compare", "History", "Compare the selected runs", keys({"C"})},
        {"history.star", "History", "Give a star or take it away", keys({"S"})},
        {"history.label", "History", "Change the label", keys({"F2"})},
        {"history.tags", "History", "Add a tag", keys({"T"})},
        {"history.note", "History", "Write a note", keys({"N"})},
        {"history.details", "History", "Details of the selected runs", keys({"I"})},
        {"history.starredOnly", "History", "Only runs with a star", keys({"Shift+S"})},
        {"history.clearFilters", "History", "Clear search and filters", keys({"X"})},
        {"history.undo", "History", "Undo", keys({"Ctrl+Z"})},
        {"history.redo", "History", "Redo", keys({"Ctrl+Shift+Z", "Ctrl+Y"})},
        {"history.delete", "History", "Delete the selected runs", keys({"Del"})},
        {"history.trash", "History", "Show the trash", keys({"D"})},
        {"history.restore", "History", "Restore from the trash", keys({"R"})},
        {"history.purge", "History", "Delete for good…", keys({"Shift+Del"})},
        {"history.emptyTrash", "History", "Empty the trash…", keys({"Ctrl+Shift+Del"})},
        {"history.export", "History", "Export bundle…", keys({"Ctrl+B"})},
        {"history.import", "History", "Import bundles…", keys({"Ctrl+Shift+I"})},
        {"history.report", "History", "Export report…", keys({"Ctrl+Shift+R"})},
        {"history.trace", "History", "Export trace…", keys({"Ctrl+Shift+T"})},
        {"history.folder", "History", "Show folder", keys({"Ctrl+Shift+F"})},
        {"history.stop", "History", "Stop the run after its step", keys({"Ctrl+Shift+X"})},
        {"history.prune", "History", "Free room…", keys({"Ctrl+Shift+P"})},
        {"history.rebuild", "History", "Rebuild from the run directories", keys({"Ctrl+F5"})},

        {"timeline.zoomIn", "Timeline: range", "Zoom in", keys({"W", "+", "Ctrl+Up"})},
        {"timeline.zoomOut", "Timeline: range", "Zoom out", keys({"S", "-", "Ctrl+Down"})},
        {"timeline.earlier", "Timeline: range", "Earlier", keys({"A", "Left"})},
        {"timeline.later", "Timeline: range", "Later", keys({"D", "Right"})},
        {"timeline.fitAll", "Timeline: range", "Show all steps", keys({"Home"})},
        {"timeline.fitSelection", "Timeline: range", "Zoom to the marked range, else the span",
         keys({"F"})},
        {"timeline.follow", "Timeline: range", "Follow the latest step", keys({"L"})},
        {"timeline.back", "Timeline: range", "Zoom back", keys({"Ctrl+U", "Alt+Left"})},
        {"timeline.forward", "Timeline: range", "Zoom forward again",
         keys({"Ctrl+R", "Alt+Right"})},
        {"timeline.selectSpan", "Timeline: range", "Mark the range of the span", keys({"R"})},
        {"timeline.cursorEarlier", "Timeline: range", "Move the moment earlier",
         keys({"Shift+Left"})},
        {"timeline.cursorLater", "Timeline: range", "Move the moment later", keys({"Shift+Right"})},
        {"timeline.clear", "Timeline: range", "Clear range, moment and span", keys({"Esc"})},

        {"timeline.nextSpan", "Timeline: spans", "Next span of the lane", keys({"."})},
        {"timeline.previousSpan", "Timeline: spans", "Previous span of the lane", keys({","})},
        {"timeline.nextFlow", "Timeline: spans", "Follow the data on", keys({"]"})},
        {"timeline.previousFlow", "Timeline: spans", "Follow the data back", keys({"["})},
        {"timeline.laneUp", "Timeline: spans", "Lane above", keys({"Up"})},
        {"timeline.laneDown", "Timeline: spans", "Lane below", keys({"Down"})},
        {"timeline.search", "Timeline: spans", "Search spans", keys({"/", "Ctrl+F"})},
        {"timeline.searchNext", "Timeline: spans", "Next match", keys({"N", "F3"})},
        {"timeline.searchPrevious", "Timeline: spans", "Previous match",
         keys({"Shift+N", "Shift+F3"})},
        {"timeline.mark", "Timeline: spans", "Add a mark with a note", keys({"M"})},
        {"timeline.nextMark", "Timeline: spans", "Next mark", keys({"Ctrl+."})},
        {"timeline.previousMark", "Timeline: spans", "Previous mark", keys({"Ctrl+,"})},

        {"timeline.pin", "Timeline: lanes", "Pin the lane on top", keys({"P"})},
        {"timeline.hide", "Timeline: lanes", "Hide the lane", keys({"H"})},
        {"timeline.showAll", "Timeline: lanes", "Show all lanes", keys({"Shift+H"})},
        {"timeline.collapse", "Timeline: lanes", "Collapse or open the group", keys({"G"})},
        {"timeline.collapseAll", "Timeline: lanes", "Collapse or open all groups",
         keys({"Shift+G"})},
        {"timeline.group", "Timeline: lanes", "Group by the next axis", keys({"X"})},
        {"timeline.colour", "Timeline: lanes", "Colour by the next axis", keys({"Shift+X"})},
        {"timeline.streams", "Timeline: lanes", "Communication stream by stream", keys({"T"})},

        {"timeline.details", "Timeline: shown", "Details of the span", keys({"I"})},
        {"timeline.export", "Timeline: shown", "Export the timeline as shown…", keys({"Ctrl+E"})},
        {"timeline.path", "Timeline: shown", "Critical path of the step", keys({"C"})},
        {"timeline.flows", "Timeline: shown", "Arrows from send to receive", keys({"E"})},
        {"timeline.prediction", "Timeline: shown", "Prediction over measurement", keys({"O"})},
        {"timeline.scalePrediction", "Timeline: shown", "Scale the prediction to the step",
         keys({"Shift+O"})},
        {"timeline.counters", "Timeline: shown", "Curves beneath the lanes", keys({"K"})},
        {"timeline.minimap", "Timeline: shown", "Map of the whole run", keys({"Shift+M"})},
    };
    return commands;
}

const KeyCommand* keyCommand(const QString& id)
{
    for (const KeyCommand& command : keyCommands()) {
        if (id == QLatin1String(command.id))
            return &command;
    }
    return nullptr;
}

QList<QKeySequence> keysOf(const QString& id)
{
    const KeyCommand* command = keyCommand(id);
    if (!command)
        return {};
    const QVariant chosen = QSettings().value(settingOf(id));
    if (!chosen.isValid())
        return command->keys;
    QList<QKeySequence> made;
    for (const QString& name : chosen.toStringList()) {
        const QKeySequence sequence(name, QKeySequence::PortableText);
        if (!sequence.isEmpty() && sequence[0].key() != Qt::Key_unknown)
            made << sequence;
    }
    return made;
}

void setKeysOf(const QString& id, const QList<QKeySequence>& chosen)
{
    const KeyCommand* command = keyCommand(id);
    if (!command)
        return;
    QSettings settings;
    if (chosen == command->keys) {
        settings.remove(settingOf(id));
        return;
    }
    QStringList names;
    for (const QKeySequence& sequence : chosen)
        names << sequence.toString(QKeySequence::PortableText);
    if (names.isEmpty())
        names << QString(); // an empty list would read as no choice
    settings.setValue(settingOf(id), names);
}

void resetAllKeys()
{
    QSettings().remove(QStringLiteral("shortcuts"));
}

QString keysText(const QList<QKeySequence>& sequences)
{
    QStringList names;
    for (const QKeySequence& sequence : sequences)
        names << sequence.toString(QKeySequence::NativeText);
    return names.join(QStringLiteral(", "));
}

bool meet(const KeyCommand& first, const KeyCommand& second)
{
    const QString a = placeOfKeys(first);
    const QString b = placeOfKeys(second);
    const QString window = QStringLiteral("Window");
    const QStringList page{QStringLiteral("Plan"), QStringLiteral("Floor")};
    return a == b || a == window || b == window || (page.contains(a) && page.contains(b));
}

const KeyCommand* conflictOf(const QString& id, const QList<QKeySequence>& wanted)
{
    const KeyCommand* own = keyCommand(id);
    for (const KeyCommand& command : keyCommands()) {
        if (&command == own || (own && !meet(*own, command)))
            continue;
        for (const QKeySequence& taken : keysOf(QLatin1String(command.id))) {
            if (wanted.contains(taken))
                return &command;
        }
    }
    return nullptr;
}

QAction* makeCommand(const QString& id, QObject* parent)
{
    const KeyCommand* command = keyCommand(id);
    auto* action = new QAction(command ? QString::fromUtf8(command->text) : id, parent);
    action->setObjectName(id);
    action->setShortcuts(keysOf(id));
    return action;
}

QAction* addCommand(QWidget* owner, const QString& id)
{
    QAction* action = makeCommand(id, owner);
    action->setShortcutContext(Qt::WidgetShortcut);
    owner->addAction(action);
    return action;
}

void refreshKeys(QWidget* window)
{
    const auto actions = window->findChildren<QAction*>();
    for (QAction* action : actions) {
        if (keyCommand(action->objectName()))
            action->setShortcuts(keysOf(action->objectName()));
    }
}

} // namespace triaxis::ui

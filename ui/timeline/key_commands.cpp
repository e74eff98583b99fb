#include "ui/timeline/key_commands.h"
#include "ui/base/words.h"

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
        {"window.plan", QT_TRANSLATE_NOOP("Words", "Window"), QT_TRANSLATE_NOOP("Words", "Plan"),
         keys({"Ctrl+1"})},
        {"window.run", QT_TRANSLATE_NOOP("Words", "Window"), QT_TRANSLATE_NOOP("Words", "Run"),
         keys({"Ctrl+2"})},
        {"window.history", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "History"), keys({"Ctrl+3"})},
        {"window.settings", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "Appearance…"), keys({"Ctrl+Alt+S"})},
        {"window.textLarger", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "Larger text"), keys({"Ctrl+Alt++", "Ctrl+Alt+="})},
        {"window.textSmaller", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "Smaller text"), keys({"Ctrl+Alt+-"})},
        {"window.textUsual", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "Usual text size"), keys({"Ctrl+0"})},
        {"window.keys", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "Keyboard…"), keys({"F1"})},
        {"window.glossary", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "Glossary…"), keys({"Shift+F1"})},
        {"window.tour", QT_TRANSLATE_NOOP("Words", "Window"), QT_TRANSLATE_NOOP("Words", "Tour"),
         keys({"Ctrl+F1"})},
        {"window.export", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "Export…"), keys({"Ctrl+Shift+E"})},
        {"window.sweep", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "Sweep layouts…"), keys({"Ctrl+L"})},
        {"window.quit", QT_TRANSLATE_NOOP("Words", "Window"),
         QT_TRANSLATE_NOOP("Words", "Close the window"), keys({"Ctrl+Q"})},
        {"file.examples", QT_TRANSLATE_NOOP("Words", "Window: plan file"),
         QT_TRANSLATE_NOOP("Words", "Examples…"), keys({"Ctrl+N"})},
        {"file.open", QT_TRANSLATE_NOOP("Words", "Window: plan file"),
         QT_TRANSLATE_NOOP("Words", "Open…"), keys({"Ctrl+O"})},
        {"file.save", QT_TRANSLATE_NOOP("Words", "Window: plan file"),
         QT_TRANSLATE_NOOP("Words", "Save"), keys({"Ctrl+S"})},
        {"file.saveAs", QT_TRANSLATE_NOOP("Words", "Window: plan file"),
         QT_TRANSLATE_NOOP("Words", "Save as…"), keys({"Ctrl+Shift+S"})},

        {"plan.undo", QT_TRANSLATE_NOOP("Words", "Plan"), QT_TRANSLATE_NOOP("Words", "Undo"),
         keys({"Ctrl+Z"})},
        {"plan.redo", QT_TRANSLATE_NOOP("Words", "Plan"), QT_TRANSLATE_NOOP("Words", "Redo"),
         keys({"Ctrl+Shift+Z", "Ctrl+Y"})},
        {"plan.run", QT_TRANSLATE_NOOP("Words", "Plan"), QT_TRANSLATE_NOOP("Words", "Run"),
         keys({"Ctrl+Return"})},
        {"plan.find", QT_TRANSLATE_NOOP("Words", "Plan"),
         QT_TRANSLATE_NOOP("Words", "Find best layout…"), keys({"Ctrl+F"})},
        {"plan.whatIf", QT_TRANSLATE_NOOP("Words", "Plan"), QT_TRANSLATE_NOOP("Words", "What if…"),
         keys({"Ctrl+I"})},
        {"plan.findMachine", QT_TRANSLATE_NOOP("Words", "Plan"),
         QT_TRANSLATE_NOOP("Words", "Find what this machine has"), keys({"Ctrl+Shift+M"})},
        {"plan.measure", QT_TRANSLATE_NOOP("Words", "Plan"),
         QT_TRANSLATE_NOOP("Words", "Calibrate this machine…"), keys({"Ctrl+M"})},
        {"plan.step", QT_TRANSLATE_NOOP("Words", "Plan"),
         QT_TRANSLATE_NOOP("Words", "Predicted step"), keys({"Ctrl+T"})},
        {"plan.schedule", QT_TRANSLATE_NOOP("Words", "Plan"),
         QT_TRANSLATE_NOOP("Words", "Schedule"), keys({"Ctrl+Shift+T"})},

        {"floor.select", QT_TRANSLATE_NOOP("Words", "Floor: brushes"),
         QT_TRANSLATE_NOOP("Words", "Select ranks"), keys({"V"})},
        {"floor.tensor", QT_TRANSLATE_NOOP("Words", "Floor: brushes"),
         QT_TRANSLATE_NOOP("Words", "Draw a tensor group"), keys({"T"})},
        {"floor.pipeline", QT_TRANSLATE_NOOP("Words", "Floor: brushes"),
         QT_TRANSLATE_NOOP("Words", "Draw a pipeline"), keys({"P"})},
        {"floor.data", QT_TRANSLATE_NOOP("Words", "Floor: brushes"),
         QT_TRANSLATE_NOOP("Words", "Stamp data replicas"), keys({"D"})},
        {"floor.swap", QT_TRANSLATE_NOOP("Words", "Floor: brushes"),
         QT_TRANSLATE_NOOP("Words", "Swap two ranks"), keys({"X"})},
        {"floor.zoomIn", QT_TRANSLATE_NOOP("Words", "Floor: view"),
         QT_TRANSLATE_NOOP("Words", "Zoom in"), keys({"Ctrl++", "Ctrl+="})},
        {"floor.zoomOut", QT_TRANSLATE_NOOP("Words", "Floor: view"),
         QT_TRANSLATE_NOOP("Words", "Zoom out"), keys({"Ctrl+-"})},
        {"floor.fit", QT_TRANSLATE_NOOP("Words", "Floor: view"),
         QT_TRANSLATE_NOOP("Words", "Show the whole floor"), keys({"Home"})},
        {"floor.fitSelection", QT_TRANSLATE_NOOP("Words", "Floor: view"),
         QT_TRANSLATE_NOOP("Words", "Zoom to the selected rank"), keys({"F"})},
        {"floor.fold", QT_TRANSLATE_NOOP("Words", "Floor: view"),
         QT_TRANSLATE_NOOP("Words", "Fold equal nodes"), keys({"U"})},

        {"history.search", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Search the runs"), keys({"/", "Ctrl+F"})},
        {"history.open", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Open the run"), keys({"Return", "Enter"})},
        {"history.compare", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Compare the selected runs"), keys({"C"})},
        {"history.star", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Give a star or take it away"), keys({"S"})},
        {"history.label", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Change the label"), keys({"F2"})},
        {"history.tags", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Add a tag"), keys({"T"})},
        {"history.note", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Write a note"), keys({"N"})},
        {"history.details", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Details of the selected runs"), keys({"I"})},
        {"history.starredOnly", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Only runs with a star"), keys({"Shift+S"})},
        {"history.clearFilters", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Clear search and filters"), keys({"X"})},
        {"history.undo", QT_TRANSLATE_NOOP("Words", "History"), QT_TRANSLATE_NOOP("Words", "Undo"),
         keys({"Ctrl+Z"})},
        {"history.redo", QT_TRANSLATE_NOOP("Words", "History"), QT_TRANSLATE_NOOP("Words", "Redo"),
         keys({"Ctrl+Shift+Z", "Ctrl+Y"})},
        {"history.delete", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Delete the selected runs"), keys({"Del"})},
        {"history.trash", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Show the trash"), keys({"D"})},
        {"history.restore", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Restore from the trash"), keys({"R"})},
        {"history.purge", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Delete for good…"), keys({"Shift+Del"})},
        {"history.emptyTrash", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Empty the trash…"), keys({"Ctrl+Shift+Del"})},
        {"history.export", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Export bundle…"), keys({"Ctrl+B"})},
        {"history.import", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Import bundles…"), keys({"Ctrl+Shift+I"})},
        {"history.report", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Export report…"), keys({"Ctrl+Shift+R"})},
        {"history.trace", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Export trace…"), keys({"Ctrl+Shift+T"})},
        {"history.folder", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Show folder"), keys({"Ctrl+Shift+F"})},
        {"history.stop", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Stop the run after its step"), keys({"Ctrl+Shift+X"})},
        {"history.prune", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Free room…"), keys({"Ctrl+Shift+P"})},
        {"history.rebuild", QT_TRANSLATE_NOOP("Words", "History"),
         QT_TRANSLATE_NOOP("Words", "Rebuild from the run directories"), keys({"Ctrl+F5"})},

        {"timeline.zoomIn", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Zoom in"), keys({"W", "+", "Ctrl+Up"})},
        {"timeline.zoomOut", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Zoom out"), keys({"S", "-", "Ctrl+Down"})},
        {"timeline.earlier", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Earlier"), keys({"A", "Left"})},
        {"timeline.later", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Later"), keys({"D", "Right"})},
        {"timeline.fitAll", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Show all steps"), keys({"Home"})},
        {"timeline.fitSelection", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Zoom to the marked range, else the span"), keys({"F"})},
        {"timeline.follow", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Follow the latest step"), keys({"L"})},
        {"timeline.back", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Zoom back"), keys({"Ctrl+U", "Alt+Left"})},
        {"timeline.forward", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Zoom forward again"), keys({"Ctrl+R", "Alt+Right"})},
        {"timeline.selectSpan", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Mark the range of the span"), keys({"R"})},
        {"timeline.cursorEarlier", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Move the moment earlier"), keys({"Shift+Left"})},
        {"timeline.cursorLater", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Move the moment later"), keys({"Shift+Right"})},
        {"timeline.clear", QT_TRANSLATE_NOOP("Words", "Timeline: range"),
         QT_TRANSLATE_NOOP("Words", "Clear range, moment and span"), keys({"Esc"})},

        {"timeline.nextSpan", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Next span of the lane"), keys({"."})},
        {"timeline.previousSpan", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Previous span of the lane"), keys({","})},
        {"timeline.nextFlow", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Follow the data on"), keys({"]"})},
        {"timeline.previousFlow", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Follow the data back"), keys({"["})},
        {"timeline.laneUp", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Lane above"), keys({"Up"})},
        {"timeline.laneDown", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Lane below"), keys({"Down"})},
        {"timeline.search", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Search spans"), keys({"/", "Ctrl+F"})},
        {"timeline.searchNext", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Next match"), keys({"N", "F3"})},
        {"timeline.searchPrevious", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Previous match"), keys({"Shift+N", "Shift+F3"})},
        {"timeline.mark", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Add a mark with a note"), keys({"M"})},
        {"timeline.nextMark", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Next mark"), keys({"Ctrl+."})},
        {"timeline.previousMark", QT_TRANSLATE_NOOP("Words", "Timeline: spans"),
         QT_TRANSLATE_NOOP("Words", "Previous mark"), keys({"Ctrl+,"})},

        {"timeline.pin", QT_TRANSLATE_NOOP("Words", "Timeline: lanes"),
         QT_TRANSLATE_NOOP("Words", "Pin the lane on top"), keys({"P"})},
        {"timeline.hide", QT_TRANSLATE_NOOP("Words", "Timeline: lanes"),
         QT_TRANSLATE_NOOP("Words", "Hide the lane"), keys({"H"})},
        {"timeline.showAll", QT_TRANSLATE_NOOP("Words", "Timeline: lanes"),
         QT_TRANSLATE_NOOP("Words", "Show all lanes"), keys({"Shift+H"})},
        {"timeline.collapse", QT_TRANSLATE_NOOP("Words", "Timeline: lanes"),
         QT_TRANSLATE_NOOP("Words", "Collapse or open the group"), keys({"G"})},
        {"timeline.collapseAll", QT_TRANSLATE_NOOP("Words", "Timeline: lanes"),
         QT_TRANSLATE_NOOP("Words", "Collapse or open all groups"), keys({"Shift+G"})},
        {"timeline.group", QT_TRANSLATE_NOOP("Words", "Timeline: lanes"),
         QT_TRANSLATE_NOOP("Words", "Group by the next axis"), keys({"X"})},
        {"timeline.colour", QT_TRANSLATE_NOOP("Words", "Timeline: lanes"),
         QT_TRANSLATE_NOOP("Words", "Colour by the next axis"), keys({"Shift+X"})},
        {"timeline.streams", QT_TRANSLATE_NOOP("Words", "Timeline: lanes"),
         QT_TRANSLATE_NOOP("Words", "Communication stream by stream"), keys({"T"})},

        {"timeline.details", QT_TRANSLATE_NOOP("Words", "Timeline: shown"),
         QT_TRANSLATE_NOOP("Words", "Details of the span"), keys({"I"})},
        {"timeline.export", QT_TRANSLATE_NOOP("Words", "Timeline: shown"),
         QT_TRANSLATE_NOOP("Words", "Export the timeline as shown…"), keys({"Ctrl+E"})},
        {"timeline.path", QT_TRANSLATE_NOOP("Words", "Timeline: shown"),
         QT_TRANSLATE_NOOP("Words", "Critical path of the step"), keys({"C"})},
        {"timeline.flows", QT_TRANSLATE_NOOP("Words", "Timeline: shown"),
         QT_TRANSLATE_NOOP("Words", "Arrows from send to receive"), keys({"E"})},
        {"timeline.prediction", QT_TRANSLATE_NOOP("Words", "Timeline: shown"),
         QT_TRANSLATE_NOOP("Words", "Prediction over measurement"), keys({"O"})},
        {"timeline.scalePrediction", QT_TRANSLATE_NOOP("Words", "Timeline: shown"),
         QT_TRANSLATE_NOOP("Words", "Scale the prediction to the step"), keys({"Shift+O"})},
        {"timeline.counters", QT_TRANSLATE_NOOP("Words", "Timeline: shown"),
         QT_TRANSLATE_NOOP("Words", "Curves beneath the lanes"), keys({"K"})},
        {"timeline.minimap", QT_TRANSLATE_NOOP("Words", "Timeline: shown"),
         QT_TRANSLATE_NOOP("Words", "Map of the whole run"), keys({"Shift+M"})},
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
    auto* action = new QAction(command ? Words::tr(command->text) : id, parent);
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

#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

#include <vector>

class QAction;
class QWidget;

namespace triaxis::ui
{

/// Something that a key does. `id` names it in the settings.
struct KeyCommand
{
    const char* id;           ///< "timeline.zoomIn"
    const char* section;      ///< "Timeline"
    const char* text;         ///< "Zoom in"
    QList<QKeySequence> keys; ///< unless a person has chosen others
};

/// All commands whose keys can be changed, by section.
const std::vector<KeyCommand>& keyCommands();
/// Null for an id that there is not.
const KeyCommand* keyCommand(const QString& id);

/// The keys of a command: those that a person has chosen (QSettings), else its own.
QList<QKeySequence> keysOf(const QString& id);
/// Keeps these keys; the command's own are not kept as a choice.
void setKeysOf(const QString& id, const QList<QKeySequence>& keys);
void resetAllKeys();
/// "W, +, Ctrl+Up" for people.
QString keysText(const QList<QKeySequence>& keys);

/// The two may hear the same key: both belong to one place, or to the window, or to the Plan page.
bool meet(const KeyCommand& first, const KeyCommand& second);
/// The other command that meets this one and that one of these keys belongs to; null: none.
const KeyCommand* conflictOf(const QString& id, const QList<QKeySequence>& keys);

/// An action for a command, with its keys, that works wherever it is added to.
QAction* makeCommand(const QString& id, QObject* parent);
/// An action for a command, with its keys, that works while `owner` has the focus.
QAction* addCommand(QWidget* owner, const QString& id);
/// Gives all actions of a window, and of what is in it, the keys as they are now.
void refreshKeys(QWidget* window);

} // namespace triaxis::ui

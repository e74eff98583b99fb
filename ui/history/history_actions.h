#pragma once

#include <QMap>
#include <QObject>

class QAction;
class QMenu;
class QWidget;

namespace triaxis::ui
{

/// Everything that can be done with stored runs, as actions: for menus, buttons and keys.
class HistoryActions : public QObject
{
    Q_OBJECT
public:
    enum Command {
        Search,
        Open,
        Compare,
        Star,
        Label,
        Tags,
        Note,
        Delete,
        Restore,
        Purge,
        EmptyTrash,
        Undo,
        Redo,
        Export,
        Import,
        Report,
        Trace,
        Folder,
        Stop,
        Trash,
        StarredOnly,
        ClearFilters,
        Details,
        Prune,
        Rebuild
    };
    /// What there is to act on.
    struct Situation
    {
        bool shown = false; ///< the page is
        bool table = false; ///< the table is, not one run or a comparison
        bool trash = false;
        bool opened = false; ///< one run is shown in place of the table
        int selected = 0;
        bool allStarred = false;
        bool current = false; ///< there is a run to open, to export
        bool going = false;   ///< and it goes on
        bool stopping = false;
        bool busy = false;      ///< a bundle, pruning or the like is under way
        bool exporting = false; ///< a report or trace
        bool filtered = false;
        int deletedRuns = 0;
    };

    explicit HistoryActions(QObject* parent = nullptr);

    QAction* operator[](Command command) const { return m_actions.value(command); }
    /// Keys that work within `list`, and those that also work beside it within `page`.
    void addTo(QWidget* list, QWidget* table, QWidget* page);
    /// All of them, for the bar of menus.
    QMenu* buildMenu(QWidget* parent) const;
    /// What concerns the selected runs.
    void fillContextMenu(QMenu& menu, bool trash) const;
    void refresh(const Situation& situation);
    void setUndo(const QString& undo, const QString& redo, bool canUndo, bool canRedo);

private:
    void add(Command command, const char* id);
    void enable(std::initializer_list<Command> commands, bool enabled);

    QMap<Command, QAction*> m_actions;
    Situation m_situation;
    QString m_undoText, m_redoText;
    bool m_canUndo = false, m_canRedo = false;
};

} // namespace triaxis::ui

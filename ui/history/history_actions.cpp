#include "ui/history/history_actions.h"

#include "ui/timeline/key_commands.h"

#include <QAction>
#include <QMenu>

namespace triaxis::ui
{
namespace
{

QString withKeys(const QString& hint, const QAction& action)
{
    const QString keys = keysText(action.shortcuts());
    return keys.isEmpty() ? hint : QStringLiteral("%1 (%2)").arg(hint, keys);
}

} // namespace

HistoryActions::HistoryActions(QObject* parent) : QObject(parent)
{
    add(Search, "history.search");
    add(Open, "history.open");
    add(Compare, "history.compare");
    add(Star, "history.star");
    add(Label, "history.label");
    add(Tags, "history.tags");
    add(Note, "history.note");
    add(Delete, "history.delete");
    add(Restore, "history.restore");
    add(Purge, "history.purge");
    add(EmptyTrash, "history.emptyTrash");
    add(Undo, "history.undo");
    add(Redo, "history.redo");
    add(Export, "history.export");
    add(Import, "history.import");
    add(Report, "history.report");
    add(Trace, "history.trace");
    add(Folder, "history.folder");
    add(Stop, "history.stop");
    add(Trash, "history.trash");
    add(StarredOnly, "history.starredOnly");
    add(ClearFilters, "history.clearFilters");
    add(Details, "history.details");
    add(Prune, "history.prune");
    add(Rebuild, "history.rebuild");
    for (const Command command : {Trash, StarredOnly, Details})
        m_actions[command]->setCheckable(true);
    refresh({});
}

void HistoryActions::add(Command command, const char* id)
{
    QAction* action = makeCommand(QLatin1String(id), this);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_actions[command] = action;
}

void HistoryActions::addTo(QWidget* list, QWidget* table, QWidget* page)
{
    for (auto at = m_actions.begin(); at != m_actions.end(); ++at) {
        switch (at.key()) {
        case Open: // Return in a field is the field's
            table->addAction(at.value());
            break;
        case Report:
        case Trace:
        case Folder:
        case Stop:
        case Import:
        case Export:
            page->addAction(at.value());
            break;
        default:
            list->addAction(at.value());
        }
    }
}

QMenu* HistoryActions::buildMenu(QWidget* parent) const
{
    auto* menu = new QMenu(tr("H&istory"), parent);
    menu->setToolTipsVisible(true);
    const std::initializer_list<QList<Command>> groups{
        {Undo, Redo},
        {Open, Compare, Stop},
        {Star, Label, Tags, Note},
        {Report, Trace, Folder},
        {Export, Import},
        {Delete, Restore, Purge, EmptyTrash},
        {Search, StarredOnly, ClearFilters, Trash, Details},
        {Prune, Rebuild}};
    for (const QList<Command>& group : groups) {
        if (!menu->isEmpty())
            menu->addSeparator();
        for (const Command command : group)
            menu->addAction(m_actions[command]);
    }
    return menu;
}

void HistoryActions::fillContextMenu(QMenu& menu, bool trash) const
{
    const QList<QList<Command>> groups =
        trash ? QList<QList<Command>>{{Open}, {Restore, Purge}}
              : QList<QList<Command>>{{Open, Compare, Stop},
                                      {Star, Label, Tags, Note},
                                      {Export, Report, Trace, Folder},
                                      {Delete}};
    for (const QList<Command>& group : groups) {
        if (!menu.isEmpty())
            menu.addSeparator();
        for (const Command command : group)
            if (command != Stop || m_actions[command]->isEnabled())
                menu.addAction(m_actions[command]);
    }
}

void HistoryActions::enable(std::initializer_list<Command> commands, bool enabled)
{
    for (const Command command : commands)
        m_actions[command]->setEnabled(enabled);
}

void HistoryActions::setUndo(const QString& undo, const QString& redo, bool canUndo, bool canRedo)
{
    m_undoText = undo;
    m_redoText = redo;
    m_canUndo = canUndo;
    m_canRedo = canRedo;
    refresh(m_situation);
}

void HistoryActions::refresh(const Situation& now)
{
    m_situation = now;
    const bool rows = now.shown && now.table && now.selected > 0;
    const bool live = rows && !now.trash;
    const bool one = (now.shown && now.opened) || (live && now.selected == 1);
    enable({Search, Import, Trash, Prune, Rebuild}, true);
    enable({Import, Prune, Rebuild}, !now.busy);
    enable({Open}, now.shown && now.table && now.current);
    enable({Compare}, live && now.selected > 1);
    enable({Star, Tags}, live);
    enable({Label, Note}, live && now.selected == 1);
    enable({Delete}, live);
    enable({Restore, Purge}, rows && now.trash);
    enable({EmptyTrash}, now.shown && now.table && now.trash && now.deletedRuns > 0);
    enable({Export}, !now.busy && ((now.shown && now.opened) || live));
    enable({Report, Trace}, one && !now.exporting);
    enable({Folder}, (now.shown && now.opened) || (rows && now.selected == 1));
    enable({Stop}, now.shown && now.going && !now.stopping);
    enable({StarredOnly, Details}, now.shown && now.table);
    enable({ClearFilters}, now.shown && now.table && now.filtered);
    enable({Undo}, now.shown && now.table && m_canUndo);
    enable({Redo}, now.shown && now.table && m_canRedo);

    QAction& compare = *m_actions[Compare];
    compare.setToolTip(
        now.selected > 1
            ? withKeys(tr("Lay the %1 selected runs side by side").arg(now.selected), compare)
            : withKeys(tr("Select several runs with Ctrl or Shift, then compare them"), compare));
    m_actions[Star]->setText(now.allStarred ? tr("Take the star away") : tr("Give a star"));
    m_actions[Stop]->setText(now.stopping ? tr("Stopping…") : tr("Stop the run after its step"));
    m_actions[Undo]->setText(m_canUndo ? tr("Undo: %1").arg(m_undoText) : tr("Undo"));
    m_actions[Redo]->setText(m_canRedo ? tr("Redo: %1").arg(m_redoText) : tr("Redo"));
    m_actions[Trash]->setChecked(now.trash);
    m_actions[Open]->setToolTip(withKeys(
        now.going ? tr("Watch this run as it goes on") : tr("Open this run"), *m_actions[Open]));
}

} // namespace triaxis::ui

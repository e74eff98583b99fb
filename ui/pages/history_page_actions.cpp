// What the actions of the page do.

#include "ui/pages/history_page.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/compare/comparison_view.h"
#include "ui/history/filter_bar.h"
#include "ui/history/history_jobs.h"
#include "ui/history/history_list.h"
#include "ui/history/history_table.h"
#include "ui/history/history_text.h"
#include "ui/history/run_details.h"
#include "ui/history/run_edits.h"
#include "ui/models/history_model.h"
#include "ui/run/run_view.h"
#include "ui/run/stop_request.h"
#include "ui/widgets/banner.h"

#include <QAction>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace triaxis::ui
{
void HistoryPage::connectActions()
{
    const auto when = [this](HistoryActions::Command command, auto act) {
        connect((*m_actions)[command], &QAction::triggered, this, act);
    };
    using Actions = HistoryActions;
    when(Actions::Search, [this] {
        emit pageRequested();
        if (!isTable())
            showTable();
        m_list->filters()->focusSearch();
    });
    when(Actions::Open, [this] { openSelected(); });
    when(Actions::Compare, [this] { compareSelected(); });
    when(Actions::Star, [this] { toggleStar(); });
    when(Actions::Label, [this] { edit(&HistoryPage::focusLabel); });
    when(Actions::Tags, [this] { edit(&HistoryPage::focusTags); });
    when(Actions::Note, [this] { edit(&HistoryPage::focusNote); });
    when(Actions::Delete, [this] { deleteSelected(); });
    when(Actions::Restore, [this] { m_edits->restore(selectedIds()); });
    when(Actions::Purge, [this] { purge(selectedIds()); });
    when(Actions::EmptyTrash, [this] { emptyTrash(); });
    when(Actions::Export, [this] { exportBundle(); });
    when(Actions::Import, [this] { askImport(); });
    when(Actions::Report,
         [this] { isComparing() ? exportComparison() : exportRun(Exporter::Format::Report); });
    when(Actions::Trace, [this] { exportRun(Exporter::Format::Trace); });
    when(Actions::Folder, [this] { showFolder(); });
    when(Actions::Stop, [this] { stopRun(); });
    when(Actions::Trash, [this] { setTrash(!m_list->isTrash()); });
    when(Actions::StarredOnly, [this](bool only) { m_list->setStarredOnly(only); });
    when(Actions::ClearFilters, [this] { m_list->clearFilters(); });
    when(Actions::Details, [this](bool shown) { m_list->showDetails(shown); });
    when(Actions::Prune, [this] { askPrune(); });
    when(Actions::Rebuild, [this] {
        emit pageRequested();
        m_jobs->rebuild();
        say(int(Banner::Kind::Note), tr("The history is made anew …"),
            tr("All run directories are read; runs and notes stay as they are."));
    });
    QUndoStack& stack = m_edits->stack();
    when(Actions::Undo, [this, &stack] {
        m_list->details()->flush();
        stack.undo();
    });
    when(Actions::Redo, [&stack] { stack.redo(); });
    connect(&stack, &QUndoStack::indexChanged, this, [this, &stack] {
        m_actions->setUndo(stack.undoText(), stack.redoText(), stack.canUndo(), stack.canRedo());
    });
}

void HistoryPage::connectEdits()
{
    RunDetails* details = m_list->details();
    connect(details, &RunDetails::labelEdited, m_edits, &RunEdits::setLabel);
    connect(details, &RunDetails::noteEdited, m_edits, &RunEdits::setNote);
    connect(details, &RunDetails::tagAdded, m_edits, &RunEdits::addTag);
    connect(details, &RunDetails::tagRemoved, m_edits, &RunEdits::removeTag);
    connect(details, &RunDetails::starEdited, m_edits, &RunEdits::setStarred);
    connect(m_list->table(), &HistoryTable::starRequested, this, [this](const QString& id) {
        const RunSummary* run = model()->runAt(model()->rowOf(id));
        if (run != nullptr && run->deletedUtc.empty())
            m_edits->setStarred({id}, !run->starred);
    });
    connect(m_edits, &RunEdits::noted, this, [this](const std::vector<RunSummary>& runs) {
        model()->replace(runs);
        m_list->reload(); // what is filtered or sorted by it may have changed
    });
    connect(m_edits, &RunEdits::moved, m_list, &HistoryList::reload);
    connect(m_edits, &RunEdits::removed, this, [this](const QStringList& ids) {
        say(int(Banner::Kind::Note), tr("%1 moved to the trash").arg(runsText(ids.size())), {},
            tr("Undo"), [this] {
                m_banner->dismiss();
                m_edits->stack().undo();
            });
    });
    connect(m_edits, &RunEdits::restored, this, [this](const QStringList& ids) {
        say(int(Banner::Kind::Good), tr("%1 restored").arg(runsText(ids.size())), {},
            tr("All runs"), [this, ids] {
                m_banner->dismiss();
                setTrash(false);
                m_list->table()->select(ids.back());
            });
    });
    connect(m_edits, &RunEdits::purged, this, [this](int runs, qint64 bytes) {
        say(int(Banner::Kind::Note), tr("%1 deleted for good").arg(runsText(runs)),
            tr("%1 are free again").arg(spoken(units::bytes(bytes))));
    });
    connect(m_edits, &RunEdits::failed, details, &RunDetails::forgetSent);
    connect(m_edits, &RunEdits::failed, this, &HistoryPage::fail);
    connect(m_jobs, &HistoryJobs::progress, this, [this](const QString& text) {
        say(int(Banner::Kind::Note), text, {}, tr("Cancel"), [this] { m_jobs->cancel(); });
    });
    connect(m_jobs, &HistoryJobs::failed, this,
            [this](const QString& title, const QString& detail) {
                m_list->reload();
                fail(title, detail);
            });
    connect(m_jobs, &HistoryJobs::finished, this,
            [this](const QString& title, const QString& detail, const QString& last,
                   const QString& folder) {
                if (!last.isEmpty())
                    m_list->table()->select(last);
                m_list->reload();
                if (folder.isEmpty())
                    say(int(Banner::Kind::Good), title, detail);
                else
                    sayExported(title, detail, folder);
            });
}

void HistoryPage::stopRun()
{
    try {
        requestStop(currentDirectory().toStdString());
        m_stopAsked = currentDirectory();
    } catch (const Error& error) {
        fail(tr("The run cannot be stopped"), spoken(error.object() + ". " + error.remedy()));
    }
    refresh();
}

void HistoryPage::openSelected()
{
    const QString directory = currentDirectory();
    if (!directory.isEmpty())
        openRun(directory);
}

void HistoryPage::openRun(const QString& directory)
{
    m_banner->dismiss();
    m_list->details()->flush();
    m_view->open(directory);
    m_stack->setCurrentWidget(m_view);
    refresh();
    m_view->setFocus();
}

void HistoryPage::showTable()
{
    m_banner->dismiss();
    m_stack->setCurrentWidget(m_list);
    m_view->close();
    m_comparison->clear();
    m_list->reload();
    refresh();
    m_list->table()->setFocus();
}

void HistoryPage::setTrash(bool trash)
{
    emit pageRequested();
    m_banner->dismiss();
    if (!isTable())
        showTable();
    m_list->setTrash(trash);
    refresh();
}

void HistoryPage::compareRuns(const QStringList& directories)
{
    m_banner->dismiss();
    m_comparison->compare(directories);
    m_stack->setCurrentWidget(m_comparison);
    refresh();
    m_comparison->setFocus();
}

void HistoryPage::compareSelected()
{
    QStringList directories;
    for (const RunSummary& run : m_list->table()->selectedRuns())
        directories << toQString(run.directory);
    if (directories.size() > 1)
        compareRuns(directories);
}

void HistoryPage::toggleStar()
{
    const std::vector<RunSummary> runs = m_list->table()->selectedRuns();
    const bool all =
        std::all_of(runs.begin(), runs.end(), [](const RunSummary& run) { return run.starred; });
    m_edits->setStarred(selectedIds(), !all);
}

void HistoryPage::deleteSelected()
{
    m_list->details()->flush();
    m_edits->remove(selectedIds());
}

bool HistoryPage::mayPurge(int runs) const
{
    if (m_ask)
        return m_ask(runs);
    QMessageBox question(QMessageBox::Warning, tr("Delete for good"),
                         tr("Delete %1 for good?").arg(runsText(runs)), QMessageBox::Cancel,
                         window());
    question.setInformativeText(
        tr("Their records, losses, timelines and notes are gone then; nothing "
           "brings them back."));
    const QAbstractButton* yes =
        question.addButton(tr("Delete for good"), QMessageBox::DestructiveRole);
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    return question.clickedButton() == yes;
}

void HistoryPage::purge(const QStringList& ids)
{
    if (!ids.isEmpty() && mayPurge(int(ids.size())))
        m_edits->purge(ids);
}

void HistoryPage::emptyTrash()
{
    if (!mayPurge(m_list->storage().deletedRuns))
        return;
    // All of them, also those that no page has shown yet.
    m_service.ask(this, [this](History& history) -> Background::Delivery {
        RunQuery query;
        query.deleted = true;
        query.limit = -1;
        QStringList ids;
        for (const RunSummary& run : history.runs(query))
            ids << toQString(run.id);
        return [this, ids] { m_edits->purge(ids); };
    });
}

void HistoryPage::edit(void (HistoryPage::*focus)())
{
    m_list->showDetails(true);
    (this->*focus)();
}

void HistoryPage::focusLabel()
{
    m_list->details()->focusLabel();
}

void HistoryPage::focusTags()
{
    m_list->details()->focusTags();
}

void HistoryPage::focusNote()
{
    m_list->details()->focusNote();
}

void HistoryPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !isTable()) {
        showTable();
        return;
    }
    if (event->key() == Qt::Key_Escape && m_list->isTrash()) {
        setTrash(false);
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace triaxis::ui

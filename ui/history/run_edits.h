#pragma once

#include "storage/run_summary.h"
#include "ui/history/notes_change.h"

#include <QObject>
#include <QStringList>
#include <QUndoStack>

#include <functional>

namespace triaxis::ui
{

class HistoryService;

/// Changes of stored runs that a person can take back: notes, and the way into the trash. They
/// happen on the history's thread; a step of the stack is made once its change is done.
class RunEdits : public QObject
{
    Q_OBJECT
public:
    using Notes = std::vector<std::pair<std::string, NotesChange>>; ///< by run

    explicit RunEdits(HistoryService& service, QObject* parent = nullptr);

    void setStarred(const QStringList& ids, bool starred);
    void addTag(const QStringList& ids, const QString& tag);
    void removeTag(const QStringList& ids, const QString& tag);
    /// Empty: the run has none, whatever its plan says.
    void setLabel(const QString& id, const QString& label);
    void setNote(const QString& id, const QString& note);
    /// To the trash, and back.
    void remove(const QStringList& ids);
    void restore(const QStringList& ids);
    /// Deletes runs of the trash for good; what was done before cannot be taken back any more.
    void purge(const QStringList& ids);

    QUndoStack& stack() { return m_stack; }

    /// What the steps of the stack call.
    void applyNotes(const Notes& changes);
    void move(const QStringList& ids, bool toTrash);

signals:
    /// Figures and notes of these runs are new; they are where they were.
    void noted(const std::vector<triaxis::RunSummary>& runs);
    /// Runs have come or gone.
    void moved();
    void removed(const QStringList& ids);
    void restored(const QStringList& ids);
    void purged(int runs, qint64 bytes);
    void failed(const QString& title, const QString& detail);

private:
    void edit(const QStringList& ids, const QString& text, bool merges,
              std::function<void(RunNotes&)> change);
    void push(const QStringList& ids, bool toTrash);

    HistoryService& m_service;
    QUndoStack m_stack;
};

} // namespace triaxis::ui

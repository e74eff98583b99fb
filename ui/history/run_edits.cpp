#include "ui/history/run_edits.h"

#include "engine/core/error.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/history/history_text.h"
#include "ui/models/history_service.h"

#include <QDateTime>
#include <QUndoCommand>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

/// The first thing that went wrong, and with how many runs.
struct Trouble
{
    int count = 0;
    QString title, detail;

    void add(const Error& error)
    {
        if (count++ > 0)
            return;
        title = spoken(error.tried());
        detail = spoken(error.object() + ". " + error.remedy());
    }
    QString text() const
    {
        return count < 2 ? detail
                         : RunEdits::tr("%1 (and %2 more like it)").arg(detail).arg(count - 1);
    }
};

/// Runs what can be run, run by run; what goes wrong with one does not keep the others.
template <class Do>
Trouble forEach(const QStringList& ids, Do act)
{
    Trouble trouble;
    for (const QString& id : ids) {
        try {
            act(id.toStdString());
        } catch (const Error& error) {
            trouble.add(error);
        }
    }
    return trouble;
}

constexpr int mergingId = 1;
constexpr qint64 mergingMilliseconds = 5000;

/// Its change has been made when it is pushed.
class NotesStep : public QUndoCommand
{
public:
    NotesStep(RunEdits& edits, RunEdits::Notes there, RunEdits::Notes back, const QString& text,
              bool merges)
        : QUndoCommand(text), m_edits(edits), m_there(std::move(there)), m_back(std::move(back)),
          m_merges(merges)
    {
    }
    void redo() override
    {
        if (!m_first)
            m_edits.applyNotes(m_there);
        m_first = false;
    }
    void undo() override { m_edits.applyNotes(m_back); }
    int id() const override { return m_merges ? mergingId : -1; }
    bool mergeWith(const QUndoCommand* other) override
    {
        // Typing on in one field of one run is one step.
        const auto* later = static_cast<const NotesStep*>(other);
        if (later->m_at - m_at > mergingMilliseconds || later->text() != text() ||
            m_there.size() != 1 || later->m_there.size() != 1 ||
            later->m_there.front().first != m_there.front().first)
            return false;
        m_there = later->m_there;
        m_at = later->m_at;
        return true;
    }

private:
    RunEdits& m_edits;
    RunEdits::Notes m_there, m_back;
    bool m_merges;
    bool m_first = true;
    qint64 m_at = QDateTime::currentMSecsSinceEpoch();
};

class MoveStep : public QUndoCommand
{
public:
    MoveStep(RunEdits& edits, QStringList ids, bool toTrash)
        : QUndoCommand(toTrash ? RunEdits::tr("Delete %1").arg(runsText(ids.size()))
                               : RunEdits::tr("Restore %1").arg(runsText(ids.size()))),
          m_edits(edits), m_ids(std::move(ids)), m_toTrash(toTrash)
    {
    }
    void redo() override
    {
        if (!m_first)
            m_edits.move(m_ids, m_toTrash);
        m_first = false;
    }
    void undo() override { m_edits.move(m_ids, !m_toTrash); }

private:
    RunEdits& m_edits;
    QStringList m_ids;
    bool m_toTrash;
    bool m_first = true;
};

} // namespace

RunEdits::RunEdits(HistoryService& service, QObject* parent) : QObject(parent), m_service(service)
{
    m_stack.setUndoLimit(200);
}

void RunEdits::edit(const QStringList& ids, const QString& text, bool merges,
                    std::function<void(RunNotes&)> change)
{
    if (ids.isEmpty())
        return;
    m_service.ask(this, [=, this](History& history) -> Background::Delivery {
        Notes there, back;
        std::vector<RunSummary> runs;
        const Trouble trouble = forEach(ids, [&](const std::string& id) {
            RunNotes before;
            history.edit(id, [&](RunNotes& notes) {
                before = notes;
                change(notes);
            });
            const RunNotes after = history.notes(id);
            runs.push_back(history.run(id));
            if (before == after)
                return;
            there.emplace_back(id, changeBetween(before, after));
            back.emplace_back(id, changeBetween(after, before));
        });
        return [=, this] {
            if (!there.empty())
                m_stack.push(new NotesStep(*this, there, back, text, merges));
            if (!runs.empty())
                emit noted(runs);
            if (trouble.count > 0)
                emit failed(trouble.title, trouble.text());
        };
    });
}

void RunEdits::applyNotes(const Notes& changes)
{
    m_service.ask(this, [=, this](History& history) -> Background::Delivery {
        std::vector<RunSummary> runs;
        Trouble trouble;
        for (const auto& [id, change] : changes) {
            try {
                history.edit(id, [&](RunNotes& notes) { apply(change, notes); });
                runs.push_back(history.run(id));
            } catch (const Error& error) {
                trouble.add(error);
            }
        }
        return [=, this] {
            emit noted(runs);
            if (trouble.count > 0)
                emit failed(trouble.title, trouble.text());
        };
    });
}

void RunEdits::setStarred(const QStringList& ids, bool starred)
{
    edit(ids, starred ? tr("Give a star") : tr("Take a star away"), false,
         [starred](RunNotes& notes) { notes.starred = starred; });
}

void RunEdits::addTag(const QStringList& ids, const QString& tag)
{
    edit(ids, tr("Add tag “%1”").arg(tag), false, [tag = tag.toStdString()](RunNotes& notes) {
        if (std::find(notes.tags.begin(), notes.tags.end(), tag) == notes.tags.end())
            notes.tags.push_back(tag);
    });
}

void RunEdits::removeTag(const QStringList& ids, const QString& tag)
{
    edit(ids, tr("Take tag “%1” away").arg(tag), false,
         [tag = tag.toStdString()](RunNotes& notes) { std::erase(notes.tags, tag); });
}

void RunEdits::setLabel(const QString& id, const QString& label)
{
    edit({id}, tr("Label"), true,
         [label = label.toStdString()](RunNotes& notes) { notes.label = label; });
}

void RunEdits::setNote(const QString& id, const QString& note)
{
    edit({id}, tr("Note"), true,
         [note = note.toStdString()](RunNotes& notes) { notes.note = note; });
}

void RunEdits::remove(const QStringList& ids)
{
    push(ids, true);
}

void RunEdits::restore(const QStringList& ids)
{
    push(ids, false);
}

void RunEdits::push(const QStringList& ids, bool toTrash)
{
    if (ids.isEmpty())
        return;
    m_service.ask(this, [=, this](History& history) -> Background::Delivery {
        QStringList done;
        const Trouble trouble = forEach(ids, [&](const std::string& id) {
            toTrash ? history.remove(id) : history.restore(id);
            done << toQString(id);
        });
        return [=, this] {
            if (!done.isEmpty()) {
                m_stack.push(new MoveStep(*this, done, toTrash));
                emit moved();
                toTrash ? emit removed(done) : emit restored(done);
            }
            if (trouble.count > 0)
                emit failed(trouble.title, trouble.text());
        };
    });
}

void RunEdits::move(const QStringList& ids, bool toTrash)
{
    m_service.ask(this, [=, this](History& history) -> Background::Delivery {
        const Trouble trouble = forEach(ids, [&](const std::string& id) {
            toTrash ? history.remove(id) : history.restore(id);
        });
        return [=, this] {
            emit moved();
            if (trouble.count > 0)
                emit failed(trouble.title, trouble.text());
        };
    });
}

void RunEdits::purge(const QStringList& ids)
{
    if (ids.isEmpty())
        return;
    m_service.ask(this, [=, this](History& history) -> Background::Delivery {
        int runs = 0;
        qint64 bytes = 0;
        const Trouble trouble = forEach(ids, [&](const std::string& id) {
            const std::int64_t size = history.run(id, true).bytes;
            history.purge(id);
            ++runs;
            bytes += size;
        });
        return [=, this] {
            m_stack.clear();
            emit moved();
            if (runs > 0)
                emit purged(runs, bytes);
            if (trouble.count > 0)
                emit failed(trouble.title, trouble.text());
        };
    });
}

} // namespace triaxis::ui

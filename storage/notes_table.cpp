#include "storage/notes_table.h"

#include "engine/core/error.h"
#include "engine/record/run_notes.h"
#include "engine/record/utc.h"
#include "storage/fold_text.h"
#include "storage/run_summary.h"

#include <sys/stat.h>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

using sqlite::Statement;

RunNotes notesOrNone(const fs::path& directory)
{
    try {
        return readNotes(directory);
    } catch (const Error&) {
        return {};
    }
}

/// Empty for a run that is not in the trash; else never.
std::string deletedTime(const fs::path& directory, const RunNotes& notes)
{
    if (!isInTrash(directory))
        return {};
    if (!notes.deletedUtc.empty())
        return notes.deletedUtc;
    struct stat info
    {
    };
    return utcText(::stat(directory.c_str(), &info) == 0 ? double(info.st_ctim.tv_sec) : 0.0);
}

RunKind kindOf(const RunPlan& plan, const RunNotes& notes)
{
    if (!notes.importedUtc.empty())
        return RunKind::Imported;
    return plan.execution.pace.active() ? RunKind::Paced : RunKind::Measured;
}

std::string searchText(const std::string& id, const RunPlan& plan, const RunNotes& notes)
{
    const Layout& layout = plan.layout;
    std::string text = id + '\n' + plan.label + '\n' + plan.model.name + '\n' +
                       std::to_string(layout.dp) + 'x' + std::to_string(layout.tp) + 'x' +
                       std::to_string(layout.pp) + '\n' + plan.training.schedule;
    for (const std::string& tag : notes.tags)
        text += '\n' + tag;
    return folded(text + '\n' + notes.note);
}

} // namespace

bool isInTrash(const fs::path& directory)
{
    return directory.parent_path().filename() == "trash";
}

void writeNotesRow(sqlite::Database& database, const RunDirectory& run, const RunPlan& plan)
{
    // The stamp first: a change that comes between is read again.
    const std::int64_t stamp = notesStamp(run.path());
    const RunNotes notes = notesOrNone(run.path());
    Statement update(database, "UPDATE runs SET label = ?2, note = ?3, starred = ?4, deleted = ?5, "
                               "notes_stamp = ?6, search = ?7, kind = ?8 WHERE id = ?1");
    update.bind(1, run.id()).bind(2, plan.label).bind(3, notes.note).bind(4, int(notes.starred));
    update.bind(5, deletedTime(run.path(), notes)).bind(6, stamp);
    update.bind(7, searchText(run.id(), plan, notes));
    update.bind(8, std::string(toText(kindOf(plan, notes)))).run();
    Statement(database, "DELETE FROM tags WHERE run = ?").bind(1, run.id()).run();
    Statement insert(database, "INSERT INTO tags (run, tag) VALUES (?, ?)");
    for (const std::string& tag : notes.tags)
        insert.bind(1, run.id()).bind(2, tag).run();
}

} // namespace triaxis

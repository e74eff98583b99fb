#include "ui/history/notes_change.h"

#include <algorithm>
#include <iterator>

namespace triaxis::ui
{
namespace
{

std::vector<std::string> without(const std::vector<std::string>& all,
                                 const std::vector<std::string>& some)
{
    std::vector<std::string> rest;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rest), [&](const std::string& tag) {
        return std::find(some.begin(), some.end(), tag) == some.end();
    });
    return rest;
}

} // namespace

NotesChange changeBetween(const RunNotes& before, const RunNotes& after)
{
    NotesChange change;
    if (before.label != after.label)
        change.label = after.label;
    if (before.note != after.note)
        change.note = after.note;
    if (before.starred != after.starred)
        change.starred = after.starred;
    change.added = without(after.tags, before.tags);
    change.removed = without(before.tags, after.tags);
    return change;
}

void apply(const NotesChange& change, RunNotes& notes)
{
    if (change.label)
        notes.label = *change.label;
    notes.note = change.note.value_or(notes.note);
    notes.starred = change.starred.value_or(notes.starred);
    notes.tags = without(notes.tags, change.removed);
    const std::vector<std::string> added = without(change.added, notes.tags);
    notes.tags.insert(notes.tags.end(), added.begin(), added.end());
}

} // namespace triaxis::ui

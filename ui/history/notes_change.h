#pragma once

#include "engine/record/run_notes.h"

namespace triaxis::ui
{

/// What an edit does to a person's notes of a run: only what it touches, so that it can be taken
/// back after somebody else has noted something beside it.
struct NotesChange
{
    std::optional<std::optional<std::string>> label; ///< the inner one empty: the plan's own
    std::optional<std::string> note;
    std::optional<bool> starred;
    std::vector<std::string> added, removed; ///< tags
    bool operator==(const NotesChange&) const = default;
};

/// The change that makes `after` of `before`.
NotesChange changeBetween(const RunNotes& before, const RunNotes& after);
/// Tags that are there already are not added twice.
void apply(const NotesChange& change, RunNotes& notes);

} // namespace triaxis::ui

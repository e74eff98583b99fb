#pragma once

#include "engine/record/run_directory.h"

#include <functional>
#include <vector>

namespace triaxis
{

/// Where run directories lie under a home: in "runs", deleted ones in "trash".
std::filesystem::path runPlace(const std::filesystem::path& home, const std::string& id,
                               bool deleted);
/// The folders in home/runs or home/trash, by name; links are left out, since they could lead anywhere.
std::vector<std::filesystem::path> runDirectories(const std::filesystem::path& home, bool deleted);

/// Moves a run's directory to the trash, and back. Throws Error for a run that goes on, and where something is in the way.
void moveToTrash(const std::filesystem::path& home, const RunDirectory& run);
void moveFromTrash(const std::filesystem::path& home, const RunDirectory& run);
/// Deletes a run of the trash for good; a program that is killed meanwhile leaves no half of it there.
void removeFromTrash(const std::filesystem::path& home, const RunDirectory& run);

/// Reads the notes of a run, lets `change` at them and writes them; of several programs one after the other.
void changeNotes(const std::filesystem::path& directory,
                 const std::function<void(struct RunNotes&)>& change);

} // namespace triaxis

#include "storage/run_places.h"

#include "engine/core/error.h"
#include "engine/record/run_notes.h"
#include "engine/record/utc.h"
#include "storage/directory_lock.h"
#include "storage/move_directory.h"
#include "storage/staging.h"

#include <algorithm>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

/// A draft that nobody has started for so long will not be.
constexpr double draftSeconds = 3600;

bool goesOn(const RunStatus& status)
{
    if (status.state == RunState::Draft)
        return unixTime() - status.heartbeat < draftSeconds;
    return !isFinal(status.state);
}

/// For what can do without: on a full disk a run must still go to the trash.
void tryNotes(const fs::path& directory, const std::function<void(RunNotes&)>& change)
{
    try {
        changeNotes(directory, change);
    } catch (const Error&) {
    }
}

} // namespace

fs::path runPlace(const fs::path& home, const std::string& id, bool deleted)
{
    return home / (deleted ? "trash" : "runs") / fs::path(id).filename();
}

std::vector<fs::path> runDirectories(const fs::path& home, bool deleted)
{
    std::vector<fs::path> directories;
    std::error_code code;
    for (fs::directory_iterator entry(home / (deleted ? "trash" : "runs"), code), end;
         !code && entry != end; entry.increment(code)) {
        std::error_code unknown;
        if (entry->symlink_status(unknown).type() == fs::file_type::directory)
            directories.push_back(entry->path());
    }
    std::sort(directories.begin(), directories.end());
    return directories;
}

void moveToTrash(const fs::path& home, const RunDirectory& run)
{
    constexpr const char* tried = "cannot delete the run";
    if (goesOn(run.status()))
        throw Error(tried, run.id() + ": it goes on", "stop it first");
    tryNotes(run.path(), [](RunNotes& notes) { notes.deletedUtc = utcText(unixTime()); });
    if (!moveDirectory(run.path(), runPlace(home, run.id(), true), tried))
        throw Error(tried, run.id() + ": another run of this id is in the trash",
                    "delete that one for good first: triaxis delete --for-good " + run.id());
}

void moveFromTrash(const fs::path& home, const RunDirectory& run)
{
    constexpr const char* tried = "cannot restore the run";
    const fs::path place = runPlace(home, run.id(), false);
    if (!moveDirectory(run.path(), place, tried))
        throw Error(tried, run.id() + ": another run of this id is in the history",
                    "delete that one first");
    tryNotes(place, [](RunNotes& notes) { notes.deletedUtc.clear(); });
}

void removeFromTrash(const fs::path& home, const RunDirectory& run)
{
    constexpr const char* tried = "cannot delete the run for good";
    const Staging staging(home);
    if (!moveDirectory(run.path(), staging.path() / run.id(), tried))
        throw Error(tried, run.id() + ": it is in the way of itself", "try again");
    std::error_code code;
    fs::remove_all(staging.path() / run.id(), code);
    if (code)
        throw Error(tried, run.id() + ": " + code.message(), "check the permissions of its files");
}

void changeNotes(const fs::path& directory, const std::function<void(RunNotes&)>& change)
{
    const DirectoryLock lock = DirectoryLock::wait(directory);
    const RunNotes before = readNotes(directory);
    RunNotes notes = before;
    change(notes);
    if (notes != before)
        writeNotes(directory, notes);
}

} // namespace triaxis

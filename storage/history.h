#pragma once

#include "engine/record/records.h"
#include "engine/record/run_directory.h"
#include "engine/record/run_notes.h"
#include "storage/bundle.h"
#include "storage/prune.h"
#include "storage/run_summary.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace triaxis
{

/// The history: an SQLite index over the run directories, home/runs and those of deleted runs in home/trash. The directories are
/// the truth, also for what a person has noted (run_notes.h); the history can be rebuilt from them. Safe for several processes; one object belongs to one thread.
class History
{
public:
    /// Opens or makes history.db in `home`, migrates an older schema, refuses a newer one with Error.
    explicit History(const std::filesystem::path& home);
    ~History();
    History(History&&) noexcept;

    /// Brings the row, steps, summary and offsets of one run up to date. Idempotent.
    void index(const RunDirectory& run);
    /// Indexes every run directory under home/runs and home/trash; returns how many there are in home/runs. Of runs that had ended
    /// when they were indexed only changed notes are read again; those whose directory is gone are forgotten. `rebuild` drops all rows first.
    int refresh(bool rebuild = false);

    std::vector<RunSummary> runs(const RunQuery& query = {}) const;
    int count(const RunQuery& query = {}) const { return totals(query).runs; }
    RunTotals totals(const RunQuery& query = {}) const;
    /// How many runs each filter's values have; `query`'s page and order do not matter.
    RunFacets facets(const RunQuery& query = {}) const;
    StorageUse storage() const;
    /// By id or by unique prefix of it; "last" is the newest. Throws Error if there is none or several. `deleted`: of those in the
    /// trash.
    RunSummary run(const std::string& idOrPrefix, bool deleted = false) const;
    std::vector<StepResult> steps(const std::string& id) const;

    /// What a person has noted with a run, from its directory.
    RunNotes notes(const std::string& id) const;
    /// Changes that: `change` gets the notes as they are and may run while other programs wait to note something. Throws Error; then
    /// everything is as it was.
    void edit(const std::string& id, const std::function<void(RunNotes&)>& change);

    /// Moves the run to the trash, home/trash; `restore` takes it back. Throws Error for a run that goes on.
    void remove(const std::string& id);
    void restore(const std::string& id);
    /// Deletes a run of the trash for good.
    void purge(const std::string& id);

    /// What pruning by these rules would free (prune.h).
    PrunePlan prunePlan(const PruneRules& rules) const;
    /// Drops the spans of a run that has ended, but for the step that stands for it; returns the bytes freed. Throws Error; files are
    /// replaced one by one, so that what was done stays and the rest can be done again.
    std::int64_t prune(const std::string& id);

    /// Writes a run to a bundle, and takes one in (bundle.h).
    void exportRun(const std::string& id, const std::filesystem::path& file,
                   const BundleProgress& progress = {}) const;
    ImportedRun importRun(const std::filesystem::path& file, const BundleProgress& progress = {});

    /// Another value whenever the tables have been changed, by this object or by another program.
    std::int64_t changeStamp() const;

    /// What a person should know of the calls since the last one: a damaged history.db that was set aside and made anew, run
    /// directories that were skipped because they cannot be read. One sentence each.
    std::vector<std::string> takeNotes();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace triaxis

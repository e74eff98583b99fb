#include "storage/history.h"

#include "engine/core/error.h"
#include "engine/record/utc.h"
#include "storage/damaged_error.h"
#include "storage/damaged_file.h"
#include "storage/kept_step.h"
#include "storage/notes_table.h"
#include "storage/pruned_file.h"
#include "storage/run_facets.h"
#include "storage/run_places.h"
#include "storage/run_selection.h"
#include "storage/run_tables.h"
#include "storage/schema.h"
#include "storage/sqlite.h"
#include "storage/staging.h"
#include "storage/thin_record.h"

#include <map>
#include <optional>
#include <set>

namespace triaxis
{
namespace fs = std::filesystem;
struct History::Impl
{
    explicit Impl(fs::path place) : home(std::move(place)), file(home / "history.db") {}

    fs::path home;
    fs::path file;
    std::optional<sqlite::Database> database;
    std::vector<std::string> notes;

    void open();
    void repair();
    int refresh(bool rebuild);
    /// What the tables know of a run.
    struct Known
    {
        bool complete = false;
        bool deleted = false;
        std::int64_t notesStamp = 0;
    };
    std::map<std::string, Known> known() const;
    bool indexOrSkip(const fs::path& directory, const Known& before);
    bool movedMeanwhile(const std::string& id, const std::set<fs::path>& seen) const;
    RunDirectory directoryOf(const std::string& id, bool deleted) const;

    /// Runs `action`; if the file turns out to be damaged, makes a new one from the run directories
    /// and tries once more.
    template <class Action>
    auto guarded(Action action)
    {
        try {
            return action();
        } catch (const DamagedError&) {
            repair();
        }
        return action();
    }
};

void History::Impl::open()
{
    std::error_code code;
    fs::create_directories(home, code);
    if (code)
        throw Error("cannot open the history", home.string() + ": " + code.message(),
                    "set TRIAXIS_HOME to a place that can be written");
    refuseNewer(file, migrations().back().version);
    database.emplace(file);
    migrate(*database, migrations());
}

void History::Impl::repair()
{
    database.reset();
    const fs::path aside = setAsideIfDamaged(file);
    open();
    if (!aside.empty())
        notes.push_back("the history was damaged; it was set aside as " + aside.string() +
                        " and made anew from the run directories");
    refresh(false);
}

std::map<std::string, History::Impl::Known> History::Impl::known() const
{
    sqlite::Statement query(*database, "SELECT id, complete, deleted <> '', notes_stamp FROM runs");
    std::map<std::string, Known> found;
    while (query.step())
        found[query.text(0)] = {query.integer(1) != 0, query.integer(2) != 0, query.integer(3)};
    return found;
}

/// False if the directory holds no run that can be read.
bool History::Impl::indexOrSkip(const fs::path& directory, const Known& before)
{
    const std::string name = directory.filename().string();
    const bool moved = before.deleted != isInTrash(directory);
    if (before.complete && !moved && before.notesStamp == notesStamp(directory))
        return true;
    std::optional<RunDirectory> run;
    try {
        run = RunDirectory::open(directory);
        run->plan();
    } catch (const std::exception& error) {
        notes.push_back("skipped " + name + ": " + error.what());
        return false;
    }
    try {
        readNotes(directory);
    } catch (const Error& error) {
        notes.push_back("the notes of " + name + " are left out: " + error.object());
    }
    if (!before.complete || !RunTables(*database).updateNotes(*run))
        RunTables(*database).update(*run);
    return true;
}

/// The run's directory lies where it did not when directories were listed: somebody has deleted or
/// restored it since.
bool History::Impl::movedMeanwhile(const std::string& id, const std::set<fs::path>& seen) const
{
    for (const bool deleted : {false, true}) {
        const fs::path place = runPlace(home, id, deleted);
        std::error_code code;
        if (!seen.contains(place) && fs::is_directory(fs::symlink_status(place, code)))
            return true;
    }
    return false;
}

int History::Impl::refresh(bool rebuild)
{
    Staging::sweep(home);
    if (rebuild)
        database->execute("DELETE FROM runs");
    const std::map<std::string, Known> before = known();
    std::map<std::string, Known> gone = before;
    std::set<std::string> kept;
    std::set<fs::path> seen;
    for (const bool deleted : {false, true}) {
        for (const fs::path& directory : runDirectories(home, deleted)) {
            const std::string id = directory.filename().string();
            seen.insert(directory);
            if (deleted && kept.contains(id)) {
                notes.push_back("left out " + directory.string() + ": another run has its id");
                continue;
            }
            const auto at = before.find(id);
            if (!indexOrSkip(directory, at == before.end() ? Known{} : at->second))
                continue;
            gone.erase(id);
            if (!deleted)
                kept.insert(id);
        }
    }
    for (const auto& [id, row] : gone)
        if (!movedMeanwhile(id, seen))
            RunTables(*database).remove(id);
    return int(kept.size());
}

RunDirectory History::Impl::directoryOf(const std::string& id, bool deleted) const
{
    return RunDirectory::open(selectRun(*database, home, id, deleted).directory);
}

History::History(const fs::path& home) : m_impl(std::make_unique<Impl>(fs::absolute(home)))
{
    try {
        m_impl->open();
    } catch (const DamagedError&) {
        m_impl->repair();
    }
}

History::~History() = default;
History::History(History&&) noexcept = default;

void History::index(const RunDirectory& run)
{
    m_impl->guarded([&] { RunTables(*m_impl->database).update(run); });
}

int History::refresh(bool rebuild)
{
    return m_impl->guarded([&] { return m_impl->refresh(rebuild); });
}

std::vector<RunSummary> History::runs(const RunQuery& query) const
{
    return m_impl->guarded([&] { return selectRuns(*m_impl->database, m_impl->home, query); });
}

RunTotals History::totals(const RunQuery& query) const
{
    return m_impl->guarded([&] { return selectTotals(*m_impl->database, query); });
}

RunFacets History::facets(const RunQuery& query) const
{
    return m_impl->guarded([&] { return selectFacets(*m_impl->database, query); });
}

StorageUse History::storage() const
{
    return m_impl->guarded([&] { return selectStorage(*m_impl->database); });
}

RunSummary History::run(const std::string& idOrPrefix, bool deleted) const
{
    return m_impl->guarded(
        [&] { return selectRun(*m_impl->database, m_impl->home, idOrPrefix, deleted); });
}

std::vector<StepResult> History::steps(const std::string& id) const
{
    return m_impl->guarded([&] { return selectSteps(*m_impl->database, id); });
}

RunNotes History::notes(const std::string& id) const
{
    return m_impl->guarded([&] { return readNotes(m_impl->directoryOf(id, false).path()); });
}

void History::edit(const std::string& id, const std::function<void(RunNotes&)>& change)
{
    const RunDirectory run = m_impl->guarded([&] { return m_impl->directoryOf(id, false); });
    changeNotes(run.path(), change);
    m_impl->guarded([&] { RunTables(*m_impl->database).updateNotes(run); });
}

void History::remove(const std::string& id)
{
    const RunDirectory run = m_impl->guarded([&] { return m_impl->directoryOf(id, false); });
    moveToTrash(m_impl->home, run);
    const RunDirectory moved = RunDirectory::open(runPlace(m_impl->home, run.id(), true));
    m_impl->guarded([&] { RunTables(*m_impl->database).updateNotes(moved); });
}

void History::restore(const std::string& id)
{
    const RunDirectory run = m_impl->guarded([&] { return m_impl->directoryOf(id, true); });
    moveFromTrash(m_impl->home, run);
    const RunDirectory moved = RunDirectory::open(runPlace(m_impl->home, run.id(), false));
    m_impl->guarded([&] { RunTables(*m_impl->database).updateNotes(moved); });
}

void History::purge(const std::string& id)
{
    const RunDirectory run = m_impl->guarded([&] { return m_impl->directoryOf(id, true); });
    removeFromTrash(m_impl->home, run);
    m_impl->guarded([&] { RunTables(*m_impl->database).remove(run.id()); });
}

PrunePlan History::prunePlan(const PruneRules& rules) const
{
    return m_impl->guarded([&] {
        return planPrune(selectNewestFirst(*m_impl->database, m_impl->home), rules, unixTime());
    });
}

std::int64_t History::prune(const std::string& id)
{
    const RunDirectory run = m_impl->guarded([&] { return m_impl->directoryOf(id, false); });
    if (!isFinal(run.status().state))
        throw Error("cannot prune the run", run.id() + ": it has not ended", "wait for its end");
    index(run);
    const RunSummary before = this->run(run.id());
    const std::int32_t kept =
        m_impl->guarded([&] { return keptStep(*m_impl->database, run.id()); });
    const Staging staging(m_impl->home);
    // What spans say of the whole run is written down before the first of them goes.
    if (before.prunableBytes > 0 && !readPruned(run.path()))
        writePruned(run.path(), {before.bubble});
    std::int64_t freed = 0;
    for (int rank = 0; rank < run.plan().layout.ranks(); ++rank)
        freed +=
            thinRecord(run.recordFile(Rank(rank)), Rank(rank), kept, staging.path() / "record");
    index(run);
    return freed;
}

void History::exportRun(const std::string& id, const fs::path& file,
                        const BundleProgress& progress) const
{
    exportBundle(m_impl->guarded([&] { return m_impl->directoryOf(id, false); }), file, progress);
}

ImportedRun History::importRun(const fs::path& file, const BundleProgress& progress)
{
    const ImportedRun run = importBundle(m_impl->home, file, progress);
    const RunDirectory directory = RunDirectory::open(runPlace(m_impl->home, run.id, false));
    index(directory);
    if (run.outcome == ImportOutcome::Restored)
        m_impl->guarded([&] { RunTables(*m_impl->database).updateNotes(directory); });
    return run;
}

std::int64_t History::changeStamp() const
{
    return m_impl->guarded([&] { return m_impl->database->changeStamp(); });
}

std::vector<std::string> History::takeNotes()
{
    return std::exchange(m_impl->notes, {});
}

} // namespace triaxis

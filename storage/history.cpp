#include "storage/history.h"

#include "engine/core/error.h"
#include "storage/damaged_error.h"
#include "storage/damaged_file.h"
#include "storage/run_selection.h"
#include "storage/run_tables.h"
#include "storage/schema.h"
#include "storage/sqlite.h"

#include <algorithm>
#include <optional>
#include <set>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

std::vector<fs::path> runDirectories(const fs::path& home)
{
    std::vector<fs::path> directories;
    std::error_code code;
    for (fs::directory_iterator entry(home / "runs", code), end; !code && entry != end;
         entry.increment(code))
        // A link could lead anywhere.
        if (entry->symlink_status().type() == fs::file_type::directory)
            directories.push_back(entry->path());
    std::sort(directories.begin(), directories.end());
    return directories;
}

} // namespace

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
    std::set<std::string> ids(const char* condition) const;
    bool indexOrSkip(const fs::path& directory);

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

std::set<std::string> History::Impl::ids(const char* condition) const
{
    sqlite::Statement query(*database, std::string("SELECT id FROM runs ") + condition);
    std::set<std::string> found;
    while (query.step())
        found.insert(query.text(0));
    return found;
}

/// False if the directory holds no run that can be read.
bool History::Impl::indexOrSkip(const fs::path& directory)
{
    std::optional<RunDirectory> run;
    try {
        run = RunDirectory::open(directory);
        run->plan();
    } catch (const std::exception& error) {
        notes.push_back("skipped " + directory.filename().string() + ": " + error.what());
        return false;
    }
    RunTables(*database).update(*run);
    return true;
}

int History::Impl::refresh(bool rebuild)
{
    if (rebuild)
        database->execute("DELETE FROM runs");
    const std::set<std::string> complete = ids("WHERE complete = 1");
    std::set<std::string> gone = ids("");
    int count = 0;
    for (const fs::path& directory : runDirectories(home)) {
        const std::string id = directory.filename().string();
        if (!complete.contains(id) && !indexOrSkip(directory))
            continue;
        gone.erase(id);
        ++count;
    }
    for (const std::string& id : gone)
        RunTables(*database).remove(id);
    return count;
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

int History::count(const RunQuery& query) const
{
    return m_impl->guarded([&] { return countRuns(*m_impl->database, query); });
}

RunSummary History::run(const std::string& idOrPrefix) const
{
    return m_impl->guarded([&] { return selectRun(*m_impl->database, m_impl->home, idOrPrefix); });
}

std::vector<StepResult> History::steps(const std::string& id) const
{
    return m_impl->guarded([&] { return selectSteps(*m_impl->database, id); });
}

std::vector<std::string> History::takeNotes()
{
    return std::exchange(m_impl->notes, {});
}

} // namespace triaxis

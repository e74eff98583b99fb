#include "storage/schema.h"

#include "engine/core/error.h"

#include <array>
#include <fstream>
#include <string_view>

namespace triaxis
{
namespace
{

constexpr const char* versionOne = R"sql(
CREATE TABLE runs (
    id          TEXT PRIMARY KEY,
    label       TEXT NOT NULL,
    started     TEXT NOT NULL,          -- ISO 8601, UTC
    ended       TEXT NOT NULL,
    state       TEXT NOT NULL,
    reason      TEXT NOT NULL,
    model       TEXT NOT NULL,
    layout      TEXT NOT NULL,          -- 2×2×2
    dp          INTEGER NOT NULL,
    tp          INTEGER NOT NULL,
    pp          INTEGER NOT NULL,
    schedule    TEXT NOT NULL,
    ranks       INTEGER NOT NULL,
    plan        TEXT NOT NULL,          -- JSON
    environment TEXT NOT NULL,          -- JSON
    complete    INTEGER NOT NULL        -- 1: the run had ended when it was indexed, nothing can follow
);
CREATE INDEX runs_started ON runs (started);

CREATE TABLE summaries (
    run               TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    steps             INTEGER NOT NULL,
    final_loss        REAL,             -- NULL where a figure does not exist
    step_seconds      REAL,
    tokens_per_second REAL,
    bubble            REAL,
    peak_bytes        INTEGER NOT NULL
);

CREATE TABLE steps (
    run           TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    step          INTEGER NOT NULL,
    loss          REAL,
    gradient_norm REAL,
    begin         REAL,                 -- seconds after the run's start
    seconds       REAL,
    tokens        INTEGER NOT NULL,
    PRIMARY KEY (run, step)
) WITHOUT ROWID;

CREATE TABLE record_files (
    run        TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    rank       INTEGER NOT NULL,
    indexed    INTEGER NOT NULL,        -- bytes of the file that the tables cover
    peak_bytes INTEGER NOT NULL,        -- most memory in use at once
    PRIMARY KEY (run, rank)
) WITHOUT ROWID;

CREATE TABLE offsets (
    run    TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    rank   INTEGER NOT NULL,
    step   INTEGER NOT NULL,
    offset INTEGER NOT NULL,            -- of the step's first frame in the rank's record file
    spans  INTEGER NOT NULL,            -- that are kept of the step
    PRIMARY KEY (run, rank, step)
) WITHOUT ROWID;
)sql";

// The bubble of a run is the mean of its kept steps: runs are read once more.
constexpr const char* versionTwo = R"sql(
UPDATE runs SET complete = 0;
)sql";

// What is long goes to a table of its own, so that lists are read from few pages. Records are read
// once more, for what earlier versions did not keep of them.
constexpr const char* versionThree = R"sql(
CREATE TABLE documents (
    run         TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    plan        TEXT NOT NULL,          -- JSON
    environment TEXT NOT NULL           -- JSON
);
INSERT INTO documents (run, plan, environment) SELECT id, plan, environment FROM runs;
ALTER TABLE runs DROP COLUMN plan;
ALTER TABLE runs DROP COLUMN environment;

ALTER TABLE runs ADD COLUMN starred INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN deleted TEXT NOT NULL DEFAULT '';       -- ISO 8601, UTC; '': not in the trash
ALTER TABLE runs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;       -- that the directory takes on the disk
ALTER TABLE runs ADD COLUMN spans INTEGER NOT NULL DEFAULT 0;       -- kept, of all ranks
ALTER TABLE runs ADD COLUMN prunable INTEGER NOT NULL DEFAULT 0;    -- bytes that pruning would free
ALTER TABLE runs ADD COLUMN kept_step INTEGER NOT NULL DEFAULT -1;  -- whose spans pruning keeps; -1: none
ALTER TABLE runs ADD COLUMN notes_stamp INTEGER NOT NULL DEFAULT 0; -- of notes.json as it was read
ALTER TABLE runs ADD COLUMN search TEXT NOT NULL DEFAULT '';        -- what a search looks at, folded
ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT '';
UPDATE runs SET complete = 0,
    search = lower(id || char(10) || label || char(10) || model || char(10) || replace(layout, '×', 'x') || char(10) || schedule);

CREATE TABLE tags (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (run, tag)
) WITHOUT ROWID;
CREATE INDEX tags_tag ON tags (tag, run);

ALTER TABLE offsets ADD COLUMN span_bytes INTEGER NOT NULL DEFAULT 0; -- of the step's frames that pruning drops
DELETE FROM record_files;
DELETE FROM offsets;
)sql";

// The kind of a run is written with its notes: they are read once more.
constexpr const char* versionFour = R"sql(
ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'measured';
UPDATE runs SET notes_stamp = -1;
)sql";

constexpr std::array all{Migration{1, versionOne}, Migration{2, versionTwo},
                         Migration{3, versionThree}, Migration{4, versionFour}};

Error newer(const std::filesystem::path& file, std::int64_t found, int known)
{
    return Error("cannot open the history",
                 file.string() + ": it is of version " + std::to_string(found) +
                     ", and this Triaxis knows " + std::to_string(known),
                 "use the newer Triaxis, or set TRIAXIS_HOME to another place");
}

} // namespace

std::span<const Migration> migrations()
{
    return all;
}

void refuseNewer(const std::filesystem::path& file, int version)
{
    // SQLite's file format, section 1.3: a magic text of 16 bytes, the fixed bytes 64, 32, 32 at
    // 21, and at 60 the user version, big-endian.
    constexpr std::size_t fixedOffset = 21;
    constexpr std::size_t versionOffset = 60;
    std::array<char, versionOffset + 4> header{};
    std::ifstream in(file, std::ios::binary);
    const bool whole = bool(in.read(header.data(), header.size()));
    const std::string_view text(header.data(), header.size());
    if (!whole || !text.starts_with("SQLite format 3") ||
        text.substr(fixedOffset, 3) != "\x40\x20\x20")
        return;
    std::uint32_t found = 0;
    for (std::size_t i = versionOffset; i < header.size(); ++i)
        found = (found << 8) | std::uint8_t(header[i]);
    if (found > std::uint32_t(version))
        throw newer(file, found, version);
}

void migrate(sqlite::Database& database, std::span<const Migration> steps)
{
    const int wanted = steps.empty() ? 0 : steps.back().version;
    if (database.userVersion() == wanted)
        return;
    sqlite::Transaction transaction(database);
    // Another process may have done it meanwhile.
    const int found = database.userVersion();
    if (found > wanted)
        throw newer(database.file(), found, wanted);
    for (const Migration& step : steps) {
        if (step.version <= found)
            continue;
        database.execute(step.sql);
        database.setUserVersion(step.version);
    }
    transaction.commit();
}

} // namespace triaxis

#pragma once

#include "engine/record/run_directory.h"
#include "storage/record_index.h"
#include "storage/sqlite.h"

#include <set>

namespace triaxis
{

/// Writes what the tables hold of one run.
class RunTables
{
public:
    explicit RunTables(sqlite::Database& database) : m_database(database) {}

    /// Brings everything of the run up to date, reading only what its record files have gained.
    /// Idempotent.
    void update(const RunDirectory& run);
    /// Brings only what a person has noted, and whether the run is in the trash, up to date. False if the run has no row.
    bool updateNotes(const RunDirectory& run);
    void remove(const std::string& id);

private:
    /// What is new in one record file; from its start if it was replaced by a shorter one.
    struct Stretch
    {
        std::int64_t indexedBefore = 0; ///< bytes
        bool fromStart = false;
        RecordIndex index;
    };

    /// False if another process was in the way; then it is to be tried again.
    bool tryUpdate(const RunDirectory& run);
    std::vector<Stretch> readStretches(const RunDirectory& run, int ranks, bool final);
    bool fits(const std::string& id, const std::vector<Stretch>& stretches);
    bool writeFrames(const RunDirectory& run, const RunPlan& plan, const RunStatus& status,
                     const std::vector<Stretch>& stretches);
    bool writeFigures(const RunDirectory& run, double bubble, bool complete);

    std::int64_t indexedBytes(const std::string& id, int rank);
    void writeRun(const RunDirectory& run, const RunPlan& plan, const RunStatus& status);
    void writeRecord(const std::string& id, int rank, const Stretch& stretch);
    void writeSummary(const std::string& id, double bubble);
    void writeStorage(const RunDirectory& run);

    sqlite::Database& m_database;
};

} // namespace triaxis

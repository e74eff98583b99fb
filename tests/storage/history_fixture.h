#pragma once

#include "engine/core/error.h"
#include "engine/record/utc.h"
#include "storage/history.h"
#include "storage/sqlite.h"
#include "tests/engine/record/plan_fixture.h"
#include "tests/engine/record/record_fixtures.h"

#include <functional>

namespace triaxis::test
{

inline std::string messageOf(const std::function<void()>& action)
{
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

inline RunNotes notesWith(const std::vector<std::string>& tags, const std::string& note = {})
{
    RunNotes notes;
    notes.tags = tags;
    notes.note = note;
    return notes;
}

inline void setState(RunDirectory& run, RunState state)
{
    RunStatus status;
    status.state = state;
    status.reason = state == RunState::Failed ? "rank 1 was killed" : "";
    status.heartbeat = unixTime() - 100;
    run.setStatus(status);
}

/// A run of `steps` steps of 0.1 · step seconds and a loss of 4 / step.
inline RunDirectory makeRun(const std::filesystem::path& home, const RunPlan& plan, int steps,
                            const std::string& started = {}, RunState state = RunState::Finished)
{
    RunEnvironment environment;
    environment.startedUtc = started;
    RunDirectory run = RunDirectory::create(home, plan, environment);
    for (int rank = 0; rank < plan.layout.ranks(); ++rank) {
        RecordWriter writer(run.recordFile(Rank(rank)));
        HelloRecord hello;
        hello.rank = Rank(rank);
        writer.hello(hello);
        for (int step = 1; step <= steps; ++step) {
            writer.span(spanOf(step, rank, Kind::Forward, 0, step, step + 0.5));
            MemorySample sample;
            sample.step = step;
            sample.rank = Rank(rank);
            sample.peakTotal = 1000 * (rank + 1) + step;
            writer.memory(sample);
            if (rank == 0)
                writer.step({step, 4.0 / step, 1.0, double(step), 0.1 * step, 100});
            writer.endStep();
        }
        writer.end(steps);
    }
    setState(run, state);
    return run;
}

inline std::vector<std::string> idsOf(const std::vector<RunSummary>& runs)
{
    std::vector<std::string> ids;
    for (const RunSummary& run : runs)
        ids.push_back(run.id);
    return ids;
}

inline int rowsOf(const std::filesystem::path& home, const std::string& table)
{
    const sqlite::Database database(home / "history.db");
    sqlite::Statement query(database, "SELECT count(*) FROM " + table);
    query.step();
    return int(query.integer(0));
}

} // namespace triaxis::test

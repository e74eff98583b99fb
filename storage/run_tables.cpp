#include "storage/run_tables.h"

#include "engine/core/error.h"
#include "engine/record/run_json.h"
#include "engine/record/step_figures.h"
#include "engine/record/utc.h"
#include "storage/kept_step.h"
#include "storage/move_directory.h"
#include "storage/notes_table.h"
#include "storage/pruned_file.h"
#include "storage/run_bubbles.h"
#include "storage/thin_record.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

using sqlite::Statement;

constexpr double settleSeconds = 5;
constexpr int mostTries = 100;

std::string dumped(const nlohmann::json& json)
{
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string layoutText(const Layout& layout)
{
    return std::to_string(layout.dp) + "×" + std::to_string(layout.tp) + "×" +
           std::to_string(layout.pp);
}

struct StoredSteps
{
    std::int64_t steps = 0;
    double finalLoss = std::numeric_limits<double>::quiet_NaN();
    double stepSeconds = std::numeric_limits<double>::quiet_NaN();
    double tokensPerSecond = std::numeric_limits<double>::quiet_NaN();
};

StoredSteps figuresOf(const sqlite::Database& database, const std::string& id)
{
    StoredSteps figures;
    std::vector<StepResult> steps;
    Statement query(database,
                    "SELECT loss, seconds, tokens FROM steps WHERE run = ? ORDER BY step");
    query.bind(1, id);
    while (query.step()) {
        figures.finalLoss = query.real(0);
        StepResult& step = steps.emplace_back();
        step.seconds = query.real(1);
        step.tokens = query.integer(2);
    }
    const StepFigures times = stepFigures(steps);
    figures.steps = std::int64_t(steps.size());
    figures.stepSeconds = times.stepSeconds;
    figures.tokensPerSecond = times.tokensPerSecond;
    return figures;
}

/// Of a run that was pruned, what it was before.
double bubbleOf(const RunDirectory& run, const RunPlan& plan)
{
    const auto pruned = readPruned(run.path());
    return pruned ? pruned->bubble : bubbleOfRun(run, plan);
}

} // namespace

std::int64_t RunTables::indexedBytes(const std::string& id, int rank)
{
    Statement query(m_database, "SELECT indexed FROM record_files WHERE run = ? AND rank = ?");
    query.bind(1, id).bind(2, rank);
    return query.step() ? query.integer(0) : 0;
}

void RunTables::writeRun(const RunDirectory& run, const RunPlan& plan, const RunStatus& status)
{
    const RunEnvironment environment = run.environment();
    Statement insert(m_database, R"sql(
        INSERT INTO runs (id, label, started, ended, state, reason, model, layout, dp, tp, pp, schedule, ranks,
                          complete)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0)
        ON CONFLICT (id) DO UPDATE SET label = ?2, started = ?3, ended = ?4, state = ?5, reason = ?6, model = ?7,
            layout = ?8, dp = ?9, tp = ?10, pp = ?11, schedule = ?12, ranks = ?13
    )sql");
    insert.bind(1, run.id())
        .bind(2, plan.label)
        .bind(3, environment.startedUtc)
        .bind(4, status.endedUtc);
    insert.bind(5, std::string(toText(status.state)))
        .bind(6, status.reason)
        .bind(7, plan.model.name);
    insert.bind(8, layoutText(plan.layout)).bind(9, plan.layout.dp).bind(10, plan.layout.tp);
    insert.bind(11, plan.layout.pp).bind(12, plan.training.schedule).bind(13, plan.layout.ranks());
    insert.run();
    Statement document(m_database,
                       "INSERT OR REPLACE INTO documents (run, plan, environment) VALUES (?, ?, ?)");
    document.bind(1, run.id()).bind(2, dumped(toJson(plan))).bind(3, dumped(toJson(environment)));
    document.run();
    writeNotesRow(m_database, run, plan);
}

void RunTables::writeRecord(const std::string& id, int rank, const Stretch& stretch)
{
    const RecordIndex& index = stretch.index;
    if (stretch.fromStart) {
        Statement(m_database, "DELETE FROM offsets WHERE run = ? AND rank = ?")
            .bind(1, id)
            .bind(2, rank)
            .run();
        Statement(m_database, "DELETE FROM record_files WHERE run = ? AND rank = ?")
            .bind(1, id)
            .bind(2, rank)
            .run();
    }
    // A step may lie on both sides of the border between two stretches, and two processes may have
    // read the same one.
    Statement place(m_database,
                    "INSERT INTO offsets (run, rank, step, offset, spans, span_bytes) "
                    "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                    "spans = max(spans, excluded.spans), "
                    "span_bytes = max(span_bytes, excluded.span_bytes)");
    for (const auto& [step, at] : index.places)
        place.bind(1, id).bind(2, rank).bind(3, step).bind(4, at.offset).bind(5, at.spans)
            .bind(6, at.spanBytes).run();
    Statement file(m_database,
                   "INSERT INTO record_files (run, rank, indexed, peak_bytes) VALUES (?, ?, ?, ?) "
                   "ON CONFLICT DO UPDATE SET indexed = max(indexed, excluded.indexed), "
                   "peak_bytes = max(peak_bytes, excluded.peak_bytes)");
    file.bind(1, id).bind(2, rank).bind(3, index.end).bind(4, index.peakBytes).run();
    if (rank != 0)
        return;
    Statement result(
        m_database, "INSERT OR REPLACE INTO steps (run, step, loss, gradient_norm, begin, seconds, "
                    "tokens) VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (const StepResult& step : index.results) {
        result.bind(1, id).bind(2, step.step).bind(3, step.loss).bind(4, step.gradientNorm);
        result.bind(5, step.begin).bind(6, step.seconds).bind(7, step.tokens).run();
    }
}

void RunTables::writeSummary(const std::string& id, double bubble)
{
    const StoredSteps figures = figuresOf(m_database, id);
    Statement peak(m_database,
                   "SELECT coalesce(max(peak_bytes), 0) FROM record_files WHERE run = ?");
    peak.bind(1, id).step();
    Statement insert(m_database,
                     "INSERT OR REPLACE INTO summaries (run, steps, final_loss, step_seconds, "
                     "tokens_per_second, bubble, peak_bytes) VALUES (?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, id)
        .bind(2, figures.steps)
        .bind(3, figures.finalLoss)
        .bind(4, figures.stepSeconds);
    insert.bind(5, figures.tokensPerSecond).bind(6, bubble).bind(7, peak.integer(0)).run();
}

void RunTables::writeStorage(const RunDirectory& run)
{
    const std::int32_t kept = keptStep(m_database, run.id());
    // For every other step pruning leaves a frame without spans, which says how many there were.
    Statement sums(m_database,
                   "SELECT coalesce(sum(spans), 0), coalesce(sum(CASE WHEN step <> ?2 THEN "
                   "max(span_bytes - ?3, 0) ELSE 0 END), 0) FROM offsets WHERE run = ?1");
    sums.bind(1, run.id()).bind(2, kept).bind(3, emptySpansBytes).step();
    Statement update(m_database, "UPDATE runs SET bytes = ?2, spans = ?3, prunable = ?4, "
                                 "kept_step = ?5 WHERE id = ?1");
    update.bind(1, run.id()).bind(2, directoryBytes(run.path())).bind(3, sums.integer(0));
    update.bind(4, sums.integer(1)).bind(5, kept).run();
}

std::vector<RunTables::Stretch> RunTables::readStretches(const RunDirectory& run, int ranks,
                                                         bool final)
{
    std::vector<Stretch> stretches;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto file = run.recordFile(Rank(rank));
        std::error_code code;
        const auto size = std::filesystem::file_size(file, code);
        const std::int64_t indexed = indexedBytes(run.id(), rank);
        const bool shrunk = !code && indexed > std::int64_t(size);
        stretches.push_back(
            {indexed, shrunk, indexRecord(file, Rank(rank), shrunk ? 0 : indexed, final)});
    }
    return stretches;
}

/// False if another process has indexed the run, or forgotten it, since the stretches were read.
bool RunTables::fits(const std::string& id, const std::vector<Stretch>& stretches)
{
    for (std::size_t rank = 0; rank < stretches.size(); ++rank)
        if (indexedBytes(id, int(rank)) != stretches[rank].indexedBefore)
            return false;
    return true;
}

bool RunTables::writeFrames(const RunDirectory& run, const RunPlan& plan, const RunStatus& status,
                            const std::vector<Stretch>& stretches)
{
    sqlite::Transaction transaction(m_database);
    if (!fits(run.id(), stretches))
        return false;
    writeRun(run, plan, status);
    for (std::size_t rank = 0; rank < stretches.size(); ++rank)
        writeRecord(run.id(), int(rank), stretches[rank]);
    transaction.commit();
    return true;
}

bool RunTables::writeFigures(const RunDirectory& run, double bubble, bool complete)
{
    const std::string id = run.id();
    sqlite::Transaction transaction(m_database);
    Statement known(m_database, "SELECT 1 FROM runs WHERE id = ?");
    if (!known.bind(1, id).step())
        return false;
    known.reset();
    writeSummary(id, bubble);
    writeStorage(run);
    Statement update(m_database, "UPDATE runs SET complete = ? WHERE id = ?");
    update.bind(1, complete ? 1 : 0).bind(2, id).run();
    transaction.commit();
    return true;
}

bool RunTables::tryUpdate(const RunDirectory& run)
{
    const RunPlan plan = run.plan();
    const RunStatus status = run.status();
    const bool final = isFinal(status.state);
    const int ranks = plan.layout.ranks();
    // No lock is held while files are read: other processes must not wait for that.
    if (!writeFrames(run, plan, status, readStretches(run, ranks, final)))
        return false;
    // Of a run that goes on the bubble would be out of date at once, and it costs a pass over the
    // records.
    const double bubble = final ? bubbleOf(run, plan) : std::numeric_limits<double>::quiet_NaN();
    // Ranks whose launcher was killed write on for a moment.
    const bool settled = final && unixTime() - status.heartbeat > settleSeconds;
    return writeFigures(run, bubble, settled);
}

void RunTables::update(const RunDirectory& run)
{
    for (int i = 0; i < mostTries; ++i)
        if (tryUpdate(run))
            return;
    throw Error("cannot index the run", run.id() + ": other programs index it all the time",
                "try again");
}

bool RunTables::updateNotes(const RunDirectory& run)
{
    const RunPlan plan = run.plan();
    sqlite::Transaction transaction(m_database);
    Statement known(m_database, "SELECT 1 FROM runs WHERE id = ?");
    if (!known.bind(1, run.id()).step())
        return false;
    known.reset();
    writeNotesRow(m_database, run, plan);
    transaction.commit();
    return true;
}

void RunTables::remove(const std::string& id)
{
    Statement(m_database, "DELETE FROM runs WHERE id = ?").bind(1, id).run();
}

} // namespace triaxis

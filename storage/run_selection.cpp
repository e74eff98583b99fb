#include "storage/run_selection.h"

#include "engine/core/error.h"
#include "storage/run_filter.h"

#include <array>

namespace triaxis
{
namespace
{

using sqlite::Statement;

constexpr const char* columns =
    "SELECT id, label, started, state, reason, model, layout, dp, tp, pp, schedule, ranks, "
    "coalesce(steps, 0), final_loss, step_seconds, tokens_per_second, bubble, "
    "coalesce(peak_bytes, 0), ended, note, starred, deleted, bytes, spans, prunable, kind "
    "FROM runs LEFT JOIN summaries ON run = id ";

struct RunOrder
{
    const char* name;
    const char* column;
};

constexpr std::array runOrderColumns{
    RunOrder{"id", "id"},
    RunOrder{"label", "label"},
    RunOrder{"kind", "kind"},
    RunOrder{"state", "state"},
    RunOrder{"model", "model"},
    RunOrder{"layout", "dp * 1000000000000 + tp * 1000000 + pp"},
    RunOrder{"schedule", "schedule"},
    RunOrder{"ranks", "ranks"},
    RunOrder{"steps", "steps"},
    RunOrder{"loss", "final_loss"},
    RunOrder{"step_time", "step_seconds"},
    RunOrder{"tokens_per_second", "tokens_per_second"},
    RunOrder{"bubble", "bubble"},
    RunOrder{"peak_memory", "nullif(peak_bytes, 0)"},
    RunOrder{"started", "started"},
    RunOrder{"ended", "nullif(ended, '')"},
    RunOrder{"starred", "starred"},
    RunOrder{"size", "bytes"},
    RunOrder{"spans", "spans"},
    RunOrder{"deleted", "nullif(deleted, '')"},
};

std::string orderColumn(const std::string& name)
{
    std::string known;
    for (const RunOrder& order : runOrderColumns) {
        if (name == order.name)
            return order.column;
        known += (known.empty() ? "" : ", ") + std::string(order.name);
    }
    throw Error("cannot order the runs", "there is no column \"" + name + "\"", "use one of " + known);
}

std::vector<std::string> tagsOf(const sqlite::Database& database, const std::string& id)
{
    Statement statement(database, "SELECT tag FROM tags WHERE run = ? ORDER BY tag");
    statement.bind(1, id);
    std::vector<std::string> tags;
    while (statement.step())
        tags.push_back(statement.text(0));
    return tags;
}

RunSummary summaryOf(const Statement& row, const std::filesystem::path& home)
{
    RunSummary summary;
    summary.id = row.text(0);
    summary.label = row.text(1);
    summary.startedUtc = row.text(2);
    summary.state = runStateFromText(row.text(3)).value_or(RunState::Draft);
    summary.reason = row.text(4);
    summary.model = row.text(5);
    summary.layout = row.text(6);
    summary.dp = int(row.integer(7));
    summary.tp = int(row.integer(8));
    summary.pp = int(row.integer(9));
    summary.schedule = row.text(10);
    summary.ranks = int(row.integer(11));
    summary.steps = row.integer(12);
    summary.finalLoss = row.real(13);
    summary.stepSeconds = row.real(14);
    summary.tokensPerSecond = row.real(15);
    summary.bubble = row.real(16);
    summary.peakBytes = row.integer(17);
    summary.endedUtc = row.text(18);
    summary.note = row.text(19);
    summary.starred = row.integer(20) != 0;
    summary.deletedUtc = row.text(21);
    summary.bytes = row.integer(22);
    summary.spans = row.integer(23);
    summary.prunableBytes = row.integer(24);
    summary.kind = runKindFromText(row.text(25)).value_or(RunKind::Measured);
    const char* folder = summary.deletedUtc.empty() ? "runs" : "trash";
    summary.directory = (home / folder / std::filesystem::path(summary.id).filename()).string();
    return summary;
}

} // namespace

const char* toText(RunKind kind)
{
    switch (kind) {
    case RunKind::Measured:
        return "measured";
    case RunKind::Paced:
        return "paced";
    case RunKind::Imported:
        return "imported";
    }
    return "";
}

std::optional<RunKind> runKindFromText(const std::string& text)
{
    for (const RunKind kind : {RunKind::Measured, RunKind::Paced, RunKind::Imported})
        if (text == toText(kind))
            return kind;
    return std::nullopt;
}

const std::vector<std::string>& runOrders()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const RunOrder& order : runOrderColumns)
            all.emplace_back(order.name);
        return all;
    }();
    return names;
}

std::vector<RunSummary> selectRuns(const sqlite::Database& database,
                                   const std::filesystem::path& home, const RunQuery& query)
{
    const std::string column = orderColumn(query.orderBy);
    const std::string direction = query.descending ? " DESC" : " ASC";
    const RunFilter filter(query);
    // Only ids are sorted; what is shown is read for the page alone. Runs without the figure come last either way.
    Statement ids(database, "SELECT id FROM runs LEFT JOIN summaries ON run = id " + filter.sql() +
                                "ORDER BY (" + column + ") IS NULL, " + column + direction +
                                ", started" + direction + ", id" + direction + " LIMIT ? OFFSET ?");
    const int next = filter.bind(ids);
    ids.bind(next, query.limit).bind(next + 1, query.offset);
    Statement row(database, std::string(columns) + "WHERE id = ?");
    std::vector<RunSummary> runs;
    while (ids.step()) {
        row.bind(1, ids.text(0));
        if (row.step()) {
            runs.push_back(summaryOf(row, home));
            runs.back().tags = tagsOf(database, runs.back().id);
        }
        row.reset();
    }
    return runs;
}

std::vector<RunSummary> selectNewestFirst(const sqlite::Database& database,
                                          const std::filesystem::path& home)
{
    Statement row(database, std::string(columns) +
                                "WHERE deleted = '' ORDER BY started DESC, id DESC");
    std::vector<RunSummary> runs;
    while (row.step())
        runs.push_back(summaryOf(row, home));
    return runs;
}

RunTotals selectTotals(const sqlite::Database& database, const RunQuery& query)
{
    const RunFilter filter(query);
    Statement statement(database,
                        "SELECT count(*), coalesce(sum(bytes), 0) FROM runs " + filter.sql());
    filter.bind(statement);
    if (!statement.step())
        return {};
    return {int(statement.integer(0)), statement.integer(1)};
}

RunSummary selectRun(const sqlite::Database& database, const std::filesystem::path& home,
                     const std::string& idOrPrefix, bool deleted)
{
    const bool last = idOrPrefix == "last";
    const std::string place = deleted ? "deleted <> ''" : "deleted = ''";
    // An exact id wins over longer ones that begin with it.
    const std::string which =
        last ? "WHERE ?1 <> '' AND " + place + " ORDER BY started DESC, id DESC LIMIT 1"
             : "WHERE substr(id, 1, length(?1)) = ?1 AND " + place +
                   " ORDER BY id <> ?1, id LIMIT 3";
    Statement statement(database, columns + which);
    statement.bind(1, idOrPrefix);
    std::vector<RunSummary> found;
    while (statement.step())
        found.push_back(summaryOf(statement, home));
    if (found.empty() || idOrPrefix.empty())
        throw Error("cannot find the run", last ? "there is none yet" : "\"" + idOrPrefix + "\"",
                    deleted ? "list the deleted runs with: triaxis history --deleted"
                            : "list the runs with: triaxis history");
    if (found.size() > 1 && found.front().id != idOrPrefix)
        throw Error("cannot find the run",
                    "\"" + idOrPrefix + "\" is the beginning of " + found[0].id + ", " +
                        found[1].id + (found.size() > 2 ? " and more" : ""),
                    "give more of the id");
    found.front().tags = tagsOf(database, found.front().id);
    return found.front();
}

std::vector<StepResult> selectSteps(const sqlite::Database& database, const std::string& id)
{
    Statement statement(database,
                        "SELECT step, loss, gradient_norm, begin, seconds, tokens FROM steps "
                        "WHERE run = ? ORDER BY step");
    statement.bind(1, id);
    std::vector<StepResult> steps;
    while (statement.step())
        steps.push_back({std::int32_t(statement.integer(0)), statement.real(1), statement.real(2),
                         statement.real(3), statement.real(4), statement.integer(5)});
    return steps;
}

} // namespace triaxis

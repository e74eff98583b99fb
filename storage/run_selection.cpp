#include "storage/run_selection.h"

#include "engine/core/error.h"

#include <array>
#include <utility>

namespace triaxis
{
namespace
{

using sqlite::Statement;

constexpr const char* columns =
    "SELECT id, label, started, state, reason, model, layout, dp, tp, pp, schedule, ranks, "
    "coalesce(steps, 0), "
    "final_loss, step_seconds, tokens_per_second, bubble, coalesce(peak_bytes, 0) "
    "FROM runs LEFT JOIN summaries ON run = id ";

/// A layout may be typed with the letter x.
constexpr const char* filter = "WHERE (?1 = '' OR state = ?1) AND (?2 = '' "
                               "OR id LIKE ?2 ESCAPE '\\' OR label LIKE ?2 ESCAPE '\\' "
                               "OR model LIKE ?2 ESCAPE '\\' OR schedule LIKE ?2 ESCAPE '\\' "
                               "OR layout LIKE ?2 ESCAPE '\\' "
                               "OR replace(layout, '×', 'x') LIKE ?2 ESCAPE '\\') ";

/// A pattern that matches texts which contain `text`, whatever characters it has.
std::string containing(const std::string& text)
{
    if (text.empty())
        return {};
    std::string pattern(1, '%');
    for (char c : text) {
        if (c == '%' || c == '_' || c == '\\')
            pattern += '\\';
        pattern += c;
    }
    return pattern + '%';
}

void bindFilter(Statement& statement, const RunQuery& query)
{
    statement.bind(1, query.state ? std::string(toText(*query.state)) : std::string());
    statement.bind(2, containing(query.text));
}

std::string orderColumn(const std::string& name)
{
    constexpr std::array<std::pair<const char*, const char*>, 5> known{{
        {"started", "started"},
        {"loss", "final_loss"},
        {"step_time", "step_seconds"},
        {"tokens_per_second", "tokens_per_second"},
        {"bubble", "bubble"},
    }};
    for (const auto& [text, column] : known)
        if (name == text)
            return column;
    throw Error("cannot order the runs", "there is no column \"" + name + "\"",
                "use started, loss, step_time, tokens_per_second or bubble");
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
    summary.directory = (home / "runs" / std::filesystem::path(summary.id).filename()).string();
    return summary;
}

} // namespace

std::vector<RunSummary> selectRuns(const sqlite::Database& database,
                                   const std::filesystem::path& home, const RunQuery& query)
{
    const std::string column = orderColumn(query.orderBy);
    const std::string direction = query.descending ? " DESC" : " ASC";
    // Runs without the figure come last either way.
    Statement statement(database, std::string(columns) + filter + "ORDER BY " + column +
                                      " IS NULL, " + column + direction + ", id" + direction +
                                      " LIMIT ?3 OFFSET ?4");
    bindFilter(statement, query);
    statement.bind(3, query.limit).bind(4, query.offset);
    std::vector<RunSummary> runs;
    while (statement.step())
        runs.push_back(summaryOf(statement, home));
    return runs;
}

int countRuns(const sqlite::Database& database, const RunQuery& query)
{
    Statement statement(database, std::string("SELECT count(*) FROM runs ") + filter);
    bindFilter(statement, query);
    return statement.step() ? int(statement.integer(0)) : 0;
}

RunSummary selectRun(const sqlite::Database& database, const std::filesystem::path& home,
                     const std::string& idOrPrefix)
{
    const bool last = idOrPrefix == "last";
    // An exact id wins over longer ones that begin with it.
    const char* which = last ? "WHERE ?1 <> '' ORDER BY started DESC, id DESC LIMIT 1"
                             : "WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id <> ?1, id LIMIT 3";
    Statement statement(database, std::string(columns) + which);
    statement.bind(1, idOrPrefix);
    std::vector<RunSummary> found;
    while (statement.step())
        found.push_back(summaryOf(statement, home));
    if (found.empty() || idOrPrefix.empty())
        throw Error("cannot find the run", last ? "there is none yet" : "\"" + idOrPrefix + "\"",
                    "list the runs with: triaxis history");
    if (found.size() > 1 && found.front().id != idOrPrefix)
        throw Error("cannot find the run",
                    "\"" + idOrPrefix + "\" is the beginning of " + found[0].id + ", " +
                        found[1].id + (found.size() > 2 ? " and more" : ""),
                    "give more of the id");
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

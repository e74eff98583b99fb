#include "storage/run_filter.h"

#include "storage/fold_text.h"

namespace triaxis
{
namespace
{

std::vector<std::string> statesOf(const RunQuery& query)
{
    std::vector<std::string> states;
    for (const RunState state : query.states)
        states.push_back(toText(state));
    return states;
}

std::vector<std::string> kindsOf(const RunQuery& query)
{
    std::vector<std::string> kinds;
    for (const RunKind kind : query.kinds)
        kinds.push_back(toText(kind));
    return kinds;
}

std::vector<std::string> layoutsOf(const RunQuery& query)
{
    std::vector<std::string> layouts;
    for (const std::string& layout : query.layouts)
        layouts.push_back(layoutWithSigns(layout));
    return layouts;
}

} // namespace

std::string layoutWithSigns(const std::string& text)
{
    std::string result;
    for (const char letter : text) {
        if (letter == 'x' || letter == 'X')
            result += "×";
        else
            result += letter;
    }
    return result;
}

RunFilter::RunFilter(const RunQuery& query, RunFilterPart without)
{
    const auto uses = [&](RunFilterPart part) { return without != part; };
    require(query.deleted ? "deleted <> ''" : "deleted = ''");
    if (uses(RunFilterPart::State)) {
        if (query.state)
            require("state = ?", {std::string(toText(*query.state))});
        requireAny("state", statesOf(query));
    }
    if (uses(RunFilterPart::Model))
        requireAny("model", query.models);
    if (uses(RunFilterPart::Layout))
        requireAny("layout", layoutsOf(query));
    if (uses(RunFilterPart::Kind))
        requireAny("kind", kindsOf(query));
    if (uses(RunFilterPart::Schedule))
        requireAny("schedule", query.schedules);
    if (query.dp && uses(RunFilterPart::Dp))
        require("dp = ?", {std::int64_t(*query.dp)});
    if (query.tp && uses(RunFilterPart::Tp))
        require("tp = ?", {std::int64_t(*query.tp)});
    if (query.pp && uses(RunFilterPart::Pp))
        require("pp = ?", {std::int64_t(*query.pp)});
    if (uses(RunFilterPart::Ranks))
        requireRanks(query);
    if (query.starred && uses(RunFilterPart::Starred))
        require("starred = 1");
    requireDates(query);
    // Tags stay for their own facet: another tag narrows further.
    requireTags(query.tags);
    for (const std::string& word : searchWords(query.text))
        require("instr(search, ?) > 0", {word});
}

void RunFilter::require(const std::string& condition, std::vector<Value> values)
{
    m_sql += (m_sql.empty() ? "WHERE " : "AND ") + condition + ' ';
    m_values.insert(m_values.end(), values.begin(), values.end());
}

void RunFilter::requireAny(const char* column, const std::vector<std::string>& values)
{
    if (values.empty())
        return;
    std::string condition = std::string(column) + " IN (";
    for (std::size_t i = 0; i < values.size(); ++i)
        condition += i == 0 ? "?" : ", ?";
    require(condition + ')', {values.begin(), values.end()});
}

void RunFilter::requireTags(const std::vector<std::string>& tags)
{
    for (const std::string& tag : tags)
        require("id IN (SELECT run FROM tags WHERE tag = ?)", {tag});
}

void RunFilter::requireDates(const RunQuery& query)
{
    if (!query.since.empty())
        require("started >= ?", {query.since});
    // "2026-02" includes the month.
    if (!query.until.empty())
        require("substr(started, 1, length(?)) <= ?", {query.until, query.until});
}

void RunFilter::requireRanks(const RunQuery& query)
{
    if (query.leastRanks > 0)
        require("ranks >= ?", {std::int64_t(query.leastRanks)});
    if (query.mostRanks > 0)
        require("ranks <= ?", {std::int64_t(query.mostRanks)});
}

int RunFilter::bind(sqlite::Statement& statement, int first) const
{
    for (const Value& value : m_values) {
        if (const auto* number = std::get_if<std::int64_t>(&value))
            statement.bind(first, *number);
        else
            statement.bind(first, std::get<std::string>(value));
        ++first;
    }
    return first;
}

} // namespace triaxis

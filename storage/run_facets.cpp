#include "storage/run_facets.h"

#include "storage/run_filter.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace triaxis
{
namespace
{

constexpr std::size_t mostValues = 200;
constexpr const char* mostFirst = " ORDER BY count(*) DESC, 1 LIMIT 200";

std::vector<RunFacet> read(sqlite::Statement& statement)
{
    std::vector<RunFacet> facets;
    while (statement.step())
        facets.push_back({statement.text(0), int(statement.integer(1))});
    return facets;
}

std::vector<RunFacet> facetsOf(const sqlite::Database& database, const RunQuery& query,
                               RunFilterPart part, const std::string& column)
{
    const RunFilter filter(query, part);
    sqlite::Statement statement(database, "SELECT " + column + ", count(*) FROM runs " +
                                              filter.sql() + "GROUP BY " + column + mostFirst);
    filter.bind(statement);
    return read(statement);
}

constexpr std::array countedColumns{"state", "model", "layout", "schedule",
                                    "dp",    "tp",    "pp",     "ranks",
                                    "kind"};
constexpr std::array countedParts{
    RunFilterPart::State, RunFilterPart::Model, RunFilterPart::Layout, RunFilterPart::Schedule,
    RunFilterPart::Dp,    RunFilterPart::Tp,    RunFilterPart::Pp,     RunFilterPart::Ranks,
    RunFilterPart::Kind};
using Counts = std::array<std::unordered_map<std::string, int>, countedColumns.size()>;

std::vector<RunFacet> sorted(const std::unordered_map<std::string, int>& counts)
{
    std::vector<RunFacet> facets;
    for (const auto& [value, count] : counts)
        facets.push_back({value, count});
    std::sort(facets.begin(), facets.end(), [](const RunFacet& a, const RunFacet& b) {
        return a.count != b.count ? a.count > b.count : a.value < b.value;
    });
    if (facets.size() > mostValues)
        facets.resize(mostValues);
    return facets;
}

/// All columns in one pass: right for those whose own filter is not set.
Counts countAll(const sqlite::Database& database, const RunQuery& query)
{
    const RunFilter filter(query);
    std::string columns;
    for (const char* column : countedColumns)
        columns += (columns.empty() ? "" : ", ") + std::string(column);
    sqlite::Statement statement(database, "SELECT " + columns + " FROM runs " + filter.sql());
    filter.bind(statement);
    Counts counts;
    while (statement.step())
        for (std::size_t i = 0; i < counts.size(); ++i)
            ++counts[i][statement.text(int(i))];
    return counts;
}

std::vector<RunFacet> tagsOf(const sqlite::Database& database, const RunQuery& query)
{
    const RunFilter filter(query, RunFilterPart::Tag);
    // All tags of the runs that the filter leaves, from the tags' side where it leaves many.
    sqlite::Statement statement(
        database, "SELECT tag, count(*) FROM tags WHERE run IN (SELECT id FROM runs " +
                      filter.sql() + ") GROUP BY tag" + mostFirst);
    filter.bind(statement);
    return read(statement);
}

int starredOf(const sqlite::Database& database, const RunQuery& query)
{
    const RunFilter filter(query, RunFilterPart::Starred);
    sqlite::Statement statement(database,
                                "SELECT count(*) FROM runs " + filter.sql() + "AND starred = 1");
    filter.bind(statement);
    return statement.step() ? int(statement.integer(0)) : 0;
}

} // namespace

RunFacets selectFacets(const sqlite::Database& database, const RunQuery& query)
{
    const Counts counts = countAll(database, query);
    const std::string all = RunFilter(query).sql();
    const auto of = [&](std::size_t i) {
        return RunFilter(query, countedParts[i]).sql() == all
                   ? sorted(counts[i])
                   : facetsOf(database, query, countedParts[i], countedColumns[i]);
    };
    RunFacets facets;
    facets.states = of(0);
    facets.models = of(1);
    facets.layouts = of(2);
    facets.schedules = of(3);
    facets.dp = of(4);
    facets.tp = of(5);
    facets.pp = of(6);
    facets.ranks = of(7);
    facets.kinds = of(8);
    facets.tags = tagsOf(database, query);
    facets.starred = starredOf(database, query);
    return facets;
}

StorageUse selectStorage(const sqlite::Database& database)
{
    StorageUse use;
    sqlite::Statement statement(database,
                                "SELECT deleted <> '', count(*), coalesce(sum(bytes), 0), "
                                "coalesce(sum(prunable), 0) FROM runs GROUP BY 1");
    while (statement.step()) {
        if (statement.integer(0) != 0) {
            use.deletedRuns = int(statement.integer(1));
            use.deletedBytes = statement.integer(2);
        } else {
            use.runs = int(statement.integer(1));
            use.bytes = statement.integer(2);
            use.prunableBytes = statement.integer(3);
        }
    }
    return use;
}

} // namespace triaxis

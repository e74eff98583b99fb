#include "storage/run_facets.h"

#include "storage/run_filter.h"

namespace triaxis
{
namespace
{

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

std::vector<RunFacet> tagsOf(const sqlite::Database& database, const RunQuery& query)
{
    const RunFilter filter(query, RunFilterPart::Tag);
    // All tags of the runs that the filter leaves, from the tags' side where it leaves many.
    sqlite::Statement statement(database,
                                "SELECT tag, count(*) FROM tags WHERE run IN (SELECT id FROM runs " +
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
    const auto of = [&](RunFilterPart part, const char* column) {
        return facetsOf(database, query, part, column);
    };
    RunFacets facets;
    facets.states = of(RunFilterPart::State, "state");
    facets.models = of(RunFilterPart::Model, "model");
    facets.layouts = of(RunFilterPart::Layout, "layout");
    facets.schedules = of(RunFilterPart::Schedule, "schedule");
    facets.dp = of(RunFilterPart::Dp, "dp");
    facets.tp = of(RunFilterPart::Tp, "tp");
    facets.pp = of(RunFilterPart::Pp, "pp");
    facets.ranks = of(RunFilterPart::Ranks, "ranks");
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

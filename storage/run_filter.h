#pragma once

#include "storage/run_summary.h"
#include "storage/sqlite.h"

#include <variant>

namespace triaxis
{

/// One filter of RunQuery, for its facet.
enum class RunFilterPart { None, State, Model, Layout, Schedule, Tag, Dp, Tp, Pp, Ranks, Starred, Kind };

/// "WHERE …" over the table `runs`, with its values.
class RunFilter
{
public:
    /// `without` is left out: what a facet's own filter says does not narrow the facet.
    explicit RunFilter(const RunQuery& query, RunFilterPart without = RunFilterPart::None);

    const std::string& sql() const { return m_sql; }
    /// Binds the values from position `first` on; returns the next position.
    int bind(sqlite::Statement& statement, int first = 1) const;

private:
    using Value = std::variant<std::int64_t, std::string>;

    void require(const std::string& condition, std::vector<Value> values = {});
    void requireAny(const char* column, const std::vector<std::string>& values);
    void requireTags(const std::vector<std::string>& tags);
    void requireDates(const RunQuery& query);
    void requireRanks(const RunQuery& query);

    std::string m_sql;
    std::vector<Value> m_values;
};

/// "2x2x1" as the history keeps it, "2×2×1".
std::string layoutWithSigns(const std::string& text);

} // namespace triaxis

#pragma once

#include "storage/history.h"
#include "storage/sqlite.h"

namespace triaxis
{

/// Reads the history's tables. `home` completes the directories.
std::vector<RunSummary> selectRuns(const sqlite::Database& database,
                                   const std::filesystem::path& home, const RunQuery& query);
/// All that are not deleted, without their tags.
std::vector<RunSummary> selectNewestFirst(const sqlite::Database& database,
                                          const std::filesystem::path& home);
RunTotals selectTotals(const sqlite::Database& database, const RunQuery& query);
RunSummary selectRun(const sqlite::Database& database, const std::filesystem::path& home,
                     const std::string& idOrPrefix, bool deleted = false);
std::vector<StepResult> selectSteps(const sqlite::Database& database, const std::string& id);

} // namespace triaxis

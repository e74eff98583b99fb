#pragma once

#include "storage/run_summary.h"
#include "storage/sqlite.h"

namespace triaxis
{

RunFacets selectFacets(const sqlite::Database& database, const RunQuery& query);
StorageUse selectStorage(const sqlite::Database& database);

} // namespace triaxis

#pragma once

#include "engine/record/run_directory.h"
#include "storage/sqlite.h"

namespace triaxis
{

/// Writes what the tables hold of a person's notes, and where the run's directory lies. Within a
/// transaction; the run has a row. Damaged notes count as none.
void writeNotesRow(sqlite::Database& database, const RunDirectory& run, const RunPlan& plan);

/// The directory is that of a deleted run.
bool isInTrash(const std::filesystem::path& directory);

} // namespace triaxis

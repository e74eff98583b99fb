#pragma once

#include "storage/sqlite.h"

#include <span>

namespace triaxis
{

/// One step of the schema: what turns version − 1 into version.
struct Migration
{
    int version = 0;
    const char* sql = "";
};

/// All migrations, from version 1, in order. A new version is one more entry; entries that have
/// been released never change.
std::span<const Migration> migrations();

/// Brings the schema to the version of the last migration, in one transaction; safe for two
/// processes at once. Throws Error if the file is of a newer version.
void migrate(sqlite::Database& database, std::span<const Migration> steps);

/// Throws Error if `file` holds a newer version than `version`, going by the file's header alone,
/// so that not even its write-ahead log is touched.
void refuseNewer(const std::filesystem::path& file, int version);

} // namespace triaxis

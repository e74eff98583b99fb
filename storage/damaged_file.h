#pragma once

#include <filesystem>
#include <string>

namespace triaxis
{

/// Renames a damaged history.db, with its write-ahead log, out of the way. Of several processes
/// that meet the damage only one does it: a file that is sound by then is left alone. Returns the
/// new name; empty if there was nothing to do. Throws Error if it cannot be renamed.
std::filesystem::path setAsideIfDamaged(const std::filesystem::path& file);

} // namespace triaxis

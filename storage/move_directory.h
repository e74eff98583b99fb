#pragma once

#include <filesystem>

namespace triaxis
{

/// Renames a folder within one file system, never over something that is there; both parents reach the disk. False if `to` is there
/// already. Throws Error.
bool moveDirectory(const std::filesystem::path& from, const std::filesystem::path& to,
                   const char* tried);

/// Bytes of all regular files below; links are not followed.
std::int64_t directoryBytes(const std::filesystem::path& directory);

} // namespace triaxis

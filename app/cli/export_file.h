#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace triaxis::cli
{

/// Writes a file under a temporary name beside it and renames it when everything has reached the disk, so that a full disk never
/// leaves half a file or destroys the old one. "-" is standard output. Throws Error.
void writeFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

} // namespace triaxis::cli

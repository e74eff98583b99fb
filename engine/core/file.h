#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace triaxis
{

/// The content of a regular file. `tried` is what the caller wanted, for the Error: "cannot read
/// the model configuration". Throws Error if the file is missing, no regular file (so that a pipe
/// or device cannot hang the reader), longer than `limit` bytes, or unreadable.
std::string readFile(const std::filesystem::path& path, std::int64_t limit,
                     const std::string& tried);

} // namespace triaxis

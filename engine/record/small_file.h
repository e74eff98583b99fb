#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace triaxis
{

/// Replaces `file` by `content` so that a reader, or a machine that loses power, sees the old or
/// the new one whole: temporary file in the same folder, fsync, rename, fsync of the folder. Throws
/// Error; then the old file is as it was.
void replaceFile(const std::filesystem::path& file, const std::string& content);

/// Writes `content`, padded with spaces to at least the old size, over the blocks that the file
/// already has, with one write. For a full disk, where a new file finds no room. False if it does
/// not fit there either.
bool overwriteFile(const std::filesystem::path& file, std::string content);

/// The content, or nothing if there is no such file. Throws Error if it cannot be read, is no
/// regular file (a pipe would hang the reader) or is longer than `limit`.
std::optional<std::string> readSmallFile(const std::filesystem::path& file,
                                         std::size_t limit = 64 << 20);

} // namespace triaxis

#pragma once

#include <filesystem>

namespace triaxis
{

/// Two run directories hold the same plan and records, byte by byte; what persons have noted may differ.
bool isSameRun(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace triaxis

#pragma once

#include <filesystem>

namespace triaxis
{

/// Who measures this machine holds this file (FileLock), since two at once would measure each
/// other. Under the home of Triaxis.
std::filesystem::path calibrationLock(const std::filesystem::path& home);

/// Other programs that take more than this share of the cores disturb a measurement.
inline constexpr double disturbed = 0.05;

} // namespace triaxis

#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace triaxis::ui
{

/// The runs below `home` that have begun and are not over, the newest first; of the newest fifty.
std::vector<std::filesystem::path> findActiveRuns(const std::filesystem::path& home);
/// The newest run below `home` that has begun and is not over, also one that another program or an earlier window started.
std::optional<std::filesystem::path> findActiveRun(const std::filesystem::path& home);

} // namespace triaxis::ui

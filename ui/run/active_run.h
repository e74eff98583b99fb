#pragma once

#include <filesystem>
#include <optional>

namespace triaxis::ui
{

/// The newest run below `home` that has begun and is not over, also one that another program or an earlier window started.
std::optional<std::filesystem::path> findActiveRun(const std::filesystem::path& home);

} // namespace triaxis::ui

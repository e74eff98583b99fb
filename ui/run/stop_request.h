#pragma once

#include <filesystem>

namespace triaxis::ui
{

/// Asks whatever runs this run directory to end it after the step; throws Error where that cannot be written.
void requestStop(const std::filesystem::path& directory);

} // namespace triaxis::ui

#include "ui/run/active_run.h"

#include "engine/core/error.h"
#include "engine/record/run_directory.h"

#include <algorithm>
#include <vector>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t newestLookedAt = 50;

bool isActive(const std::filesystem::path& directory)
{
    try {
        const RunState state = RunDirectory::open(directory).status().state;
        return state != RunState::Draft && !isFinal(state);
    } catch (const Error&) {
        return false;
    }
}

} // namespace

std::vector<std::filesystem::path> findActiveRuns(const std::filesystem::path& home)
{
    std::vector<std::filesystem::path> directories;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(home / "runs", ignored))
        directories.push_back(entry.path());
    std::sort(directories.begin(), directories.end(), std::greater<>());
    if (directories.size() > newestLookedAt)
        directories.resize(newestLookedAt);
    std::erase_if(directories, [](const auto& directory) { return !isActive(directory); });
    return directories;
}

std::optional<std::filesystem::path> findActiveRun(const std::filesystem::path& home)
{
    const auto runs = findActiveRuns(home);
    return runs.empty() ? std::nullopt : std::optional(runs.front());
}

} // namespace triaxis::ui

#include "engine/core/cores.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sched.h>
#include <set>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

/// Empty if it cannot be read: what the system does not tell is not limited.
std::string contentOf(const fs::path& file)
{
    constexpr std::size_t most = 1 << 20;
    std::string content;
    std::ifstream in(file, std::ios::binary);
    for (std::string line; content.size() < most && std::getline(in, line);)
        content += line + "\n";
    return content;
}

/// Nothing for "max", or for what is no number.
std::optional<double> numberIn(const std::string& text)
{
    double number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<double> ratio(const std::string& quota, const std::string& period)
{
    const auto time = numberIn(quota);
    const auto of = numberIn(period);
    return time && of && *time > 0 && *of > 0 ? std::optional(*time / *of) : std::nullopt;
}

std::optional<double> quotaOf(const fs::path& group)
{
    std::istringstream second(contentOf(group / "cpu.max"));
    std::string quota, period;
    if (second >> quota >> period)
        return ratio(quota, period);
    return ratio(contentOf(group / "cpu.cfs_quota_us"), contentOf(group / "cpu.cfs_period_us"));
}

bool names(const std::string& controllers, const std::string& wanted)
{
    std::istringstream list(controllers);
    for (std::string name; std::getline(list, name, ',');)
        if (name == wanted)
            return true;
    return false;
}

/// Affinity masks grow with the machine, so the size is tried.
std::vector<int> allowedProcessors()
{
    for (std::size_t count = 1024; count <= 1 << 20; count *= 4) {
        const std::size_t bytes = CPU_ALLOC_SIZE(count);
        cpu_set_t* set = CPU_ALLOC(count);
        if (!set)
            break;
        std::vector<int> processors;
        const bool known = ::sched_getaffinity(0, bytes, set) == 0;
        for (std::size_t i = 0; known && i < count; ++i)
            if (CPU_ISSET_S(i, bytes, set))
                processors.push_back(int(i));
        CPU_FREE(set);
        if (known)
            return processors;
    }
    return std::vector<int>(std::size_t(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))), 0);
}

} // namespace

std::optional<double> processorQuota(const fs::path& mounts, const std::string& membership)
{
    std::optional<double> least;
    std::istringstream lines(membership);
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (!controllers.empty() && !names(controllers, "cpu"))
            continue;
        const fs::path root = controllers.empty() ? mounts : mounts / controllers;
        fs::path group = fs::path(line.substr(second + 1)).relative_path().lexically_normal();
        for (;;) {
            if (const auto quota = quotaOf(root / group))
                least = std::min(least.value_or(*quota), *quota);
            if (group.empty())
                break;
            group = group.parent_path();
        }
    }
    return least;
}

int usableCores()
{
    const int allowed = std::max(1, int(allowedProcessors().size()));
    const auto quota = processorQuota("/sys/fs/cgroup", contentOf("/proc/self/cgroup"));
    if (!quota)
        return allowed;
    return std::clamp(int(std::floor(*quota)), 1, allowed);
}

std::optional<int> threadLimit()
{
    const char* text = std::getenv("OMP_NUM_THREADS");
    int threads = 0;
    if (text)
        std::from_chars(text, text + std::strlen(text), threads);
    return threads >= 1 ? std::optional(threads) : std::nullopt;
}

int threadsOfRank(int wanted, int cores, int ranks, std::optional<int> limit)
{
    const int share = wanted > 0 ? wanted : cores / std::max(1, ranks);
    return std::max(1, std::min({share, cores, limit.value_or(cores)}));
}

int physicalCores()
{
    const std::vector<int> allowed = allowedProcessors();
    std::set<std::string> cores;
    for (int processor : allowed) {
        const std::string siblings =
            contentOf("/sys/devices/system/cpu/cpu" + std::to_string(processor) +
                      "/topology/thread_siblings_list");
        cores.insert(siblings.empty() ? std::to_string(processor) : siblings);
    }
    return std::max(1, int(cores.size()));
}

} // namespace triaxis

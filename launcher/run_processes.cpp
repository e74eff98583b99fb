#include "launcher/run_processes.h"

#include "engine/record/process_info.h"
#include "launcher/steady_time.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <thread>
#include <unistd.h>

namespace triaxis
{
namespace
{

constexpr double killSeconds = 5;
constexpr auto lookInterval = std::chrono::milliseconds(20);

std::string environmentOf(int pid)
{
    const std::string path = "/proc/" + std::to_string(pid) + "/environ";
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return {};
    std::string text;
    char buffer[16 << 10];
    for (;;) {
        const ssize_t got = ::read(file, buffer, sizeof buffer);
        if (got <= 0)
            break;
        text.append(buffer, std::size_t(got));
    }
    ::close(file);
    return text;
}

/// True if one of the NUL-separated entries is exactly `entry`.
bool hasEntry(const std::string& environment, const std::string& entry)
{
    for (std::size_t at = environment.find(entry); at != std::string::npos;
         at = environment.find(entry, at + 1)) {
        const bool begins = at == 0 || environment[at - 1] == '\0';
        const std::size_t end = at + entry.size();
        if (begins && (end == environment.size() || environment[end] == '\0'))
            return true;
    }
    return false;
}

std::vector<int> allPids()
{
    std::vector<int> pids;
    std::error_code code;
    for (std::filesystem::directory_iterator entry("/proc", code), end; !code && entry != end;
         entry.increment(code)) {
        const std::string name = entry->path().filename().string();
        int pid = 0;
        const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error == std::errc() && rest == name.data() + name.size())
            pids.push_back(pid);
    }
    return pids;
}

void signalAll(const std::vector<ProcessName>& processes, int number)
{
    for (const ProcessName& process : processes)
        if (isAlive(process.pid, process.startTime))
            ::kill(process.pid, number);
}

} // namespace

std::vector<ProcessName> processesOfRun(const std::string& runId,
                                        const std::vector<RankStatus>& ranks)
{
    std::set<ProcessName> found;
    const std::string entry = "TRIAXIS_RUN_ID=" + runId;
    for (int pid : allPids()) {
        if (pid == ::getpid() || !hasEntry(environmentOf(pid), entry))
            continue;
        const auto info = processInfo(pid);
        if (info && info->state != 'Z')
            found.insert({pid, info->startTime});
    }
    for (const RankStatus& rank : ranks)
        if (rank.host == hostName() && rank.startTime > 0 && rank.pid != ::getpid() &&
            isAlive(rank.pid, rank.startTime))
            found.insert({rank.pid, rank.startTime});
    return {found.begin(), found.end()};
}

std::vector<ProcessName> endProcesses(const std::string& runId,
                                      const std::vector<RankStatus>& ranks, double graceSeconds)
{
    const double start = steadySeconds();
    std::vector<ProcessName> left = processesOfRun(runId, ranks);
    signalAll(left, SIGTERM);
    while (!left.empty()) {
        const double waited = steadySeconds() - start;
        if (waited > graceSeconds + killSeconds)
            break;
        if (waited >= graceSeconds)
            signalAll(left, SIGKILL);
        std::this_thread::sleep_for(lookInterval);
        left = processesOfRun(runId, ranks);
    }
    return left;
}

} // namespace triaxis

#include "engine/record/process_info.h"

#include <climits>
#include <cstdio>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

namespace triaxis
{
namespace
{

std::string readStat(int pid)
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return {};
    char text[1024];
    const ssize_t size = ::read(file, text, sizeof text);
    ::close(file);
    return size > 0 ? std::string(text, std::size_t(size)) : std::string();
}

} // namespace

std::optional<ProcessInfo> processInfo(int pid)
{
    if (pid <= 0)
        return std::nullopt;
    const std::string text = readStat(pid);
    // The name stands in parentheses and may itself hold any character, so the last one counts.
    const std::size_t open = text.find('(');
    const std::size_t close = text.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open)
        return std::nullopt;
    ProcessInfo info;
    info.pid = pid;
    info.program = text.substr(open + 1, close - open - 1);
    std::istringstream fields(text.substr(close + 1));
    fields >> info.state >> info.parent;
    std::string skipped;
    // Fields 5 to 21 of proc(5), then 22: starttime.
    for (int field = 5; field < 22; ++field)
        fields >> skipped;
    fields >> info.startTime;
    if (!fields)
        return std::nullopt;
    for (int field = 23; field < 52; ++field)
        fields >> skipped;
    fields >> info.exitStatus;
    return info;
}

bool isAlive(int pid, std::int64_t startTime)
{
    const auto info = processInfo(pid);
    if (!info || info->state == 'Z' || info->state == 'X')
        return false;
    return startTime == 0 || info->startTime == startTime;
}

std::string hostName()
{
    char name[HOST_NAME_MAX + 1] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? std::string(name) : std::string();
}

} // namespace triaxis

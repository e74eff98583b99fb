#include "app/cli/capture.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace triaxis::cli
{
namespace
{

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& words)
{
    std::vector<char*> result;
    for (std::string& word : words)
        result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> withAdditions(const std::vector<std::string>& additions)
{
    std::vector<std::string> all(additions);
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('=') + 1);
        bool replaced = false;
        for (const std::string& addition : additions)
            replaced = replaced || addition.compare(0, name.size(), name) == 0;
        if (!replaced)
            all.push_back(text);
    }
    return all;
}

/// Reads until end of file or the deadline; false at the deadline.
bool readAll(int fd, Clock::time_point deadline, const std::function<void(const std::string&)>& line, std::string& output)
{
    std::size_t told = 0;
    char buffer[4096];
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd poller{fd, POLLIN, 0};
        if (left <= 0 || poll(&poller, 1, static_cast<int>(left)) == 0)
            return false;
        const ssize_t count = read(fd, buffer, sizeof buffer);
        if (count <= 0)
            return true;
        output.append(buffer, static_cast<std::size_t>(count));
        for (std::size_t end = 0; line && (end = output.find('\n', told)) != std::string::npos; told = end + 1)
            line(output.substr(told, end - told));
    }
}

} // namespace

Captured capture(const std::vector<std::string>& arguments, double timeoutSeconds,
                 const std::vector<std::string>& environment)
{
    return follow(arguments, timeoutSeconds, withAdditions(environment), {});
}

Captured follow(const std::vector<std::string>& arguments, double timeoutSeconds,
                const std::vector<std::string>& environment, const std::function<void(const std::string&)>& line)
{
    Captured result;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return result;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);

    std::vector<std::string> words = arguments;
    std::vector<std::string> variables = environment;
    pid_t pid = 0;
    const int error = posix_spawnp(&pid, words.front().c_str(), &actions, &attributes, pointers(words).data(),
                                   pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (error == 0) {
        result.started = true;
        const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeoutSeconds));
        result.timedOut = !readAll(ends[0], Clock::now() + limit, line, result.output);
        if (result.timedOut)
            kill(-pid, SIGKILL);
        int status = 0;
        waitpid(pid, &status, 0);
        if (!result.timedOut && WIFEXITED(status))
            result.exitCode = WEXITSTATUS(status);
    }
    close(ends[0]);
    return result;
}

} // namespace triaxis::cli

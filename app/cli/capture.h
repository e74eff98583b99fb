#pragma once

#include <functional>
#include <string>
#include <vector>

namespace triaxis::cli
{

struct Captured
{
    bool started = false;
    bool timedOut = false;
    int exitCode = -1;      ///< −1: not started, timed out, or ended by a signal
    std::string output;     ///< standard output; standard error is thrown away
};

/// Runs a program with an argument vector and collects what it prints. `environment` entries "NAME=value" are added to this process's own.
Captured capture(const std::vector<std::string>& arguments, double timeoutSeconds,
                 const std::vector<std::string>& environment = {});

/// The same with a complete environment; `line` gets each whole line as it comes.
Captured follow(const std::vector<std::string>& arguments, double timeoutSeconds,
                const std::vector<std::string>& environment, const std::function<void(const std::string&)>& line);

} // namespace triaxis::cli

#include "launcher/child_process.h"

#include "engine/core/error.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace triaxis
{
namespace
{

struct Pipe
{
    Descriptor read;
    Descriptor write;

    Pipe()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            throw Error("cannot start the ranks", std::string("pipe: ") + std::strerror(errno));
        read = Descriptor(ends[0]);
        write = Descriptor(ends[1]);
    }
};

/// Everything that the child needs, made before the fork: after it only calls that are safe between
/// fork and exec are allowed.
struct ChildSetup
{
    std::vector<char*> arguments;
    std::vector<char*> environment;
    int input = -1;
    int output = -1;
    int errors = -1;
    int trouble = -1; ///< gets the errno if the program cannot be started
    pid_t parent = 0;
};

std::vector<char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

[[noreturn]] void becomeProgram(const ChildSetup& setup)
{
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != setup.parent) // it died before the line above
        ::_exit(1);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGQUIT})
        ::signal(number, SIG_DFL);
    ::dup2(setup.input, STDIN_FILENO);
    ::dup2(setup.output, STDOUT_FILENO);
    ::dup2(setup.errors, STDERR_FILENO);
    constexpr unsigned closeOnExec = 1u << 2; // CLOSE_RANGE_CLOEXEC
    ::syscall(SYS_close_range, 3u, ~0u, closeOnExec);
    ::execve(setup.arguments[0], setup.arguments.data(), setup.environment.data());
    const int code = errno;
    const ssize_t told = ::write(setup.trouble, &code, sizeof code);
    ::_exit(told == ssize_t(sizeof code) ? 127 : 126);
}

} // namespace

ChildProcess::ChildProcess(const LaunchCommand& command)
{
    Pipe output;
    Pipe route;
    Pipe trouble;
    const std::string source = command.input.empty() ? "/dev/null" : command.input.string();
    const Descriptor input(::open(source.c_str(), O_RDONLY | O_CLOEXEC));
    ChildSetup setup;
    setup.arguments = pointersTo(command.arguments);
    setup.environment = pointersTo(command.environment);
    setup.input = input.value();
    setup.output = command.tagged ? route.write.value() : output.write.value();
    setup.errors = output.write.value();
    setup.trouble = trouble.write.value();
    setup.parent = ::getpid();
    m_pid = ::fork();
    if (m_pid == 0)
        becomeProgram(setup);
    if (m_pid < 0)
        throw Error("cannot start the ranks", std::string("fork: ") + std::strerror(errno),
                    "end other programs: the system allows no more processes");
    trouble.write.reset();
    int code = 0;
    ssize_t got = 0;
    do {
        got = ::read(trouble.read.value(), &code, sizeof code);
    } while (got < 0 && errno == EINTR);
    if (got == ssize_t(sizeof code)) {
        ::waitpid(m_pid, nullptr, 0);
        m_pid = -1;
        throw Error("cannot start the ranks", command.arguments[0] + ": " + std::strerror(code));
    }
    m_output = std::move(output.read);
    ::fcntl(m_output.value(), F_SETFL, O_NONBLOCK);
    if (command.tagged)
        m_route = std::move(route.read);
    if (m_route)
        ::fcntl(m_route.value(), F_SETFL, O_NONBLOCK);
}

ChildProcess::~ChildProcess()
{
    if (m_pid <= 0 || status())
        return;
    ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
}

std::optional<int> ChildProcess::status()
{
    int status = 0;
    if (!m_status && m_pid > 0 && ::waitpid(m_pid, &status, WNOHANG) == m_pid)
        m_status = status;
    return m_status;
}

void ChildProcess::signal(int number)
{
    if (m_pid > 0 && !status())
        ::kill(m_pid, number);
}

} // namespace triaxis

#include "tests/integration/fault_support.h"

#include "engine/record/process_info.h"
#include "engine/record/rank_status.h"
#include "launcher/run_processes.h"

#include <csignal>
#include <fstream>
#include <sys/mount.h>
#include <thread>

namespace triaxis::test
{
namespace fs = std::filesystem;
namespace
{

constexpr int longest = 120000; // milliseconds

std::optional<fs::path> onlyRun(const fs::path& home)
{
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(home / "runs", code))
        if (fs::exists(entry.path() / "run.json"))
            return entry.path();
    return std::nullopt;
}

} // namespace

bool waitUntil(const std::function<bool()>& condition)
{
    for (int waited = 0; waited < longest; waited += 20) {
        if (condition())
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return condition();
}

RunningJob::RunningJob(const fs::path& home, const QStringList& options, int ranks) : m_home(home)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TRIAXIS_HOME", QString::fromStdString(home.string()));
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QStringList arguments{"run",          "--json",
                          "--model",      "gpt2-1m",
                          "--data",       "synthetic",
                          "--dp",         QString::number(ranks),
                          "--batch",      QString::number(ranks),
                          "--microbatch", "1",
                          "--sequence",   "16",
                          "--steps",      "1000000"};
    m_process.start(qEnvironmentVariable("TRIAXIS_BIN") + "/triaxis", arguments + options);
}

RunningJob::~RunningJob()
{
    if (m_run)
        endProcesses(m_run->id(), {}, 0);
    m_process.kill();
    m_process.waitForFinished(longest);
}

bool RunningJob::waitForSteps(int steps)
{
    return waitUntil([&] {
        m_process.waitForReadyRead(1);
        if (!m_run)
            if (const auto directory = onlyRun(m_home))
                m_run = RunDirectory::open(*directory);
        if (!m_run)
            return false;
        const int ranks = m_run->plan().layout.ranks();
        for (int rank = 0; rank < ranks; ++rank) {
            const auto status = readRankStatus(m_run->statusFile(Rank(rank)));
            if (!status || status->step <= steps)
                return false;
        }
        return m_run->status().state == RunState::Running;
    });
}

int RunningJob::rankPid(int rank) const
{
    const auto status = readRankStatus(m_run->statusFile(Rank(rank)));
    return status ? status->pid : 0;
}

int RunningJob::mpirunPid() const
{
    for (const ProcessName& name : processesOfRun(m_run->id(), {})) {
        const auto info = processInfo(name.pid);
        if (info && info->program == "mpirun")
            return name.pid;
    }
    return 0;
}

int RunningJob::waitForEnd()
{
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(longest))
        return -1;
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

bool RunningJob::waitUntilGone() const
{
    return waitUntil([&] { return processesOfRun(m_run->id(), {}).empty(); });
}

bool RunningJob::waitForFinalState() const
{
    return waitUntil([&] { return isFinal(m_run->status().state); });
}

SmallDisk::SmallDisk(const fs::path& folder) : m_folder(folder)
{
    fs::create_directories(folder);
    m_mounted = ::mount("tmpfs", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "size=4m") == 0;
}

SmallDisk::~SmallDisk()
{
    if (m_mounted)
        ::umount2(m_folder.c_str(), MNT_DETACH);
}

void SmallDisk::fill(std::int64_t left)
{
    const auto room = std::int64_t(fs::space(m_folder).available) - left;
    std::ofstream(m_folder / "filler")
        << std::string(std::size_t(std::max<std::int64_t>(room, 0)), 'x');
}

void SmallDisk::give()
{
    fs::remove(m_folder / "filler");
}

} // namespace triaxis::test

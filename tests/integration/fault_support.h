#pragma once

#include "engine/record/run_directory.h"

#include <QProcess>
#include <QTemporaryDir>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace triaxis::test
{

/// `triaxis run` as a process of its own, on a home of its own.
class RunningJob
{
public:
    /// Trains a small model on `ranks` data-parallel ranks until somebody ends it.
    explicit RunningJob(const std::filesystem::path& home, const QStringList& options = {},
                        int ranks = 4);
    /// Ends what is left.
    ~RunningJob();

    /// True once all ranks are well on their way.
    bool waitForSteps(int steps);
    /// Of the run, which exists once waitForSteps() was true.
    RunDirectory& run() { return *m_run; }
    QProcess& process() { return m_process; }
    int rankPid(int rank) const;
    int mpirunPid() const;
    /// Waits for the end of `triaxis run`; its exit code, −1 if it does not end or was killed.
    int waitForEnd();
    /// Waits until no process of the run is left.
    bool waitUntilGone() const;
    /// Waits until the directory says that the run has ended.
    bool waitForFinalState() const;

private:
    QProcess m_process;
    std::filesystem::path m_home;
    std::optional<RunDirectory> m_run;
};

/// Tries for up to two minutes.
bool waitUntil(const std::function<bool()>& condition);

/// A folder with little room: a small memory file system where one may be mounted, else an ordinary
/// folder.
class SmallDisk
{
public:
    explicit SmallDisk(const std::filesystem::path& folder);
    ~SmallDisk();
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    bool isMounted() const { return m_mounted; }
    /// Takes all room but `left` bytes; give() takes it back.
    void fill(std::int64_t left);
    void give();

private:
    std::filesystem::path m_folder;
    bool m_mounted = false;
};

} // namespace triaxis::test

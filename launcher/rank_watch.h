#pragma once

#include "engine/record/records.h"
#include "engine/record/run_directory.h"
#include "launcher/cause.h"
#include "launcher/hang_watch.h"
#include "launcher/watched_process.h"

#include <optional>
#include <vector>

namespace triaxis
{

/// Follows one rank: its records, its status, and its process if that is on this host.
class RankWatch
{
public:
    RankWatch(const RunDirectory& run, Rank rank);

    /// What is new in its record file. `final`: no more will come.
    RecordBatch readRecords(bool final = false);
    /// Looks at status and process; true the first time that the process is seen to have ended.
    bool look();

    Rank rank() const { return m_rank; }
    const std::optional<RankStatus>& status() const { return m_status; }
    bool hasEndRecord() const { return m_endRecord; }
    bool hasFault() const { return m_fault; }
    bool processEnded() const { return m_processEnded; }
    std::optional<int> waitStatus() const
    {
        return m_process ? m_process->waitStatus() : std::nullopt;
    }
    /// For poll(): readable once the process has ended; −1 if there is none to watch.
    int descriptor() const;
    RankActivity activity() const;

private:
    Rank m_rank;
    std::filesystem::path m_statusFile;
    RecordReader m_reader;
    std::optional<RankStatus> m_status;
    std::optional<WatchedProcess> m_process;
    bool m_processEnded = false;
    bool m_endRecord = false;
    bool m_fault = false;
};

} // namespace triaxis

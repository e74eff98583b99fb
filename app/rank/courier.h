#pragma once

#include "engine/core/ids.h"
#include "engine/record/run_directory.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

namespace triaxis::rank
{

/// The run directory of a rank whose host does not reach the real one: a folder of the host's own
/// with the plan, gone with this object.
class LocalRun
{
public:
    /// `description`: the text of run.json.
    LocalRun(const std::string& id, const std::string& description);
    ~LocalRun();
    LocalRun(const LocalRun&) = delete;
    LocalRun& operator=(const LocalRun&) = delete;

    RunDirectory open() const { return RunDirectory::open(m_folder / m_id); }

private:
    std::filesystem::path m_folder;
    std::string m_id;
};

/// Sends what a rank writes into its record and status files on to the launcher, as
/// engine/record/record_route.h says, on a thread of its own: training never waits for it.
class Courier
{
public:
    /// Both files must be there.
    Courier(const RunDirectory& run, Rank rank, std::FILE* out);
    /// Sends what is left.
    ~Courier();
    Courier(const Courier&) = delete;
    Courier& operator=(const Courier&) = delete;

private:
    void sendNews();
    bool sendRecords();
    void sendStatus();

    Rank m_rank;
    std::FILE* m_out;
    int m_records = -1;
    int m_status = -1;
    std::int64_t m_sent = 0;
    std::string m_lastStatus;
    std::jthread m_thread;
};

} // namespace triaxis::rank

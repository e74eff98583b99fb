#pragma once

#include "engine/core/ids.h"
#include "engine/record/run_plan.h"
#include "engine/record/run_state.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace triaxis
{

/// $TRIAXIS_HOME, else $XDG_DATA_HOME/triaxis, else ~/.local/share/triaxis. Holds runs/ and history.db.
std::filesystem::path triaxisHome();

/// Where and on what a run ran; beside the plan in run.json.
struct RunEnvironment
{
    std::string id;             ///< directory name: "20260214-153012-a1b2", sorts by time
    std::string startedUtc;     ///< ISO 8601
    std::string version;        ///< of Triaxis
    std::string host;
    std::string blas;           ///< library and core name in use, "OpenBLAS 0.3.21 SkylakeX"
    std::string mpi;
    int cores = 0;
    std::int64_t memoryBytes = 0; ///< of `host`; 0: not known
};

/// How a run stands; state.json, replaced atomically by the launcher.
struct RunStatus
{
    RunState state = RunState::Draft;
    std::string reason;           ///< failed: which rank, signal or message, and what to do
    std::optional<Rank> failedRank;
    int launcherPid = 0;          ///< of `triaxis run`
    std::int64_t launcherStart = 0; ///< start time of that pid (/proc/PID/stat field 22), guards against reuse
    double heartbeat = 0;         ///< Unix time of the last sign of life
    std::string endedUtc;
    std::int64_t lastStep = 0;
};

/// One run's directory: run.json, state.json, rank-NNNN.records, rank-NNNN.status, stderr.log, model.safetensors.
class RunDirectory
{
public:
    /// Makes runs/<id>/ under `home` with run.json and state.json. Throws Error (full disk, no permission).
    static RunDirectory create(const std::filesystem::path& home, const RunPlan& plan, RunEnvironment environment);
    /// Opens an existing one; throws Error if it is not a run directory.
    static RunDirectory open(const std::filesystem::path& directory);

    const std::filesystem::path& path() const { return m_path; }
    std::string id() const { return m_path.filename().string(); }
    RunPlan plan() const;
    /// Replaces run.json atomically; for a draft that still lacks the facts of its data.
    void setPlan(const RunPlan& plan);
    RunEnvironment environment() const;
    /// Fills in what only the ranks know (BLAS core name, MPI version). Replaces run.json atomically.
    void setEnvironment(const RunEnvironment& environment);

    /// The state as written; a state that is not final but whose launcher is dead on this host is reported, and
    /// rewritten, as Failed ("the launcher died").
    RunStatus status() const;
    void setStatus(const RunStatus& status);

    std::filesystem::path recordFile(Rank rank) const;
    std::filesystem::path statusFile(Rank rank) const;
    std::filesystem::path standardError() const;
    /// A file whose existence asks the launcher to stop the run.
    std::filesystem::path stopRequest() const;

private:
    explicit RunDirectory(std::filesystem::path path);
    std::filesystem::path m_path;
};

} // namespace triaxis

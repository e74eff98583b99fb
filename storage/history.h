#pragma once

#include "engine/record/records.h"
#include "engine/record/run_directory.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// One line of the history.
struct RunSummary
{
    std::string id;
    std::string label;
    std::string startedUtc;
    RunState state = RunState::Draft;
    std::string reason;
    std::string model;
    std::string layout; ///< "2×2×2"
    int dp = 1, tp = 1, pp = 1;
    std::string schedule;
    int ranks = 1;
    std::int64_t steps = 0; ///< steps done
    double finalLoss = 0;   ///< NaN where there is none
    double stepSeconds = 0; ///< median, first step left out
    double tokensPerSecond = 0;
    double bubble = 0;          ///< mean of the kept steps (KeptBubble); NaN where there is none
    std::int64_t peakBytes = 0; ///< of the fullest rank
    std::string directory;
};

struct RunQuery
{
    std::string text; ///< in id, label, model, layout, schedule
    std::optional<RunState> state;
    int limit = 100;
    int offset = 0;
    std::string orderBy = "started"; ///< started, loss, step_time, tokens_per_second, bubble
    bool descending = true;
};

/// The history: an SQLite index over the run directories. The directories are the truth; the
/// history can be rebuilt from them. Safe for several processes; one object belongs to one thread.
class History
{
public:
    /// Opens or makes history.db in `home`, migrates an older schema, refuses a newer one with
    /// Error.
    explicit History(const std::filesystem::path& home);
    ~History();
    History(History&&) noexcept;

    /// Brings the row, steps, summary and offsets of one run up to date. Idempotent.
    void index(const RunDirectory& run);
    /// Indexes every run directory under home/runs; returns how many there are. Runs that had ended
    /// when they were indexed are not read again; those whose directory is gone are forgotten.
    /// `rebuild` drops all rows first.
    int refresh(bool rebuild = false);

    std::vector<RunSummary> runs(const RunQuery& query = {}) const;
    int count(const RunQuery& query = {}) const;
    /// By id or by unique prefix of it; "last" is the newest. Throws Error if there is none or
    /// several.
    RunSummary run(const std::string& idOrPrefix) const;
    std::vector<StepResult> steps(const std::string& id) const;

    /// What a person should know of the calls since the last one: a damaged history.db that was set
    /// aside and made anew, run directories that were skipped because they cannot be read. One
    /// sentence each.
    std::vector<std::string> takeNotes();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace triaxis

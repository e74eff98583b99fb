#pragma once

#include "engine/record/run_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// Where the figures of a run come from.
enum class RunKind {
    Measured, ///< by this history's machine, as fast as it goes
    Paced,    ///< real work in the slots of another device (PacePlan)
    Imported  ///< from a bundle, whether paced or not
};

/// "measured", "paced", "imported".
const char* toText(RunKind kind);
std::optional<RunKind> runKindFromText(const std::string& text);

/// One line of the history.
struct RunSummary
{
    std::string id;
    std::string label;
    std::string startedUtc;
    RunState state = RunState::Draft;
    std::string reason;
    std::string model;
    std::string layout;          ///< "2×2×2"
    int dp = 1, tp = 1, pp = 1;
    std::string schedule;
    int ranks = 1;
    std::int64_t steps = 0;      ///< steps done
    double finalLoss = 0;        ///< NaN where there is none
    double stepSeconds = 0;      ///< median, first step left out
    double tokensPerSecond = 0;
    double bubble = 0;           ///< mean of the kept steps (KeptBubble), of a pruned run as it was before; NaN where there is none
    std::int64_t peakBytes = 0;  ///< of the fullest rank
    std::string directory;
    std::string endedUtc;        ///< ISO 8601; empty while it goes on
    std::vector<std::string> tags; ///< sorted
    std::string note;
    bool starred = false;
    std::string deletedUtc;      ///< ISO 8601; empty: not in the trash
    std::int64_t bytes = 0;      ///< that the directory's files take on the disk
    std::int64_t spans = 0;      ///< kept, of all ranks
    std::int64_t prunableBytes = 0; ///< that pruning its spans would free (prune.h)
    RunKind kind = RunKind::Measured;
};

/// Which runs. Everything that is set must hold at once; a list is met by any of its entries, except for tags.
struct RunQuery
{
    std::string text;                 ///< each word in id, label, model, layout, schedule, note or tags, in any case
    std::optional<RunState> state;
    int limit = 100;
    int offset = 0;
    std::string orderBy = "started";  ///< one of runOrders()
    bool descending = true;
    std::vector<RunState> states;
    std::vector<std::string> models;
    std::vector<std::string> layouts; ///< as RunSummary::layout; the letter x is taken for ×
    std::vector<std::string> schedules;
    std::vector<std::string> tags;    ///< all of them
    std::vector<RunKind> kinds;
    std::optional<int> dp, tp, pp;
    int leastRanks = 0;
    int mostRanks = 0;                ///< 0: no limit
    bool starred = false;             ///< only those with a star
    std::string since, until;         ///< ISO 8601 in UTC, or the beginning of one: "2026-02", both included
    bool deleted = false;             ///< those in the trash instead of the others
};

/// What RunQuery::orderBy can be: id, label, kind, state, model, layout, schedule, ranks, steps, loss, step_time,
/// tokens_per_second, bubble, peak_memory, started, ended, starred, size, spans, deleted.
const std::vector<std::string>& runOrders();

/// What a filter offers: a value, and how many runs have it among those that meet all other filters.
struct RunFacet
{
    std::string value;
    int count = 0;
    bool operator==(const RunFacet&) const = default;
};

/// Most frequent first, at most 200 of a kind.
struct RunFacets
{
    std::vector<RunFacet> states, models, layouts, schedules, tags, dp, tp, pp, ranks, kinds;
    int starred = 0;
};

/// All runs of a query, over its pages.
struct RunTotals
{
    int runs = 0;
    std::int64_t bytes = 0; ///< that they take on the disk
};

/// What the runs take on the disk.
struct StorageUse
{
    int runs = 0;
    std::int64_t bytes = 0;
    std::int64_t prunableBytes = 0; ///< of them, that pruning all spans would free
    int deletedRuns = 0;
    std::int64_t deletedBytes = 0;  ///< in the trash
};

} // namespace triaxis

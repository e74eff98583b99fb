#pragma once

#include "storage/run_summary.h"

namespace triaxis
{

/// Which runs lose their spans. Pruning keeps steps, losses, memory, the log and the spans of the
/// one step that stands for the run, so that its figures and one step of its timeline stay. It
/// cannot be undone.
struct PruneRules
{
    double olderThanSeconds = 0;      ///< since the run started; 0: any age
    std::int64_t largerThanBytes = 0; ///< that pruning would free
    std::int64_t downToBytes =
        -1; ///< stop, the oldest first, when all runs take no more than so much; −1: never
    int keepNewest = 10; ///< so many of the newest runs stay whole
    bool alsoStarred = false;
};

/// Why runs stay whole; each run counts once, by the first of these.
struct PruneLeft
{
    int newest = 0;  ///< among PruneRules::keepNewest
    int enough = 0;  ///< downToBytes is reached without them
    int going = 0;   ///< they have not ended
    int starred = 0;
    int young = 0;
    int slight = 0;  ///< pruning would free nothing, or less than largerThanBytes
    int all() const { return newest + enough + going + starred + young + slight; }
    bool operator==(const PruneLeft&) const = default;
};

struct PrunePlan
{
    std::vector<RunSummary> runs; ///< oldest first; without tags
    std::int64_t freedBytes = 0;
    std::int64_t droppedSpans = 0; ///< at most
    std::int64_t bytesBefore = 0;  ///< of all runs
    PruneLeft left;
};

/// What the rules would do; nothing is touched. `newestFirst`: all runs that are not deleted;
/// `now`: Unix time.
PrunePlan planPrune(const std::vector<RunSummary>& newestFirst, const PruneRules& rules,
                    double now);

} // namespace triaxis

#include "storage/prune.h"

#include "engine/record/utc.h"

#include <algorithm>

namespace triaxis
{

PrunePlan planPrune(const std::vector<RunSummary>& newestFirst, const PruneRules& rules, double now)
{
    PrunePlan plan;
    for (const RunSummary& run : newestFirst)
        plan.bytesBefore += run.bytes;
    // ISO 8601 sorts as text.
    const std::string border =
        rules.olderThanSeconds > 0 ? utcText(std::max(0.0, now - rules.olderThanSeconds)) : "";
    const auto whole = std::min(newestFirst.size(), std::size_t(std::max(0, rules.keepNewest)));
    for (auto run = newestFirst.rbegin(); run != newestFirst.rend() - std::ptrdiff_t(whole);
         ++run) {
        if (rules.downToBytes >= 0 && plan.bytesBefore - plan.freedBytes <= rules.downToBytes)
            break;
        const bool old = border.empty() || run->startedUtc < border;
        const bool worth = run->prunableBytes > std::max<std::int64_t>(0, rules.largerThanBytes);
        if (!isFinal(run->state) || !old || !worth || (run->starred && !rules.alsoStarred))
            continue;
        plan.freedBytes += run->prunableBytes;
        plan.droppedSpans += run->spans;
        plan.runs.push_back(*run);
    }
    return plan;
}

} // namespace triaxis

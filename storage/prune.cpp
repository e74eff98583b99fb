#include "storage/prune.h"

#include "engine/record/utc.h"

#include <algorithm>

namespace triaxis
{

namespace
{

/// What counts the run where it is left whole; null: its spans go.
int PruneLeft::* whyLeft(const RunSummary& run, const PruneRules& rules, const std::string& border)
{
    if (!isFinal(run.state))
        return &PruneLeft::going;
    if (run.starred && !rules.alsoStarred)
        return &PruneLeft::starred;
    if (!border.empty() && run.startedUtc >= border)
        return &PruneLeft::young;
    if (run.prunableBytes <= std::max<std::int64_t>(0, rules.largerThanBytes))
        return &PruneLeft::slight;
    return nullptr;
}

} // namespace

PrunePlan planPrune(const std::vector<RunSummary>& newestFirst, const PruneRules& rules, double now)
{
    PrunePlan plan;
    for (const RunSummary& run : newestFirst)
        plan.bytesBefore += run.bytes;
    // ISO 8601 sorts as text.
    const std::string border =
        rules.olderThanSeconds > 0 ? utcText(std::max(0.0, now - rules.olderThanSeconds)) : "";
    const auto whole = std::min(newestFirst.size(), std::size_t(std::max(0, rules.keepNewest)));
    plan.left.newest = int(whole);
    for (auto run = newestFirst.rbegin(); run != newestFirst.rend() - std::ptrdiff_t(whole);
         ++run) {
        if (rules.downToBytes >= 0 && plan.bytesBefore - plan.freedBytes <= rules.downToBytes) {
            plan.left.enough = int(newestFirst.rend() - std::ptrdiff_t(whole) - run);
            break;
        }
        if (int PruneLeft::* why = whyLeft(*run, rules, border)) {
            ++(plan.left.*why);
            continue;
        }
        plan.freedBytes += run->prunableBytes;
        plan.droppedSpans += run->spans;
        plan.runs.push_back(*run);
    }
    return plan;
}

} // namespace triaxis

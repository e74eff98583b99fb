#include "launcher/hang_watch.h"

#include "engine/core/units.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Longer than any interval between two looks of a watcher that runs.
constexpr double pauseSeconds = 2;

bool isStopped(const RankActivity& activity)
{
    return activity.processState == 'T' || activity.processState == 't';
}

std::string where(const RankActivity& activity)
{
    if (!activity.started)
        return "before its first instruction";
    if (activity.status.step == 0)
        return "before step 1";
    return "in step " + std::to_string(activity.status.step) + ", " +
           toText(activity.status.current);
}

std::string accusation(const RankActivity& activity)
{
    const std::string who = "rank " + std::to_string(activity.rank.value);
    if (activity.processState == 'T')
        return who + " is stopped (SIGSTOP), " + where(activity);
    if (activity.processState == 't')
        return who + " is held by a debugger, " + where(activity);
    return who + " looks stuck, " + where(activity);
}

template <class Predicate>
std::vector<const RankActivity*> select(const std::vector<RankActivity>& ranks, Predicate predicate)
{
    std::vector<const RankActivity*> selected;
    for (const RankActivity& activity : ranks)
        if (predicate(activity))
            selected.push_back(&activity);
    return selected;
}

std::vector<const RankActivity*> suspects(const std::vector<RankActivity>& ranks)
{
    auto found = select(ranks, isStopped);
    if (found.empty())
        found = select(ranks, [](const RankActivity& a) { return !a.started; });
    if (found.empty())
        found =
            select(ranks, [](const RankActivity& a) { return isCompute(a.status.current.kind()); });
    if (found.empty()) {
        std::int32_t behind = ranks.empty() ? 0 : ranks.front().status.step;
        for (const RankActivity& activity : ranks)
            behind = std::min(behind, activity.status.step);
        found = select(ranks, [&](const RankActivity& a) { return a.status.step == behind; });
    }
    return found;
}

} // namespace

HangWatch::HangWatch(double limitSeconds, double now) : m_limit(limitSeconds), m_last(now) {}

double HangWatch::limit() const
{
    return m_phase == Phase::Stepping ? m_limit : std::max(m_limit, quietSeconds);
}

void HangWatch::look(double now, std::uint64_t finished, Phase phase)
{
    const double pause = now - m_last;
    m_last = now;
    if (finished != m_finished || phase != m_phase)
        m_still = 0;
    else if (pause < pauseSeconds)
        m_still += pause;
    m_finished = finished;
    m_phase = phase;
}

std::vector<std::string> activityLines(const std::vector<RankActivity>& ranks)
{
    std::vector<std::string> lines;
    for (const RankActivity& activity : ranks)
        lines.push_back("rank " + std::to_string(activity.rank.value) + ": " + where(activity) +
                        (isStopped(activity) ? " (stopped)" : ""));
    return lines;
}

Cause hangCause(const std::vector<RankActivity>& ranks, double seconds)
{
    constexpr std::size_t mostNamed = 8;
    std::string text = "no instruction finished for " + units::seconds(seconds);
    const auto found = suspects(ranks);
    for (std::size_t i = 0; i < std::min(found.size(), mostNamed); ++i)
        text += (i == 0 ? ": " : "; ") + accusation(*found[i]);
    if (found.size() > mostNamed)
        text += "; and " + std::to_string(found.size() - mostNamed) + " more";
    return {text, found.empty() ? std::nullopt : std::optional(found.front()->rank)};
}

} // namespace triaxis

#include "ui/run/run_data.h"

#include <algorithm>

namespace triaxis::ui
{

RunData::RunData(const RunOpening& opening, QObject* parent)
    : QObject(parent), m_opening(opening), m_lanes(std::make_shared<Lanes>(opening.plan.layout)),
      m_details(sharesOfRanksKept), m_spans(detailSpansKept),
      m_memory(std::size_t(opening.plan.layout.ranks())),
      m_samples(m_memory.size(), StepStore<MemorySample>(std::max<std::size_t>(
                                     64, samplesKept / std::max<std::size_t>(1, m_memory.size())))),
      m_peakBytes(m_memory.size(), 0), m_peakByCategory(m_memory.size()), m_hosts(m_memory.size())
{
}

void RunData::apply(const RunUpdate& update)
{
    if (update.status)
        m_status = *update.status;
    if (update.environment)
        m_opening.environment = *update.environment;
    if (update.lanes)
        m_lanes = update.lanes;
    if (!update.spans.empty())
        m_lanes->append(update.spans);
    m_steps.insert(m_steps.end(), update.steps.begin(), update.steps.end());
    for (const StepShares& shares : update.shares)
        m_shares.push_back(shares);
    while (m_shares.size() > sharesKept)
        m_shares.pop_front();
    for (const StepDetail& detail : update.details) {
        takeBubble(detail.shares);
        if (detail.spans)
            m_spans.add(detail.shares.step, detail.spans, detail.spans->size());
        StepDetail kept = detail;
        kept.spans.reset();
        m_details.add(detail.shares.step, std::move(kept), m_memory.size());
    }
    for (const MemorySample& sample : update.memory)
        takeMemory(sample);
    for (const HelloRecord& hello : update.hellos) {
        const auto rank = std::size_t(hello.rank.value);
        if (hello.rank.value >= 0 && rank < m_hosts.size() && hello.device.rfind("CPU", 0) == 0)
            m_hosts[rank] = hello.host;
    }
    m_faults.insert(m_faults.end(), update.faults.begin(), update.faults.end());
    m_clockError = std::max(m_clockError, update.clockError);
    m_droppedSpans += update.droppedSpans;
    m_tornBytes += update.tornBytes;
    emit changed(update);
}

/// A step that ranks did not finish together tells nothing.
void RunData::takeBubble(const StepShares& shares)
{
    const auto ranks = std::count_if(shares.perRank.begin(), shares.perRank.end(),
                                     [](const LaneShare& lane) { return lane.window() > 0; });
    if (ranks < m_ranksOfStep)
        return;
    if (ranks > m_ranksOfStep)
        m_bubbles.clear();
    m_ranksOfStep = ranks;
    m_bubbles.push_back({shares.step, bubble(shares, m_opening.plan.layout)});
}

void RunData::takeMemory(const MemorySample& sample)
{
    const auto rank = std::size_t(sample.rank.value);
    if (rank >= m_memory.size())
        return;
    m_samplesWithinSteps =
        m_samplesWithinSteps || (m_memory[rank].step == sample.step && sample.step > 0);
    if (sample.step >= m_memory[rank].step)
        m_memory[rank] = sample;
    m_peakBytes[rank] = std::max(m_peakBytes[rank], sample.peakTotal);
    for (std::size_t i = 0; i < sample.peak.size(); ++i)
        m_peakByCategory[rank][i] = std::max(m_peakByCategory[rank][i], sample.peak[i]);
    m_samples[rank].add(sample.step, sample);
}

std::int64_t RunData::capacityOf(Rank rank) const
{
    const auto at = std::size_t(rank.value);
    const RunEnvironment& environment = m_opening.environment;
    if (rank.value < 0 || at >= m_hosts.size() || m_hosts[at].empty() ||
        m_hosts[at] != environment.host)
        return 0;
    const auto sharing = std::count(m_hosts.begin(), m_hosts.end(), m_hosts[at]);
    return environment.memoryBytes / std::max<std::int64_t>(1, sharing);
}

bool RunData::isMemoryThinned() const
{
    return std::any_of(m_samples.begin(), m_samples.end(),
                       [](const StepStore<MemorySample>& samples) { return samples.isThinned(); });
}

} // namespace triaxis::ui

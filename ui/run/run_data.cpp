#include "ui/run/run_data.h"

#include <algorithm>

namespace triaxis::ui
{

RunData::RunData(const RunOpening& opening, QObject* parent)
    : QObject(parent), m_opening(opening),
      m_lanes(std::make_shared<Lanes>(opening.plan.layout)),
      m_memory(std::size_t(opening.plan.layout.ranks())),
      m_peakBytes(std::size_t(opening.plan.layout.ranks()), 0)
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
    for (const MemorySample& sample : update.memory) {
        const auto rank = std::size_t(sample.rank.value);
        if (rank >= m_memory.size())
            continue;
        if (sample.step >= m_memory[rank].step)
            m_memory[rank] = sample;
        m_peakBytes[rank] = std::max(m_peakBytes[rank], sample.peakTotal);
    }
    m_faults.insert(m_faults.end(), update.faults.begin(), update.faults.end());
    m_clockError = std::max(m_clockError, update.clockError);
    m_droppedSpans += update.droppedSpans;
    m_tornBytes += update.tornBytes;
    emit changed(update);
}

} // namespace triaxis::ui

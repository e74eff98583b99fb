#include "launcher/rank_watch.h"

#include "engine/record/process_info.h"
#include "engine/record/record_batch.h"

namespace triaxis
{

RankWatch::RankWatch(const RunDirectory& run, Rank rank)
    : m_rank(rank), m_statusFile(run.statusFile(rank)), m_reader(run.recordFile(rank))
{
}

RecordBatch RankWatch::readRecords(bool final)
{
    RecordBatch batch = m_reader.poll(final);
    keepRank(batch, m_rank);
    m_endRecord = m_endRecord || !batch.ended.empty();
    m_fault = m_fault || !batch.faults.empty();
    return batch;
}

bool RankWatch::look()
{
    if (auto status = readRankStatus(m_statusFile))
        m_status = std::move(status);
    if (!m_process && m_status && m_status->host == hostName() && m_status->startTime > 0)
        m_process.emplace(ProcessName{m_status->pid, m_status->startTime});
    if (m_processEnded || !m_process || !m_process->hasEnded())
        return false;
    m_processEnded = true;
    return true;
}

int RankWatch::descriptor() const
{
    return m_process && !m_processEnded ? m_process->descriptor() : -1;
}

RankActivity RankWatch::activity() const
{
    RankActivity activity;
    activity.rank = m_rank;
    activity.started = m_status.has_value();
    if (!m_status)
        return activity;
    activity.status = *m_status;
    if (m_process && !m_processEnded)
        if (const auto info = processInfo(m_status->pid))
            activity.processState = info->state;
    return activity;
}

} // namespace triaxis

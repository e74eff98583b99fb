#include "engine/record/clock_track.h"

#include <algorithm>

namespace triaxis
{
namespace
{

double extrapolate(const ClockRecord& record, double t)
{
    return t + record.offset + record.drift * (t - record.at);
}

} // namespace

void ClockTrack::add(const ClockRecord& record)
{
    const auto later = [](double at, const ClockRecord& r) { return at < r.at; };
    m_records.insert(std::upper_bound(m_records.begin(), m_records.end(), record.at, later),
                     record);
    m_error = std::max(m_error, record.error);
}

double ClockTrack::toRankZero(double t) const
{
    if (m_records.empty())
        return t;
    const auto after = std::upper_bound(m_records.begin(), m_records.end(), t,
                                        [](double at, const ClockRecord& r) { return at < r.at; });
    if (after == m_records.begin())
        return extrapolate(m_records.front(), t);
    const ClockRecord& before = *(after - 1);
    if (after == m_records.end() || after->at <= before.at)
        return extrapolate(before, t);
    const double share = (t - before.at) / (after->at - before.at);
    return t + before.offset + share * (after->offset - before.offset);
}

} // namespace triaxis

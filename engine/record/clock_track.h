#pragma once

#include "engine/record/records.h"

#include <vector>

namespace triaxis
{

/// A rank's clock over a whole run, from the measurements made on the way. Between two measurements
/// the offset is interpolated; after the last and before the first, its drift is followed. Without
/// any it is rank 0's own clock.
class ClockTrack
{
public:
    void add(const ClockRecord& record);
    /// Rank 0's time at the rank's own time `t`, seconds.
    double toRankZero(double t) const;
    double worstError() const { return m_error; }

private:
    std::vector<ClockRecord> m_records; ///< ascending in `at`
    double m_error = 0;
};

} // namespace triaxis

#pragma once

#include "engine/timeline/metrics.h"

#include <limits>
#include <vector>

namespace triaxis
{

/// Shares of a step in which a rank does nothing but communicate, mean over the ranks that have
/// spans. Waiting for the slower of a tensor or data group counts, waiting for another stage does
/// not: that is the bubble. NaN without spans.
struct CommunicationShare
{
    double tensor = std::numeric_limits<double>::quiet_NaN(); ///< inside tensor collectives
    double pipeline =
        std::numeric_limits<double>::quiet_NaN();           ///< exposed transfers between stages
    double data = std::numeric_limits<double>::quiet_NaN(); ///< sums of gradients after the last
                                                            ///< backward that no update hides
    double total() const { return tensor + pipeline + data; }
};

/// `spansOfStep`: of one step, paired; `shares`: of the same.
CommunicationShare communicationShare(const std::vector<Span>& spansOfStep,
                                      const StepShares& shares, const Layout& layout);

} // namespace triaxis

#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace triaxis
{

/// The middle of some values and the half of them around it; NaN where there are none.
struct Spread
{
    double middle = std::numeric_limits<double>::quiet_NaN(); ///< median
    double lower = std::numeric_limits<double>::quiet_NaN();  ///< lower quartile
    double upper = std::numeric_limits<double>::quiet_NaN();
    std::size_t values = 0;
};
/// Values that are not finite are left out.
Spread spreadOf(std::vector<double> values);

} // namespace triaxis

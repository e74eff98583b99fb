#include "engine/core/spread.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

double quantile(const std::vector<double>& sorted, double share)
{
    const double at = share * double(sorted.size() - 1);
    const auto below = std::size_t(at);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
}

} // namespace

Spread spreadOf(std::vector<double> values)
{
    values.erase(std::remove_if(values.begin(), values.end(),
                                [](double value) { return !std::isfinite(value); }),
                 values.end());
    Spread spread;
    spread.values = values.size();
    if (values.empty())
        return spread;
    std::sort(values.begin(), values.end());
    spread.middle = quantile(values, 0.5);
    spread.lower = quantile(values, 0.25);
    spread.upper = quantile(values, 0.75);
    return spread;
}

} // namespace triaxis

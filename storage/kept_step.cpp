#include "storage/kept_step.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace triaxis
{

std::int32_t keptStep(const sqlite::Database& database, const std::string& run)
{
    sqlite::Statement query(
        database, "SELECT o.step, count(*), s.seconds FROM offsets AS o "
                  "LEFT JOIN steps AS s ON s.run = o.run AND s.step = o.step "
                  "WHERE o.run = ? AND o.spans > 0 GROUP BY o.step ORDER BY o.step");
    query.bind(1, run);
    std::vector<std::pair<double, std::int32_t>> steps;
    std::int64_t most = 0;
    while (query.step()) {
        if (query.integer(1) < most)
            continue;
        if (query.integer(1) > most)
            steps.clear();
        most = query.integer(1);
        const double seconds = query.real(2);
        steps.emplace_back(std::isfinite(seconds) ? seconds : 0, std::int32_t(query.integer(0)));
    }
    if (steps.empty())
        return -1;
    if (steps.size() > 1)
        steps.erase(steps.begin());
    const auto middle = steps.begin() + std::ptrdiff_t((steps.size() - 1) / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return middle->second;
}

} // namespace triaxis

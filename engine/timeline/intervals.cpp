#include "engine/timeline/intervals.h"

#include <algorithm>

namespace triaxis
{

Intervals united(Intervals any)
{
    std::erase_if(any, [](const auto& stretch) { return !(stretch.second > stretch.first); });
    std::sort(any.begin(), any.end());
    Intervals result;
    for (const auto& stretch : any) {
        if (!result.empty() && stretch.first <= result.back().second)
            result.back().second = std::max(result.back().second, stretch.second);
        else
            result.push_back(stretch);
    }
    return result;
}

Intervals common(const Intervals& a, const Intervals& b)
{
    Intervals result;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const double begin = std::max(a[i].first, b[j].first);
        const double end = std::min(a[i].second, b[j].second);
        if (end > begin)
            result.emplace_back(begin, end);
        if (a[i].second < b[j].second)
            ++i;
        else
            ++j;
    }
    return result;
}

Intervals without(const Intervals& a, const Intervals& b)
{
    Intervals result;
    std::size_t j = 0;
    for (auto [begin, end] : a) {
        while (j < b.size() && b[j].second <= begin)
            ++j;
        for (std::size_t k = j; k < b.size() && b[k].first < end; ++k) {
            if (b[k].first > begin)
                result.emplace_back(begin, b[k].first);
            begin = std::max(begin, b[k].second);
        }
        if (end > begin)
            result.emplace_back(begin, end);
    }
    return result;
}

double length(const Intervals& intervals)
{
    double sum = 0;
    for (const auto& [begin, end] : intervals)
        sum += end - begin;
    return sum;
}

} // namespace triaxis

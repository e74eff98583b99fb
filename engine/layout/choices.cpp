#include "engine/layout/choices.h"

#include <algorithm>
#include <cstdlib>

namespace triaxis::choices
{

std::string text(std::int64_t value)
{
    return std::to_string(value);
}

std::string plural(std::int64_t count, const std::string& word)
{
    const char* ending = count == 1 ? "" : word.ends_with("ch") ? "es" : "s";
    return text(count) + " " + word + ending;
}

std::string alternatives(const std::vector<std::int64_t>& values)
{
    std::string list;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0)
            list += i + 1 == values.size() ? " or " : ", ";
        list += text(values[i]);
    }
    return list;
}

std::string joined(const std::vector<int>& values)
{
    std::string list;
    for (const int value : values)
        list += (list.empty() ? "" : ", ") + text(value);
    return list;
}

std::vector<std::int64_t> nearest(std::vector<std::int64_t> values, std::int64_t wish,
                                  std::size_t most)
{
    std::stable_sort(values.begin(), values.end(), [&](std::int64_t a, std::int64_t b) {
        return std::llabs(a - wish) < std::llabs(b - wish);
    });
    if (values.size() > most)
        values.resize(most);
    std::sort(values.begin(), values.end());
    return values;
}

std::int64_t largestDivisor(std::int64_t number, std::int64_t limit)
{
    std::int64_t best = 1;
    for (std::int64_t divisor = 1; divisor * divisor <= number; ++divisor) {
        if (number % divisor != 0)
            continue;
        for (const std::int64_t candidate : {divisor, number / divisor}) {
            if (candidate <= limit)
                best = std::max(best, candidate);
        }
    }
    return best;
}

} // namespace triaxis::choices

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace triaxis::choices
{

/// Words and numbers for findings about a layout.

std::string text(std::int64_t value);
/// "1 layer", "2 layers", "2 microbatches".
std::string plural(std::int64_t count, const std::string& word);
/// "1, 2, 4 or 8".
std::string alternatives(const std::vector<std::int64_t>& values);
/// "1, 2, 4".
std::string joined(const std::vector<int>& values);

/// The `most` values that are nearest to `wish`, ascending; the smaller of two equally near ones
/// first.
std::vector<std::int64_t> nearest(std::vector<std::int64_t> values, std::int64_t wish,
                                  std::size_t most = 10);
/// The largest divisor of `number` ≥ 1 that is not above `limit` ≥ 1.
std::int64_t largestDivisor(std::int64_t number, std::int64_t limit);

} // namespace triaxis::choices

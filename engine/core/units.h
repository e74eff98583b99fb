#pragma once

#include <cstdint>
#include <string>

namespace triaxis
{

/// Texts for figures that a person reads. Values adapt their unit; three significant digits; a thin
/// space (U+202F) before the unit. Never used in files that programs read.
namespace units
{

std::string seconds(double value);        ///< "412 µs", "217 ms", "4.02 s", "2 min 11 s"
std::string bytes(std::int64_t value);    ///< binary: "312 MiB", "71.3 GiB"
std::string bytesPerSecond(double value); ///< decimal: "9.6 GB/s"
std::string count(double value);          ///< "9,410", "65.1 k", "124 M", "1.2 B"
std::string percent(double fraction);     ///< 0.194 → "19.4 %"
std::string flopsPerSecond(double value); ///< "182 GFLOP/s"

} // namespace units
} // namespace triaxis

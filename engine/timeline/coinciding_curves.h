#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace triaxis
{

using CurvePoints = std::vector<std::pair<double, double>>; ///< pixels, x ascending

/// Of a line that several curves lie on, every `parts`-th stripe along x is this curve's.
struct CurveShare
{
    std::size_t leader = 0; ///< the curve that is painted whole beneath; its own index: itself
    std::size_t part = 0;   ///< 0: the leader
    std::size_t parts = 1;  ///< how many curves lie there
};

/// Which curves would hide each other: all points of one lie on another, as far as a pixel can
/// tell. Points that are not finite are gaps and do not count.
std::vector<CurveShare> coincidingCurves(const std::vector<CurvePoints>& curves);

/// What is painted of a line: all of a leader, else its stripes.
std::vector<CurvePoints> stripesOf(const CurvePoints& line, const CurveShare& share);

} // namespace triaxis

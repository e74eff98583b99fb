#pragma once

#include <utility>
#include <vector>

namespace triaxis
{

/// Stretches of time [begin, end) in order, not overlapping, none empty.
using Intervals = std::vector<std::pair<double, double>>;

/// Any stretches, sorted and melted together.
Intervals united(Intervals any);
/// What is in both. Arguments in the form that united() gives, as below.
Intervals common(const Intervals& a, const Intervals& b);
/// What is in `a` and not in `b`.
Intervals without(const Intervals& a, const Intervals& b);
double length(const Intervals& intervals);

} // namespace triaxis

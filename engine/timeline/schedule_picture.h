#pragma once

#include "engine/simulate/play.h"
#include "engine/timeline/display_list.h"

#include <string>

namespace triaxis
{

/// A played schedule, a row a stage, microbatches numbered from 0; later chunks are paler, of an
/// overlapped pair the forward is the upper half. At least `width` pixels wide; wider where the
/// shortest step would be narrower than `narrowest`.
DisplayList drawPlayed(const Played& played, double width, double rowHeight = 28,
                       double narrowest = 5);

/// The same as a grid of characters, one column a `unit` of seconds: letter and microbatch (counted
/// from 0), dots where a stage idles; letters of chunk 1 and on are lower case. Of an overlapped
/// pair the forward is named first.
std::string textGrid(const Played& played, double unit);

/// The shortest step that takes time: a unit at which every step has a column.
double shortestStep(const Played& played);

} // namespace triaxis

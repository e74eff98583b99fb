#pragma once

#include "engine/layout/layout.h"

#include <string>
#include <vector>

namespace triaxis
{

/// The name of a lane in at most `lines` lines that are `width` pixels wide at `size`: "dp0 · pp2 · tp1 — rank 9 — host:0", less of it
/// the narrower it gets, and always the rank.
std::vector<std::string> laneLabel(const Coordinates& at, Rank rank, const std::string& place,
                                   int lines, double width, double size);
/// About how wide a text is.
double textWidth(const std::string& text, double size);

} // namespace triaxis

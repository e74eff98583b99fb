#pragma once

#include "engine/layout/layout.h"

#include <string>
#include <vector>

namespace triaxis
{

/// Most layouts of one sweep.
inline constexpr std::size_t mostSweepLayouts = 64;

/// The exercise of the field's textbooks: one rank, four replicas, two replicas of two tensor
/// ranks; beyond it four pipeline stages, and two replicas of two stages.
std::vector<Layout> exerciseLayouts();

/// "1x1x1,4x1x1" (data × tensor × pipeline), each size a number or a doubling range: "1..4x1..2x1"
/// is a grid of six. In the order given, each once. Throws Error for anything else, for more than
/// mostSweepLayouts, and for sizes below 1.
std::vector<Layout> parseSweepLayouts(const std::string& text);

/// "4×1×1"
std::string sizesText(const Layout& layout);

} // namespace triaxis

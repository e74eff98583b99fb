#pragma once

#include "engine/timeline/span_partners.h"
#include "engine/timeline/span_place.h"

#include <vector>

namespace triaxis
{

/// What determined the length of a recorded (or predicted) step over all its ranks: the chain of spans that leads to its last
/// end, each of which could not begin before the one in front of it had ended. In order of time; transfers and collectives
/// stand on the communication track. Empty for a step without spans.
std::vector<SpanPlace> criticalPathOf(const Lanes& lanes, const SpanPartners& partners,
                                      std::int32_t step);

} // namespace triaxis

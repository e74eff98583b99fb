#pragma once

#include "engine/cost/scoreboard.h"
#include "engine/timeline/display_list.h"

namespace triaxis
{

/// The scoreboard as one HTML page that needs nothing else: no script, light and dark, for print
/// and phone. Every table once: scores, a picture of predicted against measured, the rows, those
/// that were not priced with the reason, what was assumed, and the profile with how it was fitted.
std::string scoreboardHtml(const Scoreboard& board);

/// Predicted over measured of the main figures of one quantity on logarithmic axes, with the line
/// of equality between lines of 10% to either side. A hint where nothing was priced.
DisplayList drawScatter(const Validation& validation, Quantity quantity, double width,
                        double height);

} // namespace triaxis

#pragma once

#include "ui/window/tour.h"

namespace triaxis::ui
{

class MainWindow;

/// Draw, predict, run, compare: the four stops of the tour of the window.
std::vector<TourStop> firstTour(MainWindow& window);
/// Nobody has seen the tour yet; from now on somebody has.
bool takeFirstTour();

} // namespace triaxis::ui

#pragma once

#include "engine/search/exact_prices.h"
#include "engine/search/plan_search.h"

namespace triaxis
{

/// Moves layers between virtual stages, one at a time, from the stage that takes longest to those
/// that take least, as long as the step gets shorter and fits. `goal`: seconds of a step that are
/// worth reaching; a plan whose perfectly even load would take longer is left as it is. The number
/// of splits that were priced is added to `tried`.
PricedPlan withBetterSplit(const TrainingJob& job, PricedPlan priced, double memoryBytes,
                           double goal, ExactPrices& prices, std::int64_t& tried);

} // namespace triaxis

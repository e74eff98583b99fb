#pragma once

#include "engine/plan/drawn_plan.h"

#include <random>

namespace triaxis::tests
{

/// Any plan at all: clusters and this machine, edited figures, models of all kinds, sizes that fit
/// and sizes that do not.
DrawnPlan randomPlan(std::mt19937& random);

/// One gesture or choice of a person.
DrawnPlan randomEdit(DrawnPlan plan, std::mt19937& random);

} // namespace triaxis::tests

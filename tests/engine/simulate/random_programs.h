#pragma once

#include "engine/simulate/play.h"

#include <random>

namespace triaxis::tests
{

using Random = std::mt19937;

/// A program in which every step comes after those it depends on, in an order drawn at random:
/// stages, chunks, placement, replicas, full and split backwards all drawn. With `pairs` some
/// neighbours in the order are marked as overlapped, which can make a program that gets stuck.
ComputeProgram randomProgram(Random& random, bool pairs);

/// Different times for every virtual stage, all above 0.
StageCosts randomCosts(Random& random, const ComputeProgram& program);

} // namespace triaxis::tests

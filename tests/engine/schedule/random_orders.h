#pragma once

#include "engine/schedule/program.h"

#include <random>

namespace triaxis::tests
{

/// A program that no rule made: virtual stages lie on stages at random (neighbours in the model
/// often on distant stages), every stage computes whatever can be computed next, backwards are
/// whole or split, and some steps overlap. 1 to 7 stages, up to 3 chunks and 2 replicas.
ComputeProgram randomOrder(std::mt19937& random);

} // namespace triaxis::tests

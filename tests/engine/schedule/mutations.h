#pragma once

#include "engine/schedule/program.h"

#include <random>
#include <string>
#include <vector>

namespace triaxis::tests
{

/// One way to change a program; some of its results are sound, some are not.
struct Mutation
{
    std::string name;
    /// Changes the program; false if this program offers nothing to change in this way.
    bool (*apply)(Program& program, std::mt19937& random);
};

const std::vector<Mutation>& mutations();

} // namespace triaxis::tests

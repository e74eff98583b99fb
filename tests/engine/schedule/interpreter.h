#pragma once

#include "engine/schedule/program.h"

#include <cstdint>
#include <string>

namespace triaxis::tests
{

/// What became of a program when it was executed.
struct Outcome
{
    bool sound = true;
    std::string fault; ///< the first thing that went wrong
};

/// Executes a program in its own terms: named tensors that stages hold, lanes as queues, sends that
/// meet their receives. At every moment one of the possible events (a stage issues, a pair meets)
/// is drawn at random from `seed`. A fault is whatever a real run would suffer from: a tensor that
/// is not there, a meeting of the wrong two, gradients that change after they were summed, work
/// left undone, or nothing left that can happen. Knows nothing of the verifier and shares no code
/// with it.
Outcome execute(const Program& program, std::uint64_t seed);

} // namespace triaxis::tests

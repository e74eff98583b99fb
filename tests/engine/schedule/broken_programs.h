#pragma once

#include "engine/schedule/program.h"

#include <functional>
#include <vector>

namespace triaxis::tests
{

using List = std::vector<Instruction>;

InstructionId id(Kind kind, int chunk, int microbatch, int part = 0);
List& listOf(Program& program, int stage);
List::iterator at(List& list, InstructionId wanted);
void moveBefore(List& list, InstructionId what, InstructionId where);
void moveBehind(List& list, InstructionId what, InstructionId where);
void remove(List& list, InstructionId what);
/// Leaves every transfer on its own.
void unfuse(Program& program);

/// 1F1B of the small GPT-2.
Program oneForward(int stages, int microbatches, int dp = 1);

/// A sound program, a change that breaks it, and where and why it must be refused.
struct Broken
{
    const char* name;
    Program program;
    std::function<void(Program&)> change;
    int stage;
    InstructionId id;
    const char* reason;
};

/// Steps of forward and backward that are missing, doubled or too early.
std::vector<Broken> brokenOrders();
/// Transfers that do not pair, are not waited for, or stand on the wrong lane.
std::vector<Broken> brokenTransfers();
/// Overlapped steps that are no pair, or that need each other.
std::vector<Broken> brokenPairs();
/// Sums, norm, update and loss out of order.
std::vector<Broken> brokenTails();

} // namespace triaxis::tests

#pragma once

#include "engine/core/error.h"
#include "engine/schedule/program.h"

#include <string>
#include <vector>

namespace triaxis::tests
{

/// Position of an instruction in a stage's list, −1 if it is not there.
int positionOf(const std::vector<Instruction>& list, InstructionId id);
/// All instructions of a kind, in order.
std::vector<Instruction> ofKind(const std::vector<Instruction>& list, Kind kind);
/// The list of a stage.
std::vector<Instruction> instructionsOf(const Program& program, int stage);
/// Schedules that have a generator: all but those that bring their order along.
std::vector<std::string> generatedNames();
/// The smallest V that a schedule takes.
int leastVirtual(const std::string& schedule);
/// The whole program of a schedule with its smallest V.
Program programOf(const std::string& schedule, int stages, int microbatches, int dp = 1);
/// Every schedule in many shapes, and one program of every hand-written form.
std::vector<Program> manyPrograms();

/// The message of the Error that `action` throws, empty if it throws none.
template <class Action>
std::string errorOf(const Action& action)
{
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

bool contains(const std::string& text, const std::string& part);

} // namespace triaxis::tests

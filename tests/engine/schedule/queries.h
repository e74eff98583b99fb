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
/// GPipe and 1F1B in many shapes, and one program of every other form.
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

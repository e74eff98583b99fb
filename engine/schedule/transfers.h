#pragma once

#include "engine/schedule/passes.h"

#include <vector>

namespace triaxis {

/// Most sends that are under way on a lane at once: the one before last is waited for before
/// another is issued.
inline constexpr int sendsInFlight = 2;

/// The compute steps of every stage with the transfers and waits that they need, up to the end of
/// the last backward (placement rules in passes.h). Sends that are still to be waited for are
/// appended to `pendingSends` [stage], oldest first. Throws Error with stage and step if the
/// compute order never gets to a step: one that it consumes is missing or comes too late.
std::vector<std::vector<Instruction>>
withTransfers(const ComputeProgram& compute, const std::vector<std::vector<ChunkContent>>& contents,
              const ProgramInputs& inputs, std::vector<std::vector<Instruction>>& pendingSends);

/// The Wait for a transfer or collective.
Instruction waitInstruction(const Instruction& target);

} // namespace triaxis

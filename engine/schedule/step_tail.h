#pragma once

#include "engine/schedule/passes.h"

#include <vector>

namespace triaxis {

/// Stages that hold a copy of a tied token table that others hold too, and so take part in the
/// TiedReduce; empty where no such sum is needed: the head is not tied, or every stage that holds
/// the embedding holds the head as well.
std::vector<int> tiedStages(const ModelSpec& model,
                            const std::vector<std::vector<ChunkContent>>& contents);

/// Adds gradient reductions and the end of the step (order in passes.h) to the instructions of
/// every stage. pendingSends [stage]: sends that have not been waited for yet, oldest first.
void addStepTail(Program& program, const ProgramInputs& inputs,
                 const std::vector<std::vector<Instruction>>& pendingSends);

} // namespace triaxis

#pragma once

#include "engine/schedule/program.h"

#include <string>

namespace triaxis
{

/// A compute program in the per-rank CSV of PyTorch's pipelining: one row a stage (its ranks), one cell a step: virtual stage, letter,
/// microbatch. F forward, B full backward, I backward for the input, W backward for the weights, `(0F7;7B3)OVERLAP_F_B` both at once.
/// A schedule of two replicas, which PyTorch has not, starts with a line `# replicas 2`; the virtual stages of its second replica
/// count on from P·V.
std::string toCsv(const ComputeProgram& program);

/// The inverse. Empty cells are idle slots and are dropped; SEND_F, RECV_F, SEND_B, RECV_B, UNSHARD, RESHARD and REDUCE_GRAD cells are left out: the passes
/// make transfers themselves. Placement and V follow from the stages that each row names. Throws Error with row and cell for
/// anything else, and for a program that is not whole (a microbatch missing, twice, or on two rows).
ComputeProgram programFromCsv(const std::string& text, const std::string& name = "custom");

} // namespace triaxis

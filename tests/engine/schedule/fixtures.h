#pragma once

#include "engine/schedule/passes.h"

#include <string>
#include <vector>

namespace triaxis::tests
{

/// A GPT-2 shape of 16 layers with a tied head.
ModelSpec smallGpt2();
/// A Llama shape of 16 layers with 8 query heads on 4 key/value heads and an untied head.
ModelSpec smallLlama();

/// Inputs of a pipeline of `stages` with `microbatches` a replica, small buckets (several a stage),
/// dp replicas.
ProgramInputs inputsFor(int stages, int microbatches, int dp = 1, int chunks = 1,
                        const ModelSpec& model = smallGpt2());

/// Steps from PyTorch's notation for one stage: "0F0 1F0 1I0 1W0 0B0": virtual stage, letter,
/// microbatch. A leading
/// "~" (replica 1) or none (replica 0) tells which copy of the virtual stage is meant.
/// placement[stage][chunk]: "0", "3", "~1": virtual stage and replica of each chunk.
ComputeProgram handWritten(const std::vector<std::vector<std::string>>& placement,
                           const std::vector<std::string>& steps, int microbatches);

/// Interleaved 1F1B on two stages with two chunks each, four microbatches.
ComputeProgram interleaved();
/// Interleaved on three stages with two chunks: the way from the last stage to the first is a
/// channel of its own.
ComputeProgram interleavedThree();
/// 1F1B on three stages with the backward split; weights are computed late.
ComputeProgram splitBackward();
/// Two stages in a V: stage 0 holds the first and the last part of the model, stage 1 both in the
/// middle.
ComputeProgram vShaped();
/// Two pipelines in opposite directions over four stages (Chimera), four microbatches, two a
/// direction.
ComputeProgram bidirectional();

/// Completed, with the layers spread by the default split.
Program complete(const ComputeProgram& compute, int dp = 1, const ModelSpec& model = smallGpt2());

} // namespace triaxis::tests

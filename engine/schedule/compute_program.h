#pragma once

#include "engine/schedule/program.h"

#include <string>

namespace triaxis
{

/// Largest shapes whose instruction ids can be packed.
inline constexpr int maximumMicrobatches = 1 << 28;
inline constexpr int maximumChunks = 1 << 12;

/// What every generator starts from: a pipeline of one chunk a stage, in stage order, without
/// steps. Throws Error unless 1 ≤ stages and 1 ≤ microbatches ≤ maximumMicrobatches.
ComputeProgram straightPipeline(const std::string& schedule, int stages, int microbatches);

/// The same with V chunks a stage, dealt out round by round: chunk c of stage r is virtual stage
/// c·P + r. Throws Error also unless 1 ≤ V ≤ maximumChunks.
ComputeProgram loopedPipeline(const std::string& schedule, int stages, int microbatches,
                              int virtualStages);

/// The same with two chunks a stage in a V: stage r holds virtual stages r and 2P − 1 − r.
ComputeProgram vPipeline(const std::string& schedule, int stages, int microbatches);

/// Two replicas of the stages in opposite directions: chunk 0 of stage r is stage r of replica 0,
/// chunk 1 stage P − 1 − r of replica 1.
ComputeProgram bidirectionalPipeline(const std::string& schedule, int stages, int microbatches);

/// Virtual stages of one replica: P·V / replicas.
int virtualStages(const ComputeProgram& compute);

/// Throws Error unless the sizes of the tables agree, every virtual stage of every replica lies on
/// exactly one chunk, every step is a forward or backward of a chunk and microbatch that exist, and
/// every overlapped pair is one forward and one full backward.
/// What the passes rely on; whether the order makes sense is for the walk of the passes and the
/// verifier to tell.
void checkShape(const ComputeProgram& compute);

} // namespace triaxis

#pragma once

#include "engine/cost/plan_program.h"
#include "engine/cost/training_job.h"
#include "engine/layout/layout.h"
#include "engine/model/model.h"
#include "engine/schedule/passes.h"
#include "engine/schedule/program.h"
#include "engine/simulate/play.h"

#include <cstdint>

namespace triaxis
{

/// A dense model whose layers have as many of everything as a token of the job's model sees: what
/// the passes count FLOPs and cut heads with. Of a mixture of experts the MLP is as wide as the
/// experts that a token takes.
ModelSpec activeModelOf(const ModelShape& shape, int tensorSize);

/// The layout in which the ranks of a prediction are numbered: tensor fastest, then context, then
/// data, then pipeline (Megatron's order). Context ranks count as further data ranks: both hold the
/// same weights, and their gradients are reduced together.
Layout layoutOf(const TrainingJob& job, const ParallelPlan& plan);

/// Most gradient buckets of a chunk in a prediction: larger chunks have larger buckets than a run.
inline constexpr int predictedBuckets = 16;

/// The whole program: the instruction ids of a run of the same plan (with larger gradient buckets
/// where a chunk has more than predictedBuckets of them). FLOPs of one rank; bytes of transfers and
/// gradients as the job's software moves them. Throws Error for a plan that has no program.
Program programOf(const TrainingJob& job, const ParallelPlan& plan, const StageCosts& costs);

} // namespace triaxis

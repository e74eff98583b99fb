#pragma once

#include "engine/cost/training_job.h"

namespace triaxis::tests
{

/// Megatron's 22B model of Korthikanti et al. 2022 on one DGX A100: TP 8, microbatch 4, no
/// pipeline.
inline TrainingJob megatron22B()
{
    TrainingJob job;
    job.model.name = "megatron-22b";
    job.model.layers = 48;
    job.model.hidden = 6144;
    job.model.heads = job.model.kvHeads = 64;
    job.model.headSize = 96;
    job.model.feedForward = 4 * 6144;
    job.model.vocabulary = 51200;
    job.model.positions = 2048;
    job.cluster = clusterPreset("selene");
    job.software = softwareProfile("megatron-2022");
    job.precision = NumberFormat::Fp16;
    job.devices = 8;
    job.sequence = 2048;
    job.globalBatch = 4;
    return job;
}

inline ParallelPlan plan22B()
{
    ParallelPlan plan;
    plan.tp = 8;
    plan.microbatch = 4;
    return plan;
}

/// The same model over 64 devices as a pipeline: DP 2, TP 4, PP 8, 16 microbatches.
inline TrainingJob pipelinedJob()
{
    TrainingJob job = megatron22B();
    job.devices = 64;
    job.globalBatch = 32;
    return job;
}

inline ParallelPlan pipelinedPlan()
{
    ParallelPlan plan;
    plan.dp = 2;
    plan.tp = 4;
    plan.pp = 8;
    return plan;
}

} // namespace triaxis::tests

#pragma once

#include "engine/record/run_plan.h"

namespace triaxis::test
{

/// A small plan that is sound for up to 2 tensor ranks and 4 stages.
inline RunPlan smallPlan(int dp, int tp, int pp)
{
    RunPlan plan;
    plan.label = "small";
    plan.model.name = "tiny";
    plan.model.architecture = Architecture::Gpt2;
    plan.model.vocabulary = 257;
    plan.model.positions = 32;
    plan.model.hidden = 32;
    plan.model.layers = 4;
    plan.model.heads = 4;
    plan.model.kvHeads = 4;
    plan.model.headSize = 8;
    plan.model.feedForward = 128;
    plan.layout.dp = dp;
    plan.layout.tp = tp;
    plan.layout.pp = pp;
    plan.training.steps = 3;
    plan.training.batch.globalBatch = 4 * dp;
    plan.training.batch.microbatch = 1;
    plan.training.batch.sequence = 32;
    plan.data.kind = DataKind::Synthetic;
    return plan;
}

} // namespace triaxis::test

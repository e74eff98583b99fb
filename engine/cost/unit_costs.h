#pragma once

#include "engine/cost/training_job.h"

namespace triaxis
{

/// Seconds of the passes of one part of the model for one microbatch on one rank, exposed
/// communication included.
struct PassSeconds
{
    double forward = 0;
    double input = 0;     ///< backward for the input
    double weight = 0;    ///< backward for the weights
    double recompute = 0; ///< forward again before the backward
    double exposed =
        0; ///< of the sum of the four: tensor, context and expert communication that nothing hides
    double dispatch = 0; ///< of exposed: one way of the experts' tokens, there and back in forward;
                         ///< backward takes as long again
    double floor = 0;    ///< of the sum: time added because launches take longer than the work
    double backward() const { return recompute + input + weight; }
    double all() const { return forward + backward(); }
    bool operator==(const PassSeconds&) const = default;
};

/// What one microbatch costs on one rank. Depends on the job and on tp, cp, ep, expertTp,
/// microbatch, sequenceParallel and recompute of the plan only, so that a search works it out once
/// for many layouts.
struct UnitCosts
{
    PassSeconds denseLayer;
    PassSeconds expertLayer;
    PassSeconds embedding; ///< on the first virtual stage
    PassSeconds head;      ///< on the last: final norm, vocabulary products, loss
    double hopBytes = 0;   ///< of one activation between stages, by one rank
};

UnitCosts unitCosts(const TrainingJob& job, const ParallelPlan& plan);

} // namespace triaxis

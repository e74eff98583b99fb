#pragma once

#include "engine/compare/compared_run.h"

#include <string>

namespace triaxis
{

/// How far the losses of two runs of one training lie apart: the same model, data, seed and
/// hyperparameters in another layout, schedule or microbatch compute the same up to rounding.
struct LossComparison
{
    std::string otherTraining; ///< the first setting that makes it another training, so that losses
                               ///< need not agree; empty: they should
    int steps = 0;             ///< that both have
    double worst = std::numeric_limits<double>::quiet_NaN(); ///< largest relative difference …
    int worstStep = 0;                                       ///< … and its step
    double bound = std::numeric_limits<double>::quiet_NaN(); ///< expected at that step
    /// Worst of difference over bound of each step; at most 1 if the losses agree.
    double overBound = std::numeric_limits<double>::quiet_NaN();
    bool agrees() const { return otherTraining.empty() && steps > 0 && overBound <= 1; }
};

LossComparison compareLosses(const ComparedRun& run, const ComparedRun& reference);

/// Largest relative difference of the losses at a step, from 1, that rounding in float32 explains:
/// 10⁻⁵ over the first ten steps (parity.h); after them each update carries the rounding of all
/// earlier ones on, so that it grows with the steps, up to a hundredth. (Layouts of a small GPT-2
/// lie 10⁻⁵ apart at most over 400 steps.)
double expectedLossDifference(int step);

} // namespace triaxis

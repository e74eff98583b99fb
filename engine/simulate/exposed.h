#pragma once

#include "engine/simulate/prediction.h"

#include <vector>

namespace triaxis
{

/// Seconds a step in which a rank of one stage does nothing but communicate, by what for.
struct ExposedTime
{
    double tensor = 0;
    double context = 0;  ///< keys and values of ring attention
    double expert = 0;   ///< tokens to experts and back
    double pipeline = 0; ///< transfers between stages that the stage waits for
    double data = 0;     ///< gradients and weights of replicas
    double total() const { return tensor + context + expert + pipeline + data; }
};

/// Shares of the communication inside layers that each axis has, over the whole model; 0 all where
/// there is none.
struct InnerShares
{
    double tensor = 0, context = 0, expert = 0;
};
InnerShares innerShares(const TrainingJob& job, const ParallelPlan& plan);

/// Splits the communication inside layers by axis: what each costs beyond a software that would
/// hide it. By stage [P], from the spans of a prediction.
std::vector<ExposedTime> exposedByStage(const TrainingJob& job, const ParallelPlan& plan,
                                        const Prediction& prediction);

} // namespace triaxis

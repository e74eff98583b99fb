#include "engine/compare/loss_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace triaxis
{
namespace
{

constexpr double earlyBound = 1e-5;
constexpr int earlySteps = 10;
constexpr double lateBound = 1e-2;

/// The first of the settings that decide what is computed and differ.
std::string otherTraining(const RunPlan& a, const RunPlan& b)
{
    const TrainingPlan& x = a.training;
    const TrainingPlan& y = b.training;
    if (!(toJson(a)["model"] == toJson(b)["model"]))
        return "model";
    if (a.weights != b.weights)
        return "initial weights";
    if (!(a.data == b.data))
        return "data";
    if (x.seed != y.seed)
        return "seed";
    if (x.batch.globalBatch != y.batch.globalBatch || x.batch.sequence != y.batch.sequence)
        return "batch";
    if (x.learningRate != y.learningRate || x.warmupSteps != y.warmupSteps)
        return "learning rate";
    if (x.beta1 != y.beta1 || x.beta2 != y.beta2 || x.epsilon != y.epsilon ||
        x.weightDecay != y.weightDecay || x.clipNorm != y.clipNorm)
        return "optimizer";
    return {};
}

} // namespace

double expectedLossDifference(int step)
{
    return std::min(lateBound, earlyBound * std::max(1.0, double(step) / earlySteps));
}

LossComparison compareLosses(const ComparedRun& run, const ComparedRun& reference)
{
    LossComparison result;
    if (run.source != FigureSource::Measured || reference.source != FigureSource::Measured) {
        result.otherTraining = "prediction";
        return result;
    }
    result.otherTraining = otherTraining(run.plan, reference.plan);
    std::map<std::int32_t, double> losses;
    for (const StepResult& step : reference.steps)
        losses[step.step] = step.loss;
    for (const StepResult& step : run.steps) {
        const auto found = losses.find(step.step);
        if (found == losses.end() || !std::isfinite(found->second) || !std::isfinite(step.loss))
            continue;
        ++result.steps;
        const double difference =
            std::abs(step.loss - found->second) / std::max(1e-300, std::abs(found->second));
        const double bound = expectedLossDifference(step.step);
        if (!(difference / bound <= result.overBound))
            result.overBound = difference / bound;
        if (!(difference <= result.worst)) {
            result.worst = difference;
            result.worstStep = step.step;
            result.bound = bound;
        }
    }
    return result;
}

} // namespace triaxis

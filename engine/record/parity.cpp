#include "engine/record/parity.h"

#include "engine/core/error.h"
#include "engine/formats/safetensors.h"
#include "engine/model/parameters.h"
#include "engine/record/records.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace triaxis
{
namespace
{

constexpr double lossBound = 1e-5;
constexpr double normBound = 1e-4;

double relative(double value, double reference)
{
    return reference != 0 ? std::abs(value - reference) / std::abs(reference) : std::abs(value);
}

std::int64_t elementsOf(const std::vector<std::int64_t>& shape)
{
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

double norm(const std::vector<float>& values)
{
    double sum = 0;
    for (const float value : values)
        sum += double(value) * value;
    return std::sqrt(sum);
}

/// ‖a − b rolled by `shift`‖.
double distance(const std::vector<float>& a, const std::vector<float>& b, std::size_t shift)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = double(a[i]) - b[(i + shift) % b.size()];
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

std::vector<float> tensorOf(const SafetensorsFile& file, const ParameterSpec& parameter, const std::string& where)
{
    const TensorInfo* info = file.find(parameter.name);
    const std::int64_t count = elementsOf(parameter.shape);
    if (info == nullptr || elementsOf(info->shape) != count)
        throw Error("cannot compare gradients", where + " lacks " + parameter.name, "run the check again");
    std::vector<float> values(static_cast<std::size_t>(count));
    file.read(*info, 0, count, values.data());
    return values;
}

int depth(const ParameterSpec& parameter, int layers)
{
    switch (parameter.owner) {
    case ParameterOwner::Embedding: return 0;
    case ParameterOwner::Layer: return parameter.layer + 1;
    case ParameterOwner::FinalNorm:
    case ParameterOwner::Head: return layers + 1;
    }
    return 0;
}

double gradientBound(const ParameterSpec& parameter, const RunPlan& plan)
{
    const double tokens = double(plan.training.batch.globalBatch) * plan.training.batch.sequence;
    const int below = plan.model.layers + 1 - depth(parameter, plan.model.layers);
    return 4 * std::pow(1.03, below) * std::pow(2.0, -23) * std::sqrt(tokens);
}

std::vector<LossParity> compareLosses(const RunDirectory& run, const RunDirectory& reference)
{
    const auto ours = readRun(run).all.steps;
    const auto theirs = readRun(reference).all.steps;
    if (ours.empty() || ours.size() != theirs.size())
        throw Error("cannot compare the runs", std::to_string(ours.size()) + " and " + std::to_string(theirs.size()) +
                    " steps were recorded", "run the check again");
    std::vector<LossParity> losses;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        LossParity parity;
        parity.step = ours[i].step;
        parity.loss = ours[i].loss;
        parity.referenceLoss = theirs[i].loss;
        parity.norm = ours[i].gradientNorm;
        parity.referenceNorm = theirs[i].gradientNorm;
        parity.lossError = relative(parity.loss, parity.referenceLoss);
        parity.normError = relative(parity.norm, parity.referenceNorm);
        parity.lossBound = lossBound;
        parity.normBound = normBound;
        losses.push_back(parity);
    }
    return losses;
}

std::vector<TensorParity> compareGradients(const RunDirectory& run, const RunDirectory& reference)
{
    const std::string file = "gradients-1.safetensors";
    const SafetensorsFile ours(run.path() / file);
    const SafetensorsFile theirs(reference.path() / file);
    const RunPlan plan = run.plan();
    const auto parameters = parametersOf(plan.model);

    double squares = 0;
    for (const ParameterSpec& parameter : parameters)
        squares += std::pow(norm(tensorOf(theirs, parameter, reference.id())), 2);
    const double meanSquare = squares / double(parameterCount(plan.model));

    std::vector<TensorParity> tensors;
    for (const ParameterSpec& parameter : parameters) {
        const auto a = tensorOf(ours, parameter, run.id());
        const auto b = tensorOf(theirs, parameter, reference.id());
        const double floor = 1e-3 * std::sqrt(meanSquare * double(b.size()));
        const double scale = std::max({norm(b), floor, std::numeric_limits<double>::min()});
        tensors.push_back({parameter.name, distance(a, b, 0) / scale, gradientBound(parameter, plan),
                           distance(a, b, 1) / scale});
    }
    return tensors;
}

} // namespace

bool ParityReport::within() const
{
    return std::all_of(losses.begin(), losses.end(), [](const LossParity& p) { return p.within(); }) &&
           std::all_of(tensors.begin(), tensors.end(), [](const TensorParity& p) { return p.within(); });
}

ParityReport compareRuns(const RunDirectory& run, const RunDirectory& reference)
{
    return {compareLosses(run, reference), compareGradients(run, reference)};
}

} // namespace triaxis

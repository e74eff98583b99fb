#include "engine/cost/validation.h"

#include "engine/core/error.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace triaxis
{
namespace
{

/// What a row needs besides, as the pass times of a bubble rate, is not stated anywhere.
class RowWithoutResult : public Error
{
public:
    using Error::Error;
};

/// Devices × seconds × FLOP/s of a step by a convention.
double deviceFlops(const MeasuredCase& run, FlopConvention convention)
{
    return stepFlops(run.job, run.plan, convention) / run.job.devices;
}

double tokensOf(const MeasuredCase& run)
{
    return double(run.job.globalBatch) * run.job.sequence;
}

/// What a speed says of a step: amount / seconds = value. StepSeconds has no amount.
double amountOf(const MeasuredCase& run, const MeasuredTarget& target)
{
    switch (target.quantity) {
    case Quantity::DeviceFlops:
        return deviceFlops(run, target.convention);
    case Quantity::Mfu:
        return deviceFlops(run, target.convention) /
               run.job.cluster.device.peakOf(run.job.precision);
    case Quantity::TokensPerSecond:
        return tokensOf(run);
    case Quantity::TokensPerDeviceSecond:
        return tokensOf(run) / run.job.devices;
    case Quantity::SamplesPerDeviceSecond:
        return double(run.job.globalBatch) / run.job.devices;
    case Quantity::StepSeconds:
    case Quantity::LayerForward:
    case Quantity::LayerBackward:
    case Quantity::Memory:
    case Quantity::StateMemory:
    case Quantity::ActivationMemory:
    case Quantity::ActivationShare:
    case Quantity::OutOfMemory:
    case Quantity::BubbleRate:
        break;
    }
    return 0;
}

/// Seconds to a speed, and a speed to seconds.
double turned(const MeasuredCase& run, const MeasuredTarget& target, double value)
{
    return target.quantity == Quantity::StepSeconds ? value : amountOf(run, target) / value;
}

double plainActivations(const MeasuredCase& run)
{
    ParallelPlan plain = run.plan;
    plain.sequenceParallel = false;
    plain.recompute = Recompute::None;
    return memoryByStage(run.job, plain).front().activations;
}

bool needsStep(const MeasuredTarget& target)
{
    return isSpeed(target.quantity);
}

double memoryFigure(const MeasuredCase& run, Quantity quantity)
{
    const std::vector<MemoryParts> stages = memoryByStage(run.job, run.plan);
    const MemoryParts& first = stages.front();
    if (quantity == Quantity::StateMemory)
        return first.weights + first.gradients + first.optimizer;
    if (quantity == Quantity::ActivationMemory)
        return first.activations;
    if (quantity == Quantity::ActivationShare)
        return first.activations / plainActivations(run);
    double most = 0;
    for (const MemoryParts& stage : stages)
        most = std::max(most, stage.total());
    if (quantity == Quantity::OutOfMemory)
        return most > double(run.job.cluster.device.memoryBytes) ? 1 : 0;
    return most;
}

/// The name of the model as table 9 prints it.
std::string printedModel(const MeasuredCase& run)
{
    const std::string& name = run.job.model.name;
    return name.rfind("ZB ", 0) == 0 ? name.substr(3) : name;
}

/// Empty where the pass times that it needs were not profiled.
std::optional<double> predicted(const PricedCase& priced, const MeasuredTarget& target,
                                const std::vector<PassTimes>& passTimes)
{
    const MeasuredCase& run = priced.run;
    switch (target.quantity) {
    case Quantity::StepSeconds:
    case Quantity::DeviceFlops:
    case Quantity::Mfu:
    case Quantity::TokensPerSecond:
    case Quantity::TokensPerDeviceSecond:
    case Quantity::SamplesPerDeviceSecond:
        return turned(run, target, priced.estimate->seconds);
    case Quantity::LayerForward:
        return unitCosts(run.job, run.plan).denseLayer.forward;
    case Quantity::LayerBackward:
        return unitCosts(run.job, run.plan).denseLayer.backward();
    case Quantity::Memory:
    case Quantity::StateMemory:
    case Quantity::ActivationMemory:
    case Quantity::ActivationShare:
    case Quantity::OutOfMemory:
        return memoryFigure(run, target.quantity);
    case Quantity::BubbleRate:
        break;
    }
    const std::optional<PassTimes> times = passTimesOf(passTimes, printedModel(run), run.plan.pp,
                                                       run.plan.microbatches(run.job.globalBatch));
    return times ? std::optional(bubbleRate(*times, run.plan)) : std::nullopt;
}

double errorOf(const MeasuredTarget& target, double predicted)
{
    if (target.quantity == Quantity::OutOfMemory)
        return predicted == target.measured ? 0 : 1;
    if (target.quantity == Quantity::BubbleRate)
        return predicted - target.measured;
    return predicted / target.measured - 1;
}

/// The quickest microbatch of 1, 2, 4, 8, 16 that divides and fits; the smallest where none fits.
void chooseMicrobatch(MeasuredCase& run)
{
    ParallelPlan best;
    double bestSeconds = 0;
    for (const int microbatch : {1, 2, 4, 8, 16}) {
        ParallelPlan plan = run.plan;
        plan.microbatch = microbatch;
        if (plan.microbatches(run.job.globalBatch) < 1)
            continue;
        const StepEstimate estimate = estimateStep(run.job, plan);
        const bool fits = estimate.memory <= double(run.job.cluster.device.memoryBytes);
        if (bestSeconds == 0 || (fits && estimate.seconds < bestSeconds)) {
            best = plan;
            bestSeconds = estimate.seconds;
        }
    }
    if (bestSeconds > 0)
        run.plan = best;
    run.assumptions.emplace_back(
        "microbatch not stated: the quickest of 1, 2, 4, 8 and 16 that fits");
}

std::string layoutText(const ParallelPlan& plan)
{
    std::string text = plan.schedule;
    for (const int size :
         {plan.dp, plan.tp, plan.cp, plan.pp, plan.virtualStages, plan.ep, plan.expertTp,
          plan.microbatch, int(plan.sequenceParallel), int(plan.zero), plan.shardGroup,
          int(plan.recompute), plan.vocabularyBarriers})
        text += "/" + std::to_string(size);
    for (const int layers : plan.layersPerStage)
        text += "," + std::to_string(layers);
    return text + "/" + std::to_string(plan.scheduleMemory);
}

/// Seconds that launches add to the busiest stage over a step.
double floorOf(const MeasuredCase& run)
{
    const UnitCosts unit = unitCosts(run.job, run.plan);
    const ModelShape& model = run.job.model;
    const double layers = std::ceil(double(model.layers) / run.plan.pp);
    const PassSeconds& layer = model.expert.experts > 0 ? unit.expertLayer : unit.denseLayer;
    return layers * layer.floor * double(run.plan.microbatches(run.job.globalBatch));
}

PricedCase priced(MeasuredCase run, const std::vector<PassTimes>& passTimes)
{
    PricedCase result;
    checkShape(run.job.model);
    if (run.openMicrobatch)
        chooseMicrobatch(run);
    result.run = std::move(run);
    if (std::any_of(result.run.targets.begin(), result.run.targets.end(), needsStep)) {
        result.estimate = estimateStep(result.run.job, result.run.plan);
        result.floor = floorOf(result.run);
    }
    for (const MeasuredTarget& target : result.run.targets) {
        const std::optional<double> value = predicted(result, target, passTimes);
        if (!value)
            continue;
        if (!std::isfinite(*value))
            throw Error("cannot price the run", "the prediction is no finite number",
                        "check the sizes of the row");
        result.targets.push_back({target, *value, errorOf(target, *value)});
        if (target.main && needsStep(target) && result.timed.measured == 0)
            result.timed = {problemKey(result.run), layoutText(result.run.plan),
                            turned(result.run, target, target.measured), result.estimate->seconds};
    }
    if (result.targets.empty())
        throw RowWithoutResult("cannot price the run", "no result that the model can work out", {});
    return result;
}

/// Ideal seconds of the one-parameter baseline at efficiency 1.
double idealSeconds(const MeasuredCase& run)
{
    const ParallelPlan& plan = run.plan;
    const double microbatches =
        double(std::max<std::int64_t>(1, plan.microbatches(run.job.globalBatch)));
    return deviceFlops(run, FlopConvention::Hardware) /
           run.job.cluster.device.peakOf(run.job.precision) *
           (1 + (plan.pp - 1) / (microbatches * plan.virtualStages));
}

void scoreBaseline(Validation& validation)
{
    std::vector<double> ratios;
    for (const PricedCase& priced : validation.priced) {
        if (priced.timed.measured > 0)
            ratios.push_back(priced.timed.measured / idealSeconds(priced.run));
    }
    if (ratios.empty())
        return;
    const double factor = median(ratios);
    validation.baselineEfficiency = 1 / factor;
    std::vector<double> errors;
    std::vector<TimedLayout> layouts;
    for (const PricedCase& priced : validation.priced) {
        if (priced.timed.measured <= 0)
            continue;
        TimedLayout layout = priced.timed;
        layout.predicted = idealSeconds(priced.run) * factor;
        for (const PricedTarget& target : priced.targets) {
            if (target.target.main && needsStep(target.target))
                errors.push_back(
                    errorOf(target.target, turned(priced.run, target.target, layout.predicted)));
        }
        layouts.push_back(std::move(layout));
    }
    validation.baseline.error = errorScore(errors);
    scoreOrder(validation.baseline, layouts);
}

void scoreModel(Validation& validation)
{
    std::vector<double> errors;
    std::vector<TimedLayout> layouts;
    for (const PricedCase& priced : validation.priced) {
        layouts.push_back(priced.timed);
        for (const PricedTarget& target : priced.targets) {
            if (target.target.main)
                errors.push_back(target.error);
            if (target.target.quantity != Quantity::OutOfMemory)
                continue;
            const bool right = target.error == 0, full = target.target.measured == 1;
            ++validation.fit.runs;
            validation.fit.right += right;
            validation.fit.outOfMemory += full;
            validation.fit.outOfMemoryRight += full && right;
        }
    }
    validation.model.error = errorScore(errors);
    scoreOrder(validation.model, layouts);
}

/// Rows of a half by their place among all lines of the table, as halfOf takes them.
std::set<int> linesOfHalf(const std::set<int>& lines, int half)
{
    std::set<int> kept;
    int place = 0;
    for (const int line : lines) {
        if (place++ % 2 == half)
            kept.insert(line);
    }
    return kept;
}

void scoreHalves(Validation& validation)
{
    if (validation.rows < halvesFrom)
        return;
    std::set<int> lines;
    for (const PricedCase& priced : validation.priced)
        lines.insert(priced.run.line);
    for (const UnpricedRow& row : validation.unpriced)
        lines.insert(row.line);
    const std::set<int> firsts = linesOfHalf(lines, 0);
    std::vector<double> first, second;
    for (const PricedCase& priced : validation.priced) {
        for (const PricedTarget& target : priced.targets) {
            if (target.target.main)
                (firsts.count(priced.run.line) ? first : second).push_back(target.error);
        }
    }
    validation.halves = {errorScore(first), errorScore(second)};
}

} // namespace

Validation validate(MeasuredTable table, const std::vector<PassTimes>& passTimes)
{
    Validation validation;
    validation.unpriced = std::move(table.unpriced);
    std::set<int> lines;
    for (MeasuredCase& run : table.cases) {
        const int line = run.line;
        const std::string label = run.label;
        try {
            validation.priced.push_back(priced(std::move(run), passTimes));
            lines.insert(line);
        } catch (const RowWithoutResult& error) {
            validation.unpriced.push_back({line, label, error.what(), false});
        } catch (const Error& error) {
            validation.unpriced.push_back({line, label, error.what(), true});
        }
    }
    table.cases.clear();
    table.unpriced.clear();
    validation.table = std::move(table);
    std::stable_sort(validation.unpriced.begin(), validation.unpriced.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    validation.rows = int(lines.size());
    validation.skipped = validation.table.rows - validation.rows;
    for (const UnpricedRow& row : validation.unpriced) {
        if (row.states)
            lines.insert(row.line);
    }
    validation.stating = int(lines.size());
    scoreModel(validation);
    scoreBaseline(validation);
    scoreHalves(validation);
    return validation;
}

MeasuredTable halfOf(MeasuredTable table, int half)
{
    std::set<int> lines;
    for (const MeasuredCase& run : table.cases)
        lines.insert(run.line);
    for (const UnpricedRow& row : table.unpriced)
        lines.insert(row.line);
    const std::set<int> kept = linesOfHalf(lines, half);
    std::erase_if(table.cases, [&](const MeasuredCase& run) { return !kept.count(run.line); });
    std::erase_if(table.unpriced, [&](const UnpricedRow& row) { return !kept.count(row.line); });
    table.rows = int(kept.size());
    return table;
}

ErrorScore errorsOf(const Validation& validation, Quantity quantity)
{
    std::vector<double> errors;
    for (const PricedCase& priced : validation.priced) {
        for (const PricedTarget& target : priced.targets) {
            if (target.target.quantity == quantity)
                errors.push_back(target.error);
        }
    }
    return errorScore(errors);
}

std::vector<Quantity> secondQuantities(const Validation& validation)
{
    std::set<Quantity> found;
    for (const PricedCase& priced : validation.priced) {
        for (const PricedTarget& target : priced.targets) {
            if (!target.target.main)
                found.insert(target.target.quantity);
        }
    }
    return {found.begin(), found.end()};
}

} // namespace triaxis

#include "engine/simulate/job_program.h"

#include "engine/cost/stage_shares.h"
#include "engine/schedule/compute_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace triaxis
{
namespace
{

int clampToInt(double value)
{
    return int(std::clamp(value, 1.0, double(std::numeric_limits<int>::max() / 2)));
}

/// Bytes of one element of an activation between stages.
std::int64_t activationElement(NumberFormat format)
{
    return format == NumberFormat::Fp32 || format == NumberFormat::Tf32 ? 4 : 2;
}

/// The passes count the gradients of the stand-in; the real model's are spread over as many
/// buckets.
void setGradientBytes(Program& program, const TrainingJob& job, const ParallelPlan& plan)
{
    const std::vector<StageParameters> parameters = stageParameters(job, plan);
    for (StageProgram& stage : program.perStage) {
        double counted = 0;
        for (const Instruction& instruction : stage.instructions)
            if (instruction.id.kind() == Kind::GradientReduce)
                counted += double(instruction.bytes);
        const double real = parameters[std::size_t(stage.stage.value)].all() *
                            job.software.gradientBytes * job.trainedShare;
        for (Instruction& instruction : stage.instructions)
            if (instruction.id.kind() == Kind::GradientReduce)
                instruction.bytes = std::int64_t(real * double(instruction.bytes) / counted);
    }
}

} // namespace

ModelSpec activeModelOf(const ModelShape& shape, int tensorSize)
{
    ModelSpec model;
    model.name = shape.name;
    model.architecture = shape.gatedMlp ? Architecture::Llama : Architecture::Gpt2;
    model.vocabulary = shape.vocabulary;
    model.positions = std::max(1, shape.positions);
    model.hidden = shape.hidden;
    model.layers = shape.layers;
    model.heads = shape.heads;
    model.kvHeads = shape.kvHeads > 0 ? shape.kvHeads : shape.heads;
    if (model.kvHeads != model.heads)
        model.architecture = Architecture::Llama;
    model.headSize = shape.headSize;
    model.feedForward = shape.feedForward;
    model.tiedHead = shape.tiedHead;
    if (shape.expert.experts > 0) {
        const double width = double(shape.expert.activeExperts + shape.expert.sharedExperts) *
                             shape.expert.expertFeedForward;
        const double share = double(shape.expert.denseLayers) / std::max(1, shape.layers);
        const double mean = share * shape.feedForward + (1 - share) * width;
        model.feedForward = clampToInt(std::ceil(mean / tensorSize)) * tensorSize;
    }
    return model;
}

Layout layoutOf(const TrainingJob& job, const ParallelPlan& plan)
{
    Layout layout;
    layout.dp = plan.dp * plan.cp;
    layout.tp = plan.tp;
    layout.pp = plan.pp;
    layout.virtualStages = plan.virtualStages;
    layout.layersPerStage = plan.layersPerStage.empty()
                                ? defaultLayerSplit(job.model.layers, plan.pp * plan.virtualStages)
                                : plan.layersPerStage;
    return layout;
}

Program programOf(const TrainingJob& job, const ParallelPlan& plan, const StageCosts& costs)
{
    ProgramInputs inputs;
    inputs.model = activeModelOf(job.model, plan.tp);
    inputs.layout = layoutOf(job, plan);
    inputs.batch.globalBatch = int(std::min<std::int64_t>(job.globalBatch, 1 << 30));
    inputs.batch.microbatch = plan.microbatch;
    inputs.batch.sequence = std::max(1, job.sequence / std::max(1, plan.cp));
    inputs.bytesPerElement = activationElement(job.precision);
    // Of the stand-in's gradients, which the passes cut: a chunk seldom has twice the mean.
    const double mean = parameterCount(job.model) / plan.tp / (plan.pp * plan.virtualStages);
    inputs.bucketBytes = std::max(gradientBucketBytes, std::int64_t(2 * mean / predictedBuckets) *
                                                           inputs.bytesPerElement);
    Program program = completeProgram(computeProgramOf(job, plan, costs), inputs);
    setGradientBytes(program, job, plan);
    return program;
}

} // namespace triaxis

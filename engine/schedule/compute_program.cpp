#include "engine/schedule/compute_program.h"

#include "engine/core/error.h"

namespace triaxis
{
namespace
{

[[noreturn]] void refuse(const ComputeProgram& compute, const std::string& what,
                         const std::string& remedy)
{
    throw Error("cannot use the schedule \"" + compute.schedule + "\"", what, remedy);
}

void checkPlacement(const ComputeProgram& compute)
{
    const int positions = virtualStages(compute);
    std::vector<int> holders(std::size_t(positions) * compute.replicas, 0);
    for (int stage = 0; stage < compute.stages; ++stage) {
        if (int(compute.virtualStage[stage].size()) != compute.chunks ||
            int(compute.replica[stage].size()) != compute.chunks)
            refuse(compute,
                   "stage " + std::to_string(stage) + " does not place " +
                       std::to_string(compute.chunks) + " chunks",
                   "give a position and a replica for every chunk");
        for (int chunk = 0; chunk < compute.chunks; ++chunk) {
            const int position = compute.virtualStage[stage][chunk];
            const int replica = compute.replica[stage][chunk];
            if (position < 0 || position >= positions || replica < 0 || replica >= compute.replicas)
                refuse(compute,
                       "chunk " + std::to_string(chunk) + " of stage " + std::to_string(stage) +
                           " has no place in the model",
                       "positions run from 0 to " + std::to_string(positions - 1));
            if (++holders[std::size_t(replica) * positions + position] > 1)
                refuse(compute,
                       "position " + std::to_string(position) + " of the model is held twice",
                       "give every position to one chunk of each replica");
        }
    }
}

/// An overlapped pair is one forward and one full backward.
void checkPairs(const ComputeProgram& compute, int stage)
{
    const std::vector<ComputeStep>& order = compute.order[stage];
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (!order[i].withNext)
            continue;
        const bool followed = i + 1 < order.size() && !order[i + 1].withNext;
        const Kind first = order[i].kind;
        const Kind second = followed ? order[i + 1].kind : first;
        if ((first == Kind::Forward && second == Kind::Backward) ||
            (first == Kind::Backward && second == Kind::Forward))
            continue;
        refuse(compute,
               "the " + toText(InstructionId(order[i].kind, order[i].chunk, order[i].microbatch)) +
                   " on stage " + std::to_string(stage) +
                   " overlaps with no step that it can overlap with",
               "overlap one forward with one full backward");
    }
}

void checkSteps(const ComputeProgram& compute)
{
    for (int stage = 0; stage < compute.stages; ++stage) {
        for (const ComputeStep& step : compute.order[stage]) {
            const bool known = isCompute(step.kind) && step.kind != Kind::OptimizerStep;
            const bool inside = step.chunk.value >= 0 && step.chunk.value < compute.chunks &&
                                step.microbatch.value >= 0 &&
                                step.microbatch.value < compute.microbatches;
            if (!known || !inside)
                refuse(compute,
                       "stage " + std::to_string(stage) + " computes \"" + toText(step.kind) +
                           "\" of microbatch " + std::to_string(step.microbatch.value) +
                           ", chunk " + std::to_string(step.chunk.value),
                       "use forward and backward steps of the " +
                           std::to_string(compute.microbatches) + " microbatches and " +
                           std::to_string(compute.chunks) + " chunks");
        }
        checkPairs(compute, stage);
    }
}

/// A pipeline with tables of the right size, all zero.
ComputeProgram withoutSteps(const std::string& schedule, int stages, int microbatches, int chunks)
{
    if (stages < 1 || microbatches < 1 || microbatches > maximumMicrobatches || chunks < 1 ||
        chunks > maximumChunks)
        throw Error("cannot make a pipeline",
                    std::to_string(stages) + " stages with " + std::to_string(chunks) +
                        " chunks and " + std::to_string(microbatches) + " microbatches",
                    "use at least one of each, and at most " + std::to_string(maximumMicrobatches) +
                        " microbatches and " + std::to_string(maximumChunks) + " chunks a stage");
    ComputeProgram program;
    program.schedule = schedule;
    program.stages = stages;
    program.microbatches = microbatches;
    program.chunks = chunks;
    program.order.resize(stages);
    program.virtualStage.assign(stages, std::vector<int>(chunks, 0));
    program.replica.assign(stages, std::vector<int>(chunks, 0));
    return program;
}

} // namespace

ComputeProgram straightPipeline(const std::string& schedule, int stages, int microbatches)
{
    return loopedPipeline(schedule, stages, microbatches, 1);
}

ComputeProgram loopedPipeline(const std::string& schedule, int stages, int microbatches,
                              int virtualStages)
{
    ComputeProgram program = withoutSteps(schedule, stages, microbatches, virtualStages);
    for (int stage = 0; stage < stages; ++stage)
        for (int chunk = 0; chunk < virtualStages; ++chunk)
            program.virtualStage[stage][chunk] = chunk * stages + stage;
    return program;
}

ComputeProgram vPipeline(const std::string& schedule, int stages, int microbatches)
{
    ComputeProgram program = withoutSteps(schedule, stages, microbatches, 2);
    for (int stage = 0; stage < stages; ++stage)
        program.virtualStage[stage] = {stage, 2 * stages - 1 - stage};
    return program;
}

ComputeProgram bidirectionalPipeline(const std::string& schedule, int stages, int microbatches)
{
    ComputeProgram program = withoutSteps(schedule, stages, microbatches, 2);
    program.replicas = 2;
    for (int stage = 0; stage < stages; ++stage) {
        program.virtualStage[stage] = {stage, stages - 1 - stage};
        program.replica[stage] = {0, 1};
    }
    return program;
}

int virtualStages(const ComputeProgram& compute)
{
    return compute.stages * compute.chunks / compute.replicas;
}

void checkShape(const ComputeProgram& compute)
{
    if (compute.stages < 1 || compute.microbatches < 1 ||
        compute.microbatches > maximumMicrobatches || compute.chunks < 1 ||
        compute.replicas < 1 || compute.chunks % compute.replicas != 0 ||
        compute.chunks > maximumChunks || compute.replicas < 1 ||
        compute.stages * compute.chunks % compute.replicas != 0)
        refuse(compute,
               std::to_string(compute.stages) + " stages, " + std::to_string(compute.chunks) +
                   " chunks, " + std::to_string(compute.replicas) + " replicas and " +
                   std::to_string(compute.microbatches) + " microbatches",
               "use at least one of each, and replicas that divide stages × chunks");
    const std::size_t stages = compute.stages;
    if (compute.order.size() != stages || compute.virtualStage.size() != stages ||
        compute.replica.size() != stages)
        refuse(compute, "its tables do not have one entry a stage", "give every stage its steps");
    checkPlacement(compute);
    checkSteps(compute);
}

} // namespace triaxis

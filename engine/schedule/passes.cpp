#include "engine/schedule/passes.h"

#include "engine/core/error.h"
#include "engine/schedule/chunk_contents.h"
#include "engine/schedule/compute_program.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/step_tail.h"
#include "engine/schedule/transfers.h"
#include "engine/schedule/verifier.h"

#include <algorithm>

namespace triaxis
{
namespace
{

void checkInputs(const ComputeProgram& compute, const ProgramInputs& inputs)
{
    const auto refuse = [&](const std::string& object, const std::string& remedy) {
        throw Error("cannot complete the schedule \"" + compute.schedule + "\"", object, remedy);
    };
    const Layout& layout = inputs.layout;
    if (layout.dp < 1 || layout.tp < 1 || layout.pp != compute.stages)
        refuse("a layout of " + std::to_string(layout.pp) + " stages for a schedule of " +
                   std::to_string(compute.stages),
               "make both for the same number of stages");
    if (inputs.batch.microbatch < 1 || inputs.batch.sequence < 1)
        refuse("microbatches of " + std::to_string(inputs.batch.microbatch) + " × " +
                   std::to_string(inputs.batch.sequence) + " tokens",
               "use at least one sequence of one token");
    if (inputs.bytesPerElement < 1 || inputs.bucketBytes < inputs.bytesPerElement)
        refuse("gradient buckets of " + std::to_string(inputs.bucketBytes) + " bytes",
               "give a bucket room for at least one element");
}

} // namespace

std::int64_t bucketElements(std::int64_t elements, const ProgramInputs& inputs)
{
    const std::int64_t least = (elements + maximumBuckets - 1) / maximumBuckets;
    return std::max({std::int64_t(1), inputs.bucketBytes / inputs.bytesPerElement, least});
}

int bucketCount(std::int64_t elements, const ProgramInputs& inputs)
{
    const std::int64_t cut = bucketElements(elements, inputs);
    return int((elements + cut - 1) / cut);
}

Program completeProgram(const ComputeProgram& compute, const ProgramInputs& inputs)
{
    checkShape(compute);
    checkInputs(compute, inputs);
    const std::vector<std::vector<ChunkContent>> contents = chunkContents(compute, inputs);
    std::vector<std::vector<Instruction>> pendingSends;
    std::vector<std::vector<Instruction>> lists =
        withTransfers(compute, contents, inputs, pendingSends);

    Program program;
    program.schedule = compute.schedule;
    program.stages = compute.stages;
    program.microbatches = compute.microbatches;
    program.chunks = compute.chunks;
    program.replicas = compute.replicas;
    for (int stage = 0; stage < compute.stages; ++stage)
        program.perStage.push_back({Stage(stage), contents[stage], std::move(lists[stage])});
    addStepTail(program, inputs, pendingSends);
    return program;
}

Program programFor(const ScheduleRequest& request, const ProgramInputs& inputs)
{
    Program program = completeProgram(generate(request), inputs);
    const Verdict verdict = verify(program);
    if (verdict.refusal)
        throw Error("the schedule \"" + request.name + "\" makes no sound program",
                    "stage " + std::to_string(verdict.refusal->stage.value) + ", instruction " +
                        std::to_string(verdict.refusal->position) + ", " +
                        toText(verdict.refusal->id) + ": " + verdict.refusal->reason,
                    "choose another schedule or number of microbatches");
    return program;
}

Program programFor(const std::string& schedule, const ProgramInputs& inputs)
{
    ScheduleRequest request;
    request.name = schedule;
    request.stages = inputs.layout.pp;
    request.virtualStages = inputs.layout.virtualStages;
    request.microbatches = inputs.batch.microbatches(std::max(1, inputs.layout.dp));
    if (request.microbatches < 1)
        throw Error("cannot make the schedule \"" + schedule + "\"",
                    "a global batch of " + std::to_string(inputs.batch.globalBatch) +
                        " sequences over " + std::to_string(inputs.layout.dp) +
                        " replicas in microbatches of " + std::to_string(inputs.batch.microbatch),
                    "make the global batch a multiple of replicas × microbatch");
    return programFor(request, inputs);
}

} // namespace triaxis

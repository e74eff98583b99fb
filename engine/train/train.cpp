#include "engine/train/train.h"

#include "engine/core/error.h"
#include "engine/train/executor.h"
#include "engine/train/tensor_export.h"
#include "kernels/error.h"

#include <new>
#include <string>
#include <unistd.h>

namespace triaxis
{
namespace
{

using namespace train;

/// Steps between two measurements of the clocks against rank 0's.
constexpr std::int64_t clockInterval = 100;

std::string hostName()
{
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

void writeHello(RankContext& context)
{
    HelloRecord hello;
    hello.rank = Rank(context.world.rank());
    hello.host = hostName();
    hello.pid = int(getpid());
    hello.device = context.device.name();
    hello.blas = context.device.blasName();
    hello.mpi = context.world.library();
    context.records.hello(hello);
}

/// Collective. Spans are written on rank 0's clock as the world knows it, so that the record's own
/// correction is nil.
void measureClock(RankContext& context)
{
    const kernels::World::Clock measured = context.world.synchronizeClocks();
    ClockRecord record;
    record.at = context.world.now();
    record.error = measured.error;
    context.records.clock(record);
}

bool keepsSpans(const RunPlan& plan, std::int64_t step)
{
    const ExecutionPlan& execution = plan.execution;
    return step <= execution.wholeSteps || step > plan.training.steps - execution.wholeSteps ||
           (execution.everyStep > 0 && step % execution.everyStep == 0);
}

void writeStep(RankContext& context, const RunPlan& plan, std::int64_t step,
               const StepOutcome& outcome, double begin)
{
    if (context.world.rank() != 0)
        return;
    const BatchShape& batch = plan.training.batch;
    StepResult result;
    result.step = std::int32_t(step);
    result.loss = outcome.loss;
    result.gradientNorm = outcome.gradientNorm;
    result.begin = begin;
    result.seconds = context.world.now() - begin;
    result.tokens = std::int64_t(batch.globalBatch) * batch.sequence;
    context.records.step(result);
}

void describe(RankContext& context, RankState& state)
{
    std::string text =
        std::to_string(state.store.count()) + " parameters on this rank, " +
        (state.plan.weights.empty() ? "random from seed " + std::to_string(state.plan.training.seed)
                                    : "from " + state.plan.weights);
    context.records.log(LogLevel::Info, context.world.now(), text);
    context.records.endStep();
}

void runSteps(const RunPlan& plan, RankContext& context, RankState& state, StepRecorder& recorder)
{
    Executor executor(state, recorder);
    for (std::int64_t step = 1; step <= plan.training.steps; ++step) {
        recorder.beginStep(int(step));
        context.device.resetPeaks();
        const double begin = context.world.now();
        const StepOutcome outcome = executor.run(step);
        writeStep(context, plan, step, outcome, begin);
        recorder.memory(context.device.memory(), context.world.now());
        recorder.live(outcome.peakLive);
        if (plan.execution.saveGradients)
            exportTensors(state, state.store.gradients(),
                          context.directory /
                              ("gradients-" + std::to_string(step) + ".safetensors"));
        if (step % clockInterval == 0 && step < plan.training.steps)
            measureClock(context);
        context.records.endStep(keepsSpans(plan, step));
    }
    if (const std::string complaint = executor.complaint(); !complaint.empty())
        context.records.log(LogLevel::Warning, context.world.now(), complaint);
}

void runRank(const RunPlan& plan, RankContext& context, StepRecorder& recorder)
{
    writeHello(context);
    RankState state(plan, context.device, context.world);
    measureClock(context);
    describe(context, state);
    context.world.barrier();
    runSteps(plan, context, state, recorder);
    if (plan.execution.saveWeights)
        exportTensors(state, state.store.values(), context.directory / "model.safetensors");
    measureClock(context);
    context.world.barrier();
    context.records.end(context.world.now());
    context.records.endStep();
}

[[noreturn]] void fail(RankContext& context, const StepRecorder& recorder, const Error& error)
{
    FaultRecord fault;
    fault.time = context.world.now();
    fault.rank = Rank(context.world.rank());
    fault.step = recorder.position().step;
    fault.id = recorder.position().id;
    fault.reason = error.what();
    try {
        context.records.fault(fault);
        context.records.endStep();
    } catch (const Error&) {
        // The record itself cannot be written (a full disk): the reason still reaches standard
        // error.
    }
    throw error;
}

} // namespace

void trainRank(const RunPlan& plan, RankContext& context)
{
    StepRecorder recorder(context.records, context.status, Rank(context.world.rank()),
                          plan.execution.detail);
    try {
        runRank(plan, context, recorder);
    } catch (const Error& error) {
        fail(context, recorder, error);
    } catch (const kernels::DeviceError& error) {
        fail(context, recorder, Error("the device failed", error.what()));
    } catch (const std::bad_alloc&) {
        fail(context, recorder,
             Error("the host has no memory left", hostName(), "use more ranks or a smaller batch"));
    }
}

} // namespace triaxis

#include "engine/train/executor.h"

#include "engine/core/error.h"
#include "engine/train/diagnosis.h"
#include "engine/train/optimizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace triaxis::train
{
namespace
{

/// Tags of the pipeline group: two neighbours may exchange both kinds in the same direction.
constexpr int activationTag = 1;
constexpr int gradientTag = 2;
/// Added to the tag for the message that carries the arrival in a paced run.
constexpr int stampTags = 2;

int tagOf(Kind kind)
{
    return kind == Kind::SendActivation || kind == Kind::ReceiveActivation ? activationTag
                                                                           : gradientTag;
}

} // namespace

Executor::Executor(RankState& state, StepRecorder& recorder)
    : m_state(state), m_recorder(recorder), m_spans(state.world, recorder),
      m_totals(state.compute.device.allocateFloats(5, kernels::MemoryUse::Workspace)),
      m_inFlight(state.chunks.size() * std::size_t(state.feed.microbatches()))
{
    if (state.plan.execution.pace.active())
        m_pacer.emplace(state, recorder);
}

StepOutcome Executor::run(std::int64_t step)
{
    m_step = step;
    m_outcome.peakLive = 0;
    m_state.world.tieDeviceClock();
    m_state.compute.device.fill(*m_state.stream, m_totals.floats(), 0.0F, 4);
    m_state.store.beginStep();
    for (const Instruction& instruction : m_state.stage().instructions) {
        m_recorder.enter(instruction.id);
        issue(instruction);
        m_spans.recordEnded();
        m_state.world.progress();
    }
    m_spans.recordAll();
    readTotals();
    return m_outcome;
}

void Executor::readTotals()
{
    std::array<double, 2> totals{};
    m_state.compute.device.copyToHost(*m_state.stream, totals.data(), m_totals.data(),
                                      sizeof totals);
    m_state.stream->synchronize();
    const double tokens = double(m_state.shape().rows()) * m_state.feed.microbatches();
    m_outcome.loss = totals[0] / (tokens * m_state.plan.layout.dp);
    m_outcome.gradientNorm = std::sqrt(totals[1]);
    if (!std::isfinite(m_outcome.loss) || !std::isfinite(m_outcome.gradientNorm))
        throwNotFinite(m_state, m_step, m_outcome.loss, m_outcome.gradientNorm);
}

void Executor::issue(const Instruction& instruction)
{
    const InstructionId id = instruction.id;
    switch (id.kind()) {
    case Kind::Forward:
        compute(instruction, [&] { forward(id); });
        break;
    case Kind::Backward:
        compute(instruction, [&] { backward(id, WeightGradients::Now); });
        break;
    case Kind::BackwardInput:
        compute(instruction, [&] { backward(id, WeightGradients::Later); });
        break;
    case Kind::BackwardWeight:
        compute(instruction, [&] { backwardWeight(id); });
        break;
    case Kind::OptimizerStep:
        compute(instruction, [&] { update(); });
        break;
    case Kind::SendActivation:
    case Kind::SendGradient:
        send(instruction);
        break;
    case Kind::ReceiveActivation:
    case Kind::ReceiveGradient:
        receive(instruction);
        break;
    case Kind::GradientReduce:
        enqueue(instruction, reduceGradientBucket(m_state, id.chunk().value, id.part()));
        break;
    case Kind::TiedReduce:
        enqueue(instruction, reduceTiedEmbedding(m_state));
        break;
    case Kind::ReplicaReduce:
        enqueue(instruction, reduceReplicatedHeads(m_state, id.chunk().value));
        break;
    case Kind::NormReduce:
        addSquaredGradientNorm(m_state.compute, m_state.store, squaredNorm());
        enqueue(instruction, reduceNorm(m_state, squaredNorm()));
        break;
    case Kind::LossReduce:
        enqueue(instruction, reduceLoss(m_state, lossSum()));
        break;
    case Kind::Wait:
        wait(instruction);
        break;
    case Kind::TensorCollective:
        throw Error("cannot run the program",
                    "a tensor collective stands by itself; it belongs to a compute instruction");
    }
}

template <class Work>
void Executor::compute(const Instruction& instruction, Work work)
{
    if (m_pacer)
        return computePaced(instruction, work);
    std::unique_ptr<kernels::Request> begin = m_state.world.moment();
    work();
    std::unique_ptr<kernels::Request> end = m_state.world.moment();
    m_spans.computed(instruction, std::move(begin), std::move(end), m_state.tensor.take());
}

template <class Work>
void Executor::computePaced(const Instruction& instruction, Work work)
{
    const Pacer::Slot slot = m_pacer->open(instruction);
    const double begin = m_state.world.now();
    work();
    m_state.stream->synchronize(); // a GPU has only been given the work
    std::vector<TensorCollective> collectives = m_state.tensor.take();
    haveEnded(collectives);
    TensorTimes tensor = timesOf(collectives);
    const Pacer::Taken taken = m_pacer->close(instruction, slot, begin);
    tensor.wait = 0;
    tensor.transfer = slot.tensor;
    m_recorder.computed(instruction, taken.begin, taken.end, tensor);
}

void Executor::forward(InstructionId id)
{
    InFlight& at = inFlight(id);
    countLive(1);
    m_state.feed.fill(m_state.compute, chunk(id).content, m_step, id.microbatch().value, at.saved);
    // All tensor ranks of the last stage know the same loss; one of them speaks for it.
    kernels::Buffer output =
        chunkForward(m_state.compute, chunk(id), m_state.shape(), std::move(at.input), at.saved,
                     m_state.at.tensor == 0 ? lossSum() : nullptr);
    if (InFlight* next = neighbour(id, 1))
        next->input = std::move(output);
    else
        at.output = std::move(output);
}

void Executor::backward(InstructionId id, WeightGradients weights)
{
    InFlight& at = inFlight(id);
    kernels::Buffer gradient =
        chunkBackward(m_state.compute, chunk(id), m_state.shape(), std::move(at.outputGradient),
                      lossFactor(), at.saved, weights);
    if (InFlight* previous = neighbour(id, -1))
        previous->outputGradient = std::move(gradient);
    else
        at.inputGradient = std::move(gradient);
    if (weights == WeightGradients::Now) {
        at.saved = {};
        countLive(-1);
    }
}

void Executor::backwardWeight(InstructionId id)
{
    ChunkSaved& saved = inFlight(id).saved;
    chunkBackwardWeight(m_state.compute, chunk(id), m_state.shape(), saved);
    saved = {};
    countLive(-1);
}

void Executor::update()
{
    const TrainingPlan& training = m_state.plan.training;
    m_state.compute.device.clipFactor(*m_state.stream, clipFactor(), squaredNorm(),
                                      training.clipNorm);
    optimizerStep(m_state.compute, m_state.store, training, m_step, clipFactor());
}

void Executor::send(const Instruction& instruction)
{
    InFlight& at = inFlight(instruction.id);
    const bool forwards = instruction.id.kind() == Kind::SendActivation;
    StepReduction transfer;
    transfer.packed = std::move(forwards ? at.output : at.inputGradient);
    transfer.bytes = instruction.bytes;
    transfer.request =
        m_state.groups.pipeline->send(transfer.packed.data(), std::size_t(instruction.bytes),
                                      instruction.peer.value, tagOf(instruction.id.kind()));
    enqueue(instruction, std::move(transfer));
}

void Executor::receive(const Instruction& instruction)
{
    StepReduction transfer;
    transfer.packed = m_state.compute.device.allocate(std::size_t(instruction.bytes),
                                                      kernels::MemoryUse::Activations);
    transfer.bytes = instruction.bytes;
    transfer.request =
        m_state.groups.pipeline->receive(transfer.packed.data(), std::size_t(instruction.bytes),
                                         instruction.peer.value, tagOf(instruction.id.kind()));
    enqueue(instruction, std::move(transfer));
}

void Executor::countLive(int change)
{
    m_live += change;
    m_outcome.peakLive = std::max(m_outcome.peakLive, m_live);
}

void Executor::enqueue(const Instruction& instruction, StepReduction transfer)
{
    if (!transfer.request) // a group of one: it ends where it begins
        transfer.request = m_state.world.moment();
    m_pending.push_back({instruction, std::move(transfer), nullptr, 0, nullptr});
    if (m_pacer)
        stamp(m_pending.back());
}

void Executor::stamp(Pending& pending)
{
    const Instruction& instruction = pending.instruction;
    const Kind kind = instruction.id.kind();
    pending.slotEnd = m_pacer->enqueued();
    pending.stamp = std::make_unique<double>(pending.slotEnd);
    double* value = pending.stamp.get();
    kernels::Communicator& pipeline = *m_state.groups.pipeline;
    const int tag = tagOf(kind) + stampTags;
    if (isSend(kind)) {
        *value = m_pacer->departure(instruction);
        pending.stampRequest = pipeline.send(value, sizeof *value, instruction.peer.value, tag);
    } else if (isReceive(kind)) {
        pending.stampRequest = pipeline.receive(value, sizeof *value, instruction.peer.value, tag);
    } else if (pending.transfer.group) {
        pending.stampRequest =
            pending.transfer.group->allReduce(value, 1, kernels::Reduction::Maximum);
    }
}

void Executor::pace(Pending& pending, kernels::Timing& timing)
{
    if (!pending.stampRequest)
        return;
    m_state.world.wait(*pending.stampRequest);
    const Instruction& instruction = pending.instruction;
    if (isSend(instruction.id.kind()))
        m_pacer->departed(instruction);
    else if (isReceive(instruction.id.kind()))
        m_pacer->arrived(*pending.stamp);
    else
        m_pacer->reduced(instruction, *pending.stamp, pending.transfer.bytes,
                         pending.transfer.group->size());
    if (!isReceive(instruction.id.kind()))
        timing.ready = std::max(timing.ready, pending.slotEnd);
    if (!isSend(instruction.id.kind()))
        timing.end = std::max(timing.end, m_state.world.now());
    timing.begin = std::max(timing.begin, timing.ready);
    timing.end = std::max(timing.end, timing.begin);
}

void Executor::wait(const Instruction& instruction)
{
    if (m_pacer && !isSend(instruction.target.kind()))
        m_pacer->settle();
    const auto pending = std::find_if(m_pending.begin(), m_pending.end(), [&](const Pending& p) {
        return p.instruction.id == instruction.target;
    });
    if (pending == m_pending.end())
        throw Error("cannot run the program",
                    "it waits for " + toText(instruction.target) + ", which was not started");
    kernels::Request& request = *pending->transfer.request;
    if (m_pacer || !request.holdBackDevice()) {
        if (isReceive(instruction.target.kind()))
            request.markReady(m_state.world.now());
        m_state.world.wait(request);
    }
    Pending done = std::move(*pending);
    m_pending.erase(pending);
    if (m_pacer) {
        kernels::Timing timing = done.transfer.request->timing();
        pace(done, timing);
        m_recorder.communicated(done.instruction, timing, done.transfer.bytes);
    } else {
        m_spans.communicated(done.instruction, std::move(done.transfer.request),
                             done.transfer.bytes);
    }
    complete(done);
}

void Executor::complete(Pending& pending)
{
    const InstructionId id = pending.instruction.id;
    switch (id.kind()) {
    case Kind::ReceiveActivation:
        inFlight(id).input = std::move(pending.transfer.packed);
        break;
    case Kind::ReceiveGradient:
        inFlight(id).outputGradient = std::move(pending.transfer.packed);
        break;
    case Kind::ReplicaReduce:
        unpackReplicatedHeads(m_state, id.chunk().value, pending.transfer);
        break;
    case Kind::NormReduce:
    case Kind::LossReduce:
    case Kind::Forward:
    case Kind::Backward:
    case Kind::BackwardInput:
    case Kind::BackwardWeight:
    case Kind::SendActivation:
    case Kind::SendGradient:
    case Kind::Wait:
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::OptimizerStep:
    case Kind::TensorCollective:
        break;
    }
}

Executor::InFlight& Executor::inFlight(InstructionId id)
{
    return m_inFlight[std::size_t(id.chunk().value * m_state.feed.microbatches() +
                                  id.microbatch().value)];
}

Executor::InFlight* Executor::neighbour(InstructionId id, int distance)
{
    const ChunkContent& here = chunk(id).content;
    for (std::size_t i = 0; i < m_state.chunks.size(); ++i) {
        const ChunkContent& other = m_state.chunks[i].content;
        if (other.replica == here.replica && other.virtualStage == here.virtualStage + distance)
            return &inFlight(InstructionId(id.kind(), Chunk(int(i)), id.microbatch()));
    }
    return nullptr;
}

const ChunkLayers& Executor::chunk(InstructionId id) const
{
    return m_state.chunks[std::size_t(id.chunk().value)];
}

float Executor::lossFactor() const
{
    const double tokens = double(m_state.shape().rows()) * m_state.feed.microbatches();
    return float(1.0 / (tokens * m_state.plan.layout.dp));
}

} // namespace triaxis::train

#include "engine/train/pacer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sys/prctl.h>
#include <thread>

namespace triaxis::train
{
namespace
{

/// Longest time between two looks at the messages while a slot passes.
constexpr double lookInterval = 0.2e-3;
/// A sleep ends some time after its end was due; so much before a deadline the rank stays awake instead.
constexpr double wakeUpMargin = 60e-6;
constexpr unsigned long timerSlackNanoseconds = 1000;
/// Time from the agreement to the first slot, for the slowest rank to hear of it.
constexpr double headStart = 5e-3;

std::string milliseconds(double seconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%d.%d ms", int(seconds * 1e4) / 10, int(seconds * 1e4) % 10);
    return text;
}

} // namespace

Pacer::Pacer(RankState& state, StepRecorder& recorder)
    : m_state(state), m_recorder(recorder), m_pace(state.plan.execution.pace)
{
    prctl(PR_SET_TIMERSLACK, timerSlackNanoseconds);
    double start = state.world.now() + headStart;
    const auto request =
        state.groups.everyone->allReduce(&start, 1, kernels::Reduction::Maximum);
    state.world.wait(*request);
    m_end = start;
}

double Pacer::tensorSeconds(const Instruction& instruction) const
{
    const int members = m_state.plan.layout.tp;
    const Kind kind = instruction.id.kind();
    if (members < 2 || kind == Kind::BackwardWeight || kind == Kind::OptimizerStep)
        return 0;
    const ChunkContent& content =
        m_state.stage().chunks[std::size_t(instruction.id.chunk().value)];
    const double rows = double(m_state.shape().rows());
    const double activation = rows * m_state.plan.model.hidden * sizeof(float);
    double seconds = 2 * content.layerCount * ringSeconds(m_pace.tensor, activation, members);
    const bool forward = kind == Kind::Forward;
    if (forward && content.embedding)
        seconds += ringSeconds(m_pace.tensor, activation, members);
    if (content.head) // forward: the largest logits, then sums and targets; backward: the gradient
        seconds += forward ? ringSeconds(m_pace.tensor, rows * sizeof(float), members) +
                                 ringSeconds(m_pace.tensor, 2 * rows * sizeof(float), members)
                           : ringSeconds(m_pace.tensor, activation, members);
    return seconds;
}

double Pacer::duration(const Instruction& instruction) const
{
    const ChunkContent& content =
        m_state.stage().chunks[std::size_t(instruction.id.chunk().value)];
    return slotSeconds(m_pace, m_state.plan.layout, instruction.id.kind(), content.virtualStage);
}

void Pacer::waitUntil(double time)
{
    for (;;) {
        const double left = time - m_state.world.now();
        if (left <= 0)
            return;
        if (left > wakeUpMargin)
            std::this_thread::sleep_for(
                std::chrono::duration<double>(std::min(left - wakeUpMargin, lookInterval)));
        else
            std::this_thread::yield();
        m_state.world.progress();
    }
}

Pacer::Slot Pacer::open(const Instruction& instruction)
{
    Slot slot;
    slot.tensor = tensorSeconds(instruction);
    slot.begin = std::max(m_end, m_inputs);
    slot.end = slot.begin + duration(instruction) + slot.tensor;
    waitUntil(slot.begin);
    return slot;
}

Pacer::Taken Pacer::close(const Instruction& instruction, const Slot& slot, double workBegin)
{
    const double done = m_state.world.now();
    SlotSample sample;
    sample.id = instruction.id;
    sample.begin = slot.begin;
    sample.end = slot.end;
    sample.work = done - workBegin;
    sample.late = std::max(0.0, done - slot.end);
    m_recorder.slot(sample);

    // An update without a slot of its own counts as nothing; the rank catches up with it.
    const bool counts = instruction.id.kind() != Kind::OptimizerStep || m_pace.optimizer > 0;
    m_slots += counts ? 1 : 0;
    m_mostLate = std::max(m_mostLate, counts ? sample.late : 0.0);
    if (counts && sample.work > slot.end - slot.begin) {
        ++m_short;
        if (sample.work - (slot.end - slot.begin) > m_worstWork - m_worstSlot) {
            m_worst = instruction.id;
            m_worstWork = sample.work;
            m_worstSlot = slot.end - slot.begin;
        }
    }
    m_end = slot.end;
    const Taken taken{std::max(slot.begin, m_taken), std::max(done, slot.end)};
    m_taken = taken.end;
    return taken;
}

double Pacer::departure(const Instruction& send)
{
    double& free = m_laneFree[std::size_t(send.lane)];
    free = std::max(free, m_end) + m_pace.pipeline.seconds(double(send.bytes)) -
           m_pace.pipeline.latency;
    m_departed[send.id] = free;
    return free + m_pace.pipeline.latency;
}

void Pacer::arrived(double arrival)
{
    m_inputs = std::max(m_inputs, arrival);
    waitUntil(arrival);
}

void Pacer::departed(const Instruction& send)
{
    const auto left = m_departed.find(send.id);
    if (left == m_departed.end())
        return;
    m_end = std::max(m_end, left->second);
    m_departed.erase(left);
}

void Pacer::reduced(const Instruction& collective, double enqueued, std::int64_t bytes, int members)
{
    const PacedLink& link =
        collective.id.kind() == Kind::ReplicaReduce ? m_pace.tensor : m_pace.data;
    double& free = m_laneFree[std::size_t(collective.lane)];
    free = std::max(free, enqueued) + ringSeconds(link, double(bytes), members);
    m_end = std::max(m_end, free);
    waitUntil(free);
}

std::string Pacer::complaint() const
{
    if (m_short == 0)
        return {};
    return "the real work took longer than its slot " + std::to_string(m_short) + " times of " +
           std::to_string(m_slots) + ", most for the " + toText(m_worst) + ": " +
           milliseconds(m_worstWork) + " in a slot of " + milliseconds(m_worstSlot) +
           "; the rank was up to " + milliseconds(m_mostLate) + " late";
}

} // namespace triaxis::train

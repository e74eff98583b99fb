#include "engine/cost/rank_clock.h"

#include <algorithm>

namespace triaxis
{

double RankClock::tensorSeconds(const Instruction& instruction, const ChunkContent& content) const
{
    const int members = m_plan->layout.tp;
    const Kind kind = instruction.id.kind();
    if (members < 2 || kind == Kind::BackwardWeight || kind == Kind::OptimizerStep)
        return 0;
    const PacedLink& link = m_plan->execution.pace.tensor;
    const BatchShape& batch = m_plan->training.batch;
    const double rows = double(batch.microbatch) * batch.sequence;
    const double whole = ringSeconds(link, rows * m_plan->model.hidden * sizeof(float), members);
    const double row = ringSeconds(link, rows * sizeof(float), members);
    const double pair = ringSeconds(link, 2 * rows * sizeof(float), members);
    const bool forward = kind == Kind::Forward;
    double seconds = 2 * content.layerCount * whole;
    if (forward && content.embedding)
        seconds += whole;
    if (content.head)
        seconds += forward ? row + pair : whole;
    return seconds;
}

double RankClock::open(const Instruction& instruction, const StageProgram& stage)
{
    if (!paced())
        return 0;
    const ChunkContent& content = stage.chunks.at(std::size_t(instruction.id.chunk().value));
    const double begin = std::max(m_end, m_inputs);
    m_tensor = tensorSeconds(instruction, content);
    m_slotEnd = begin +
                slotSeconds(m_plan->execution.pace, m_plan->layout, instruction.id.kind(),
                            content.virtualStage) +
                m_tensor;
    return begin;
}

double RankClock::depart(const Instruction& send)
{
    if (!paced())
        return 0;
    const PacedLink& link = m_plan->execution.pace.pipeline;
    double& free = m_laneFree[std::size_t(send.lane)];
    free = std::max(free, m_end) + link.seconds(double(send.bytes)) - link.latency;
    m_departed[send.id] = free;
    return free + link.latency;
}

void RankClock::departed(const Instruction& send)
{
    const auto left = m_departed.find(send.id);
    if (left == m_departed.end())
        return;
    m_end = std::max(m_end, left->second);
    m_departed.erase(left);
}

double RankClock::arrived(double arrival)
{
    m_inputs = std::max(m_inputs, arrival);
    return arrival;
}

double RankClock::reduced(const Instruction& collective, double offered, int members)
{
    if (!paced())
        return 0;
    const PacePlan& pace = m_plan->execution.pace;
    const PacedLink& link = collective.id.kind() == Kind::ReplicaReduce ? pace.tensor : pace.data;
    double& free = m_laneFree[std::size_t(collective.lane)];
    free = std::max(free, offered) + ringSeconds(link, double(collective.bytes), members);
    m_end = std::max(m_end, free);
    return free;
}

} // namespace triaxis

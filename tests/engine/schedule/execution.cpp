#include "execution.h"

#include <algorithm>

namespace triaxis::tests::interpreter
{

Execution::Execution(const Program& program, std::uint64_t seed)
    : m_program(program), m_workers(program.stages), m_random(seed)
{
    for (int stage = 0; stage < program.stages; ++stage)
        for (int chunk = 0; chunk < program.chunks; ++chunk) {
            const ChunkContent& held = program.perStage[stage].chunks[chunk];
            m_home[{held.virtualStage, held.replica}] = {stage, chunk};
            m_last = std::max(m_last, held.virtualStage);
        }
}

void Execution::run()
{
    for (;;) {
        std::vector<std::pair<int, int>> events; // (stage, lane), lane −1: the stage issues
        for (int stage = 0; stage < m_program.stages; ++stage) {
            if (canIssue(stage))
                events.emplace_back(stage, -1);
            for (const auto& [lane, queue] : m_workers[stage].lanes)
                if (!queue.empty() && canMeet(stage, *queue.front()))
                    events.emplace_back(stage, lane);
        }
        if (events.empty())
            break;
        const auto [stage, lane] = events[m_random() % events.size()];
        if (lane < 0)
            issue(stage, m_program.perStage[stage].instructions[m_workers[stage].next++]);
        else
            meet(stage, *m_workers[stage].lanes[lane].front());
    }
    for (int stage = 0; stage < m_program.stages; ++stage)
        finish(stage);
    demandCoverage();
}

const ChunkContent& Execution::held(int stage, int chunk) const
{
    return m_program.perStage[stage].chunks[chunk];
}

bool Execution::canIssue(int stage)
{
    Worker& worker = m_workers[stage];
    const auto& list = m_program.perStage[stage].instructions;
    if (worker.next >= list.size())
        return false;
    const Instruction& instruction = list[worker.next];
    if (instruction.id.kind() != Kind::Wait)
        return true;
    const auto target = worker.operations.find(instruction.target.packed);
    return target == worker.operations.end() || target->second.finished;
}

Operation* Execution::frontTowards(int stage, int peer, Operation::Type type)
{
    for (auto& [lane, queue] : m_workers[stage].lanes)
        if (!queue.empty() && queue.front()->type == type && queue.front()->peer == peer)
            return queue.front();
    return nullptr;
}

Operation* Execution::frontOf(int stage, const std::string& meeting)
{
    for (auto& [lane, queue] : m_workers[stage].lanes)
        if (!queue.empty() && queue.front()->meeting == meeting)
            return queue.front();
    return nullptr;
}

bool Execution::canMeet(int stage, const Operation& operation)
{
    if (operation.type == Operation::Type::Put)
        return frontTowards(operation.peer, stage, Operation::Type::Take) != nullptr;
    if (operation.type == Operation::Type::Take)
        return frontTowards(operation.peer, stage, Operation::Type::Put) != nullptr;
    return std::all_of(operation.members.begin(), operation.members.end(),
                       [&](int member) { return frontOf(member, operation.meeting) != nullptr; });
}

void Execution::meet(int stage, Operation& operation)
{
    if (operation.type == Operation::Type::Join) {
        for (const int member : operation.members) {
            Operation* there = frontOf(member, operation.meeting);
            demand(there->bytes == operation.bytes, "a sum over different sizes");
            release(member, *there);
        }
        return;
    }
    const auto opposite =
        operation.type == Operation::Type::Put ? Operation::Type::Take : Operation::Type::Put;
    Operation* there = frontTowards(operation.peer, stage, opposite);
    demand(there->tensor == operation.tensor, "a receive got another tensor");
    demand(there->bytes == operation.bytes, "a receive got another size");
    demand(there->other == operation.id && operation.other == there->id,
           "two ends that do not name each other");
    const int peer = operation.peer;
    release(stage, operation);
    release(peer, *there);
}

void Execution::release(int stage, Operation& operation)
{
    operation.finished = true;
    for (auto& [lane, queue] : m_workers[stage].lanes)
        if (!queue.empty() && queue.front() == &operation)
            queue.pop_front();
}

void Execution::finish(int stage)
{
    Worker& worker = m_workers[stage];
    demand(worker.next == m_program.perStage[stage].instructions.size(),
           "nothing more can happen, and the step is not done");
    demand(worker.lastFuse == 0 || worker.fuseLength > 1, "a group of one");
    endPair(worker);
    for (const auto& [id, operation] : worker.operations)
        demand(operation.waited, "something was never waited for");
    demand(worker.updated && worker.normKnown && worker.lossGiven, "the step has no end");
    demand(m_program.replicas == 1 || int(worker.buckets.size()) == m_program.chunks,
           "twins drift apart: their gradients were not summed");
    for (const auto& [chunk, parts] : worker.buckets)
        demand(*parts.rbegin() == int(parts.size()) - 1, "a bucket is missing");
}

void Execution::demandCoverage()
{
    for (int m = 0; m < m_program.microbatches; ++m) {
        demand(m_ran[m].size() == 1, "a microbatch runs on no replica or on several");
        for (int v = 0; v <= m_last; ++v)
            demand(m_trained.count({v, *m_ran[m].begin(), m}) > 0,
                   "a microbatch was not trained on everywhere");
    }
}

} // namespace triaxis::tests::interpreter

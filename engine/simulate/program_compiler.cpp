#include "engine/simulate/program_compiler.h"

#include "engine/core/error.h"

#include <algorithm>
#include <string>

namespace triaxis
{
namespace
{

constexpr int none = -1;

[[noreturn]] void refuse(const Program& program, int stage, const std::string& what)
{
    throw Error("cannot replay the program \"" + program.schedule + "\"",
                "stage " + std::to_string(stage) + ": " + what,
                "use a program that the verifier accepts");
}

/// Where the columns of a layout see one and the same collective: kind, place in the model, part.
std::tuple<int, int, int> meetingOf(const StageProgram& stage, InstructionId id)
{
    const auto chunk = std::size_t(id.chunk().value);
    switch (id.kind()) {
    case Kind::GradientReduce:
        return {int(id.kind()), stage.chunks[chunk].virtualStage, id.part()};
    case Kind::ReplicaReduce:
        return {int(id.kind()), stage.stage.value, id.chunk().value};
    default:
        return {int(id.kind()), 0, id.part()};
    }
}

} // namespace

ProgramCompiler::ProgramCompiler(const Program& program, CompiledProgram& compiled)
    : m_program(program), m_compiled(compiled), m_stages(std::size_t(program.stages)),
      m_computeAt(std::size_t(program.stages), 0), m_computesOf(std::size_t(program.stages)),
      m_queued(std::size_t(program.stages), true)
{
}

/// Sends and receives, then chunk, then microbatch.
std::size_t ProgramCompiler::transferIndex(InstructionId id) const
{
    const auto kind = std::size_t(int(id.kind()) - int(Kind::SendActivation));
    return (kind * std::size_t(m_program.chunks) + std::size_t(id.chunk().value)) *
               std::size_t(m_program.microbatches) +
           std::size_t(id.microbatch().value);
}

void ProgramCompiler::addCompute(StageState& state, int stage, const Instruction& instruction)
{
    ComputeItem item;
    item.stage = stage;
    item.id = instruction.id;
    item.flops = instruction.flops;
    const auto index = int(m_compiled.m_computes.size());
    if (instruction.id.kind() == Kind::OptimizerStep) {
        m_compiled.m_optimizers[std::size_t(stage)] = index;
    } else {
        const auto& chunks = m_program.perStage[std::size_t(stage)].chunks;
        item.position = chunks[std::size_t(instruction.id.chunk().value)].virtualStage;
        if (instruction.pair != 0 && state.pairForward != none) {
            item.partner = state.pairForward;
            m_compiled.m_computes[std::size_t(state.pairForward)].partner = index;
            state.pairForward = none;
        } else if (instruction.pair != 0) {
            state.pairForward = index;
        }
    }
    m_compiled.m_computes.push_back(item);
    m_computesOf[std::size_t(stage)].push_back(index);
}

/// A send makes the item; its receive is noted beside it. Both are found by the other's id.
void ProgramCompiler::addTransfer(int stage, const Instruction& instruction)
{
    if (!isSend(instruction.id.kind()))
        return;
    const int to = instruction.peer.value;
    if (to < 0 || to >= m_program.stages)
        refuse(m_program, stage, toText(instruction.id) + " goes to no stage");
    TransferItem item;
    item.from = stage;
    item.to = to;
    item.send = instruction.id;
    item.receive = instruction.counterpart;
    item.sendLane = instruction.lane;
    item.bytes = instruction.bytes;
    const auto index = int(m_compiled.m_transfers.size());
    m_stages[std::size_t(stage)].transferOf[transferIndex(item.send)] = index;
    m_stages[std::size_t(to)].transferOf[transferIndex(item.receive)] = index;
    m_compiled.m_transfers.push_back(item);
}

void ProgramCompiler::addCollective(int stage, const Instruction& instruction)
{
    const auto key = meetingOf(m_program.perStage[std::size_t(stage)], instruction.id);
    const auto [found, isNew] =
        m_collectiveOf.try_emplace(key, int(m_compiled.m_collectives.size()));
    if (isNew) {
        m_compiled.m_collectives.emplace_back();
        m_compiled.m_collectives.back().kind = instruction.id.kind();
        m_compiled.m_collectives.back().bytes = instruction.bytes;
    }
    CollectiveItem& item = m_compiled.m_collectives[std::size_t(found->second)];
    item.members.push_back({stage, instruction.id, instruction.lane});
}

void ProgramCompiler::collectItems()
{
    const std::size_t transferIds =
        4 * std::size_t(m_program.chunks) * std::size_t(m_program.microbatches);
    for (StageState& state : m_stages)
        state.transferOf.assign(transferIds, none);
    m_compiled.m_optimizers.assign(m_stages.size(), none);
    for (int stage = 0; stage < m_program.stages; ++stage) {
        StageState& state = m_stages[std::size_t(stage)];
        for (const Instruction& instruction : m_program.perStage[std::size_t(stage)].instructions) {
            const Kind kind = instruction.id.kind();
            if (isCompute(kind))
                addCompute(state, stage, instruction);
            else if (isSend(kind) || isReceive(kind))
                addTransfer(stage, instruction);
            else if (isCollective(kind))
                addCollective(stage, instruction);
        }
    }
    int slots = 0;
    for (std::size_t c = 0; c < m_compiled.m_collectives.size(); ++c) {
        CollectiveItem& item = m_compiled.m_collectives[c];
        item.firstSlot = slots;
        for (const CollectiveItem::Member& member : item.members) {
            m_stages[std::size_t(member.stage)].slots.push_back(slots++);
            m_slotCollective.push_back(int(c));
            m_slotStage.push_back(member.stage);
        }
    }
    m_compiled.m_slots = slots;
    m_slotEnqueued.assign(std::size_t(slots), false);
    m_enqueued.assign(m_compiled.m_transfers.size(), {false, false});
    m_moved.assign(m_compiled.m_transfers.size(), false);
    m_met.assign(m_compiled.m_collectives.size(), false);
}

int ProgramCompiler::slotOf(const StageState& state, InstructionId id) const
{
    for (const int slot : state.slots) {
        const CollectiveItem& item =
            m_compiled.m_collectives[std::size_t(m_slotCollective[std::size_t(slot)])];
        if (item.members[std::size_t(slot - item.firstSlot)].id == id)
            return slot;
    }
    return none;
}

void ProgramCompiler::emit(OpKind kind, int stage, int item, bool tail)
{
    (tail ? m_compiled.m_tail : m_compiled.m_pipeline)
        .push_back({kind, std::int32_t(stage), std::int32_t(item)});
}

void ProgramCompiler::enqueue(int stage, const Instruction& instruction)
{
    StageState& state = m_stages[std::size_t(stage)];
    const Kind kind = instruction.id.kind();
    std::deque<Queued>& lane = state.lanes[std::size_t(instruction.lane)];
    if (isCollective(kind)) {
        const int slot = slotOf(state, instruction.id);
        emit(OpKind::Enqueue, stage, slot, state.inTail);
        m_slotEnqueued[std::size_t(slot)] = true;
        lane.push_back({false, slot});
    } else {
        const int item = state.transferOf[transferIndex(instruction.id)];
        if (item == none || state.inTail)
            refuse(m_program, stage, toText(instruction.id) + " has no partner");
        const bool send = isSend(kind);
        if (!send)
            m_compiled.m_transfers[std::size_t(item)].receiveLane = instruction.lane;
        emit(send ? OpKind::Send : OpKind::Receive, stage, item, false);
        m_enqueued[std::size_t(item)][send ? 0 : 1] = true;
        lane.push_back({true, item});
    }
    settle(stage, instruction.lane);
}

/// Lets happen what stands at the head of a lane, as long as it can.
void ProgramCompiler::settle(int stage, Lane lane)
{
    const std::deque<Queued>& queue = m_stages[std::size_t(stage)].lanes[std::size_t(lane)];
    while (!queue.empty()) {
        const Queued head = queue.front();
        if (!(head.transfer ? settleTransfer(head.item)
                            : settleCollective(m_slotCollective[std::size_t(head.item)])))
            return;
    }
}

bool ProgramCompiler::settleTransfer(int index)
{
    const auto i = std::size_t(index);
    const TransferItem& item = m_compiled.m_transfers[i];
    if (!m_enqueued[i][0] || !m_enqueued[i][1])
        return false;
    auto& send = m_stages[std::size_t(item.from)].lanes[std::size_t(item.sendLane)];
    auto& receive = m_stages[std::size_t(item.to)].lanes[std::size_t(item.receiveLane)];
    if (send.front().item != index || receive.front().item != index)
        return false;
    emit(OpKind::Move, item.from, index, false);
    m_moved[i] = true;
    send.pop_front();
    receive.pop_front();
    for (const int stage : {item.from, item.to})
        if (!m_queued[std::size_t(stage)]) {
            m_queued[std::size_t(stage)] = true;
            m_ready.push_back(stage);
        }
    settle(item.from, item.sendLane);
    settle(item.to, item.receiveLane);
    return true;
}

bool ProgramCompiler::settleCollective(int index)
{
    const CollectiveItem& item = m_compiled.m_collectives[std::size_t(index)];
    for (std::size_t m = 0; m < item.members.size(); ++m) {
        const CollectiveItem::Member& member = item.members[m];
        const auto& queue = m_stages[std::size_t(member.stage)].lanes[std::size_t(member.lane)];
        const int slot = item.firstSlot + int(m);
        if (!m_slotEnqueued[std::size_t(slot)] || queue.front().transfer ||
            queue.front().item != slot)
            return false;
    }
    emit(OpKind::Meet, item.members.front().stage, index, true);
    m_met[std::size_t(index)] = true;
    for (const CollectiveItem::Member& member : item.members) {
        m_stages[std::size_t(member.stage)].lanes[std::size_t(member.lane)].pop_front();
        if (!m_queued[std::size_t(member.stage)]) {
            m_queued[std::size_t(member.stage)] = true;
            m_ready.push_back(member.stage);
        }
    }
    for (const CollectiveItem::Member& member : item.members)
        settle(member.stage, member.lane);
    return true;
}

bool ProgramCompiler::issueWait(int stage, const Instruction& wait)
{
    StageState& state = m_stages[std::size_t(stage)];
    const Kind kind = wait.target.kind();
    if (isCollective(kind)) {
        const int slot = slotOf(state, wait.target);
        if (slot == none)
            refuse(m_program, stage, "it waits for a collective that it never joins");
        state.inTail = true;
        const int item = m_slotCollective[std::size_t(slot)];
        if (!m_met[std::size_t(item)])
            return false;
        emit(OpKind::WaitForCollective, stage, item, true);
        return true;
    }
    const int item = state.transferOf[transferIndex(wait.target)];
    if (item == none || state.inTail)
        refuse(m_program, stage, "it waits for the " + toText(wait.target) + " that it never has");
    if (!m_moved[std::size_t(item)])
        return false;
    emit(isSend(kind) ? OpKind::WaitForSend : OpKind::WaitForReceive, stage, item, false);
    return true;
}

bool ProgramCompiler::issueNext(int stage)
{
    StageState& state = m_stages[std::size_t(stage)];
    const auto& list = m_program.perStage[std::size_t(stage)].instructions;
    if (state.next == list.size())
        return false;
    const Instruction& instruction = list[state.next];
    const Kind kind = instruction.id.kind();
    if (kind == Kind::Wait) {
        if (!issueWait(stage, instruction))
            return false;
    } else if (kind == Kind::OptimizerStep) {
        state.inTail = true;
        emit(OpKind::Update, stage, stage, true);
        ++m_computeAt[std::size_t(stage)];
    } else if (isCompute(kind)) {
        if (state.inTail)
            refuse(m_program, stage, toText(instruction.id) + " stands behind the tail");
        const int index =
            m_computesOf[std::size_t(stage)][std::size_t(m_computeAt[std::size_t(stage)]++)];
        const int partner = m_compiled.m_computes[std::size_t(index)].partner;
        if (partner == none || partner < index)
            emit(OpKind::Compute, stage, index, false);
    } else {
        enqueue(stage, instruction);
    }
    ++state.next;
    return true;
}

void ProgramCompiler::run()
{
    m_compiled.m_stages = m_program.stages;
    collectItems();
    for (int stage = 0; stage < m_program.stages; ++stage)
        m_ready.push_back(stage);
    while (!m_ready.empty()) {
        const int stage = m_ready.front();
        m_ready.pop_front();
        m_queued[std::size_t(stage)] = false;
        while (issueNext(stage)) {
        }
    }
    for (int stage = 0; stage < m_program.stages; ++stage) {
        const StageState& state = m_stages[std::size_t(stage)];
        const auto& list = m_program.perStage[std::size_t(stage)].instructions;
        if (state.next != list.size())
            refuse(m_program, stage, "it gets stuck at: " + toText(list[state.next]));
    }
}

} // namespace triaxis

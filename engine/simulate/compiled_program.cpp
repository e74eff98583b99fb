#include "engine/simulate/compiled_program.h"

#include "engine/core/error.h"
#include "engine/simulate/program_compiler.h"

#include <algorithm>
#include <limits>
#include <string>

namespace triaxis
{
namespace
{

void checkSize(const std::vector<double>& table, std::size_t wanted, const char* name)
{
    if (table.size() != wanted)
        throw Error("cannot replay the program",
                    std::to_string(table.size()) + " times of " + name + " for " +
                        std::to_string(wanted),
                    "give one for each and column");
}

} // namespace

CompiledProgram::CompiledProgram(const Program& program)
{
    ProgramCompiler(program, *this).run();
}

void CompiledProgram::replayPipeline(const PipelineDurations& durations, TransferRule rule,
                                     PipelineTimes& times) const
{
    const auto width = std::size_t(std::max(1, durations.width));
    checkSize(durations.compute, m_computes.size() * width, "compute instructions");
    checkSize(durations.transfer, m_transfers.size() * width, "transfers");
    if (!durations.enqueue.empty())
        checkSize(durations.enqueue, std::size_t(m_slots) * width, "enqueued collectives");
    times.width = durations.width;
    for (std::vector<double>* table : {&times.computeBegin, &times.computeEnd})
        table->resize(m_computes.size() * width);
    for (std::vector<double>* table : {&times.sendReady, &times.receivePosted, &times.waitBegin,
                                       &times.transferBegin, &times.transferEnd})
        table->resize(m_transfers.size() * width);
    times.slotReady.resize(std::size_t(m_slots) * width);
    times.thread.assign(std::size_t(m_stages) * width, 0);
    times.lanes.assign(std::size_t(m_stages) * replayLanes * width, 0);
    if (rule == TransferRule::Free)
        replay<TransferRule::Free>(durations, times);
    else
        replay<TransferRule::Rendezvous>(durations, times);
}

template <TransferRule rule>
void CompiledProgram::replay(const PipelineDurations& durations, PipelineTimes& times) const
{
    constexpr bool rendezvous = rule == TransferRule::Rendezvous;
    const auto width = std::size_t(times.width);
    const double* seconds = durations.compute.data();
    for (const Op& op : m_pipeline) {
        double* const thread = times.thread.data() + std::size_t(op.stage) * width;
        const std::size_t at = std::size_t(op.item) * width;
        switch (op.kind) {
        case OpKind::Compute: {
            const int partner = m_computes[std::size_t(op.item)].partner;
            for (std::size_t w = 0; w < width; ++w) {
                double taken = seconds[at + w];
                if (partner >= 0) {
                    const std::size_t other = std::size_t(partner) * width + w;
                    const double less = std::min(taken, seconds[other]);
                    taken = seconds[other] + taken - durations.overlapGain * less;
                    times.computeBegin[other] = thread[w];
                    times.computeEnd[other] = thread[w] + taken;
                }
                times.computeBegin[at + w] = thread[w];
                times.computeEnd[at + w] = thread[w] += taken;
            }
            break;
        }
        case OpKind::Send:
            std::copy_n(thread, width, times.sendReady.data() + at);
            break;
        case OpKind::Receive:
            std::copy_n(thread, width, times.receivePosted.data() + at);
            break;
        case OpKind::Move: {
            const TransferItem& item = m_transfers[std::size_t(op.item)];
            double* const send =
                times.lanes.data() +
                (std::size_t(item.from) * replayLanes + std::size_t(item.sendLane)) * width;
            double* const receive =
                times.lanes.data() +
                (std::size_t(item.to) * replayLanes + std::size_t(item.receiveLane)) * width;
            for (std::size_t w = 0; w < width; ++w) {
                double begin = times.sendReady[at + w];
                if (rendezvous)
                    begin = std::max(std::max(begin, times.receivePosted[at + w]),
                                     std::max(send[w], receive[w]));
                times.transferBegin[at + w] = begin;
                times.transferEnd[at + w] = begin + durations.transfer[at + w];
                if (rendezvous)
                    send[w] = receive[w] = times.transferEnd[at + w];
            }
            break;
        }
        case OpKind::WaitForSend:
            if (rendezvous)
                for (std::size_t w = 0; w < width; ++w)
                    thread[w] = std::max(thread[w], times.transferEnd[at + w]);
            break;
        case OpKind::WaitForReceive:
            for (std::size_t w = 0; w < width; ++w) {
                times.waitBegin[at + w] = thread[w];
                thread[w] = std::max(thread[w], times.transferEnd[at + w]);
            }
            break;
        case OpKind::Enqueue:
            for (std::size_t w = 0; w < width && !durations.enqueue.empty(); ++w)
                thread[w] += durations.enqueue[at + w];
            std::copy_n(thread, width, times.slotReady.data() + at);
            break;
        case OpKind::Meet:
        case OpKind::WaitForCollective:
        case OpKind::Update:
            break;
        }
    }
}

/// The columns that a collective joins, one group after the other, as first column, distance and
/// number of them.
struct ColumnGroups
{
    std::size_t groups = 1, firstStride = 1, memberStride = 1, members = 1;
};

static ColumnGroups groupsOf(Kind kind, const ColumnShape& columns)
{
    const auto data = std::size_t(columns.data);
    const auto tensor = std::size_t(columns.tensor);
    switch (kind) {
    case Kind::GradientReduce:
        return {tensor, 1, tensor, data};
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
        return {data, tensor, 1, tensor};
    case Kind::LossReduce:
        return {1, 1, 1, data * tensor};
    default:
        return {data * tensor, 1, 1, 1};
    }
}

void CompiledProgram::meet(const CollectiveItem& item, std::size_t index,
                           const TailDurations& durations, const ColumnShape& columns,
                           std::vector<double>& laneFree, TailTimes& times) const
{
    const auto count = std::size_t(columns.count());
    const ColumnGroups groups = groupsOf(item.kind, columns);
    for (std::size_t group = 0; group < groups.groups; ++group) {
        double begin = 0;
        double seconds = 0;
        double first = std::numeric_limits<double>::infinity();
        const auto each = [&](auto&& visit) {
            for (std::size_t m = 0; m < groups.members; ++m)
                visit(group * groups.firstStride + m * groups.memberStride);
        };
        each([&](std::size_t column) {
            seconds = std::max(seconds, durations.collective[index * count + column]);
            for (std::size_t m = 0; m < item.members.size(); ++m) {
                const CollectiveItem::Member& member = item.members[m];
                const std::size_t lane =
                    std::size_t(member.stage) * replayLanes + std::size_t(member.lane);
                const std::size_t slot = std::size_t(item.firstSlot) + m;
                begin = std::max(begin, std::max(times.slotReady[slot * count + column],
                                                 laneFree[lane * count + column]));
                if (!durations.member.empty())
                    first = std::min(first, durations.member[slot * count + column]);
            }
        });
        each([&](std::size_t column) {
            times.collectiveBegin[index * count + column] = begin;
            times.collectiveEnd[index * count + column] = begin + seconds;
            for (const CollectiveItem::Member& member : item.members) {
                const std::size_t lane =
                    std::size_t(member.stage) * replayLanes + std::size_t(member.lane);
                // Once one member has gone on, all have met: the others learn of it later.
                laneFree[lane * count + column] = begin + std::min(first, seconds);
            }
        });
    }
}

std::size_t CompiledProgram::slotOf(int stage, int collective) const
{
    const CollectiveItem& item = m_collectives[std::size_t(collective)];
    for (std::size_t m = 0; m < item.members.size(); ++m)
        if (item.members[m].stage == stage)
            return std::size_t(item.firstSlot) + m;
    return std::size_t(item.firstSlot);
}

TailTimes CompiledProgram::replayTail(const TailDurations& durations, const ColumnShape& columns,
                                      std::vector<double> thread,
                                      std::vector<double> slotReady) const
{
    const auto count = std::size_t(columns.count());
    const auto stages = std::size_t(m_stages);
    checkSize(durations.collective, m_collectives.size() * count, "collectives");
    checkSize(durations.optimizer, stages * count, "the update");
    if (!durations.enqueue.empty())
        checkSize(durations.enqueue, std::size_t(m_slots) * count, "enqueued collectives");
    if (!durations.member.empty())
        checkSize(durations.member, std::size_t(m_slots) * count, "members of collectives");
    checkSize(thread, stages * count, "the stages");
    checkSize(slotReady, std::size_t(m_slots) * count, "collectives of a stage");
    TailTimes times;
    times.slotReady = std::move(slotReady);
    times.collectiveBegin.resize(m_collectives.size() * count);
    times.collectiveEnd.resize(m_collectives.size() * count);
    times.optimizerBegin.assign(stages * count, 0);
    times.optimizerEnd.assign(stages * count, 0);
    std::vector<double> laneFree(stages * replayLanes * count, 0);
    for (const Op& op : m_tail) {
        double* const at = thread.data() + std::size_t(op.stage) * count;
        const std::size_t item = std::size_t(op.item) * count;
        switch (op.kind) {
        case OpKind::Enqueue:
            for (std::size_t w = 0; w < count && !durations.enqueue.empty(); ++w)
                at[w] += durations.enqueue[item + w];
            std::copy_n(at, count, times.slotReady.data() + item);
            break;
        case OpKind::Meet:
            meet(m_collectives[std::size_t(op.item)], std::size_t(op.item), durations, columns,
                 laneFree, times);
            break;
        case OpKind::WaitForCollective: {
            const double* const member =
                durations.member.empty()
                    ? nullptr
                    : durations.member.data() + slotOf(op.stage, op.item) * count;
            for (std::size_t w = 0; w < count; ++w)
                at[w] = std::max(at[w], member ? times.collectiveBegin[item + w] + member[w]
                                               : times.collectiveEnd[item + w]);
            break;
        }
        case OpKind::Update:
            for (std::size_t w = 0; w < count; ++w) {
                times.optimizerBegin[item + w] = at[w];
                times.optimizerEnd[item + w] = at[w] += durations.optimizer[item + w];
            }
            break;
        case OpKind::Compute:
        case OpKind::Send:
        case OpKind::Receive:
        case OpKind::Move:
        case OpKind::WaitForSend:
        case OpKind::WaitForReceive:
            break;
        }
    }
    times.end = std::move(thread);
    return times;
}

} // namespace triaxis

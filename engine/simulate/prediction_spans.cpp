#include "engine/simulate/prediction_spans.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr std::int32_t predictedStep = 1;

/// Writes spans of one column, all times later by `offset`.
class SpanWriter
{
public:
    SpanWriter(const SimulatedPlan& plan, int column) : m_offset(plan.tail.overhead)
    {
        for (int stage = 0; stage < plan.compiled.stages(); ++stage)
            m_ranks.push_back(rankOf(plan.layout, {column * plan.lockstep, 0, stage}));
        m_spans.reserve(plan.compiled.computes().size() + 2 * plan.compiled.transfers().size() +
                        std::size_t(plan.compiled.slotCount()));
    }

    Span& add(int stage, InstructionId id, Lane lane, double ready, double begin, double end)
    {
        Span span;
        span.step = predictedStep;
        span.rank = m_ranks[std::size_t(stage)];
        span.id = id;
        span.lane = lane;
        span.ready = m_offset + ready;
        span.begin = m_offset + begin;
        span.end = m_offset + end;
        m_spans.push_back(span);
        return m_spans.back();
    }

    std::vector<Span> take() { return std::move(m_spans); }

private:
    double m_offset;
    std::vector<Rank> m_ranks;
    std::vector<Span> m_spans;
};

void addComputes(SpanWriter& writer, const SimulatedPlan& plan, const PipelineTimes& times,
                 const std::vector<double>& together, const std::vector<double>& own)
{
    const std::vector<ComputeItem>& computes = plan.compiled.computes();
    for (std::size_t i = 0; i < computes.size(); ++i) {
        const ComputeItem& item = computes[i];
        if (item.position < 0)
            continue;
        Span& span = writer.add(item.stage, item.id, Lane::Compute, times.computeBegin[i],
                                times.computeBegin[i], times.computeEnd[i]);
        span.flops = item.flops;
        const double seconds = times.computeEnd[i] - times.computeBegin[i];
        // An overlapped pair shares its time: its parts are told by their share of the sum.
        const double share = item.partner < 0 || together[i] == 0
                                 ? 1
                                 : seconds / (together[i] + together[std::size_t(item.partner)]);
        span.tensorWait = std::max(0.0, (together[i] - own[i]) * share);
        span.tensorTransfer = own[i] * share * plan.exposedShare[std::size_t(item.position)];
    }
}

/// A receive is ready when its consumer begins to wait; where it was over by then nobody waited
/// (the rule of SpanPairing).
void addTransfers(SpanWriter& writer, const SimulatedPlan& plan, const PipelineTimes& times)
{
    const std::vector<TransferItem>& transfers = plan.compiled.transfers();
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        const TransferItem& item = transfers[i];
        const double sent = times.sendReady[i];
        const double end = times.transferEnd[i];
        const bool early = end < times.waitBegin[i];
        const double waits = early ? sent : times.waitBegin[i];
        const double begin = std::clamp(std::max(sent, waits), sent, end);
        writer.add(item.from, item.send, item.sendLane, sent, begin, end).bytes = item.bytes;
        writer.add(item.to, item.receive, item.receiveLane, std::min(waits, begin), begin, end)
            .bytes = item.bytes;
    }
}

PipelineTimes columnOf(const PipelineTimes& all, std::size_t column)
{
    PipelineTimes one;
    const auto width = std::size_t(all.width);
    const auto take = [&](std::vector<double> PipelineTimes::*table) {
        const std::vector<double>& from = all.*table;
        for (std::size_t at = column; at < from.size(); at += width)
            (one.*table).push_back(from[at]);
    };
    for (auto table :
         {&PipelineTimes::computeBegin, &PipelineTimes::computeEnd, &PipelineTimes::sendReady,
          &PipelineTimes::receivePosted, &PipelineTimes::waitBegin, &PipelineTimes::transferBegin,
          &PipelineTimes::transferEnd, &PipelineTimes::slotReady, &PipelineTimes::thread})
        take(table);
    return one;
}

void addTail(SpanWriter& writer, const SimulatedPlan& plan, const TailTimes& tail, int columns,
             int column)
{
    const auto count = std::size_t(columns);
    const auto at = std::size_t(column);
    const std::vector<CollectiveItem>& collectives = plan.compiled.collectives();
    for (std::size_t c = 0; c < collectives.size(); ++c)
        for (std::size_t m = 0; m < collectives[c].members.size(); ++m) {
            const CollectiveItem::Member& member = collectives[c].members[m];
            const std::size_t slot = std::size_t(collectives[c].firstSlot) + m;
            writer
                .add(member.stage, member.id, member.lane, tail.slotReady[slot * count + at],
                     tail.collectiveBegin[c * count + at], tail.collectiveEnd[c * count + at])
                .bytes = collectives[c].bytes;
        }
    for (int stage = 0; stage < plan.compiled.stages(); ++stage) {
        const int item = plan.compiled.optimizers()[std::size_t(stage)];
        const std::size_t place = std::size_t(stage) * count + at;
        if (item >= 0)
            writer.add(stage, plan.compiled.computes()[std::size_t(item)].id, Lane::Compute,
                       tail.optimizerBegin[place], tail.optimizerBegin[place],
                       tail.optimizerEnd[place]);
    }
}

} // namespace

std::vector<Span> columnSpans(const SimulatedPlan& plan, const PredictionOptions& options,
                              const ColumnDurations& durations, const TailTimes& tail, int columns,
                              int column, const PipelineTimes& all)
{
    PipelineDurations together;
    PipelineTimes times;
    durations.fill(column, 1, together, nullptr);
    if (options.sharedLinks)
        times = columnOf(all, std::size_t(column));
    else
        plan.compiled.replayPipeline(together, options.transfers, times);
    SpanWriter writer(plan, column);
    addComputes(writer, plan, times, together.compute, durations.ownOfFirst(column));
    addTransfers(writer, plan, times);
    addTail(writer, plan, tail, columns, column);
    return writer.take();
}

} // namespace triaxis

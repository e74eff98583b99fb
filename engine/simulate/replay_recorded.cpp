#include "engine/simulate/replay_recorded.h"

#include "engine/core/error.h"
#include "engine/record/records.h"
#include "engine/timeline/steady_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <unordered_map>

namespace triaxis
{
namespace
{

/// Spans of a step by rank and instruction.
class StepSpans
{
public:
    StepSpans(const std::vector<Span>& spans, const Layout& layout)
        : m_layout(layout), m_byRank(std::size_t(layout.ranks()))
    {
        for (const Span& span : spans) {
            if (span.rank.value < 0 || span.rank.value >= layout.ranks() ||
                !std::isfinite(span.begin) || !std::isfinite(span.end))
                continue;
            m_byRank[std::size_t(span.rank.value)][span.id.packed] = &span;
            m_begin = std::min(m_begin, span.begin);
            m_end = std::max(m_end, span.end);
        }
    }

    double begin() const { return m_begin; }
    double end() const { return m_end; }

    const Span& at(int column, int stage, InstructionId id) const
    {
        const Coordinates where{column / m_layout.tp, column % m_layout.tp, stage};
        const Rank rank = rankOf(m_layout, where);
        const auto& spans = m_byRank[std::size_t(rank.value)];
        const auto found = spans.find(id.packed);
        if (found == spans.end())
            throw Error("cannot replay the step",
                        "rank " + std::to_string(rank.value) + " has no span of its " + toText(id),
                        "choose a step whose spans were kept whole");
        return *found->second;
    }

private:
    const Layout& m_layout;
    std::vector<std::unordered_map<std::uint64_t, const Span*>> m_byRank;
    double m_begin = std::numeric_limits<double>::infinity();
    double m_end = -std::numeric_limits<double>::infinity();
};

/// When the issuing thread of a rank was free for each of its instructions.
class FreeTimes
{
public:
    FreeTimes(const Program& program, const StepSpans& spans, int columns)
        : m_byStage(program.perStage.size())
    {
        for (std::size_t stage = 0; stage < m_byStage.size(); ++stage) {
            m_byStage[stage].resize(std::size_t(columns));
            for (int column = 0; column < columns; ++column)
                walk(program.perStage[stage].instructions, spans, column, int(stage));
        }
    }

    /// Once everything that it waits for or computes before it had ended, but for its sends, and no
    /// earlier than the step.
    double before(int column, int stage, InstructionId id) const
    {
        return of(column, stage, id).free;
    }
    /// The same once the sends that it waits for had ended, too: after this nothing of the program
    /// holds the rank up.
    double unhindered(int column, int stage, InstructionId id) const
    {
        return of(column, stage, id).unhindered;
    }

private:
    struct Times
    {
        double free = 0;
        double unhindered = 0;
    };

    const Times& of(int column, int stage, InstructionId id) const
    {
        return m_byStage[std::size_t(stage)][std::size_t(column)].at(id.packed);
    }

    void walk(const std::vector<Instruction>& instructions, const StepSpans& spans, int column,
              int stage)
    {
        auto& times = m_byStage[std::size_t(stage)][std::size_t(column)];
        Times now{spans.begin(), spans.begin()};
        const auto until = [&now](double time) {
            now.free = std::max(now.free, time);
            now.unhindered = std::max(now.unhindered, time);
        };
        for (const Instruction& instruction : instructions) {
            const InstructionId id = instruction.id;
            if (id.kind() != Kind::Wait)
                times[id.packed] = now;
            if (isCompute(id.kind()))
                until(spans.at(column, stage, id).end);
            else if (isCollective(id.kind()))
                until(spans.at(column, stage, id).ready);
            else if (id.kind() == Kind::Wait && isSend(instruction.target.kind()))
                // What a rank waits for its sends is in no duration.
                now.unhindered =
                    std::max(now.unhindered, spans.at(column, stage, instruction.target).end);
            else if (id.kind() == Kind::Wait)
                until(spans.at(column, stage, instruction.target).end);
        }
    }

    std::vector<std::vector<std::unordered_map<std::uint64_t, Times>>> m_byStage;
};

/// Of what a rank computes, with how long it was held up before it began although nothing of the
/// program kept it. In a paced run a slot may begin before what it needs has arrived: the rank
/// catches up within it. A rank that enters the step late does so in the replay, too.
double computeSeconds(const StepSpans& spans, const FreeTimes& freeTimes, int column, int stage,
                      InstructionId id)
{
    const Span& span = spans.at(column, stage, id);
    const double begin = std::max(freeTimes.before(column, stage, id),
                                  std::min(span.begin, freeTimes.unhindered(column, stage, id)));
    return std::max(0.0, span.end - begin);
}

/// [slot · columns + column] from when the rank was free until it had enqueued a collective.
std::vector<double> enqueueSeconds(const CompiledProgram& program, const StepSpans& spans,
                                   const FreeTimes& freeTimes, int columns)
{
    const auto count = std::size_t(columns);
    std::vector<double> seconds(std::size_t(program.slotCount()) * count, 0);
    for (const CollectiveItem& item : program.collectives())
        for (std::size_t m = 0; m < item.members.size(); ++m)
            for (int column = 0; column < columns; ++column) {
                const CollectiveItem::Member& member = item.members[m];
                const double free = freeTimes.before(column, member.stage, member.id);
                const double ready = spans.at(column, member.stage, member.id).ready;
                seconds[(std::size_t(item.firstSlot) + m) * count + std::size_t(column)] =
                    std::max(0.0, ready - free);
            }
    return seconds;
}

PipelineDurations pipelineDurations(const CompiledProgram& program, const StepSpans& spans,
                                    const FreeTimes& freeTimes, int columns)
{
    const auto width = std::size_t(columns);
    PipelineDurations durations;
    durations.width = columns;
    durations.compute.resize(program.computes().size() * width);
    durations.transfer.resize(program.transfers().size() * width);
    durations.enqueue = enqueueSeconds(program, spans, freeTimes, columns);
    for (int column = 0; column < columns; ++column) {
        for (std::size_t i = 0; i < program.computes().size(); ++i) {
            const ComputeItem& item = program.computes()[i];
            if (item.position < 0)
                continue;
            durations.compute[i * width + std::size_t(column)] =
                computeSeconds(spans, freeTimes, column, item.stage, item.id);
        }
        for (std::size_t i = 0; i < program.transfers().size(); ++i) {
            const TransferItem& item = program.transfers()[i];
            // From when its sender could have sent it until it has arrived: when its receive was
            // posted is in no span.
            const double sent = freeTimes.before(column, item.from, item.send);
            const double arrived = spans.at(column, item.to, item.receive).end;
            durations.transfer[i * width + std::size_t(column)] = std::max(0.0, arrived - sent);
        }
    }
    return durations;
}

/// Collectives of a rank's lane end one after the other, whatever was enqueued when: each lasts
/// from the end of the one before it, or from when the last member had enqueued it.
class CollectiveSeconds
{
public:
    CollectiveSeconds(const CompiledProgram& program, const StepSpans& spans, int columns)
    {
        std::vector<Entry> entries;
        for (int column = 0; column < columns; ++column)
            for (const CollectiveItem& item : program.collectives())
                for (const CollectiveItem::Member& member : item.members)
                    entries.push_back({column, member.stage, member.lane,
                                       &spans.at(column, member.stage, member.id)});
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return a.lane() != b.lane() ? a.lane() < b.lane() : a.span->end < b.span->end;
        });
        const Entry* before = nullptr;
        for (const Entry& entry : entries) {
            double begin = entry.span->begin;
            if (before && before->lane() == entry.lane())
                begin = std::max(begin, before->span->end);
            m_seconds[entry.span] = std::max(0.0, entry.span->end - begin);
            before = &entry;
        }
    }

    double of(const Span& span) const { return m_seconds.at(&span); }

private:
    struct Entry
    {
        int column = 0;
        int stage = 0;
        Lane onLane = Lane::Data;
        const Span* span = nullptr;
        std::tuple<int, int, Lane> lane() const { return {column, stage, onLane}; }
    };
    std::unordered_map<const Span*, double> m_seconds;
};

TailDurations tailDurations(const CompiledProgram& program, const StepSpans& spans,
                            const FreeTimes& freeTimes, int columns)
{
    const auto count = std::size_t(columns);
    const CollectiveSeconds seconds(program, spans, columns);
    TailDurations durations;
    durations.collective.assign(program.collectives().size() * count, 0);
    durations.optimizer.assign(std::size_t(program.stages()) * count, 0);
    durations.enqueue = enqueueSeconds(program, spans, freeTimes, columns);
    durations.member.assign(std::size_t(program.slotCount()) * count, 0);
    for (int column = 0; column < columns; ++column) {
        const auto at = std::size_t(column);
        for (std::size_t c = 0; c < program.collectives().size(); ++c) {
            const CollectiveItem& item = program.collectives()[c];
            double& longest = durations.collective[c * count + at];
            for (std::size_t m = 0; m < item.members.size(); ++m) {
                const CollectiveItem::Member& member = item.members[m];
                const double own = seconds.of(spans.at(column, member.stage, member.id));
                durations.member[(std::size_t(item.firstSlot) + m) * count + at] = own;
                longest = std::max(longest, own);
            }
        }
        for (int stage = 0; stage < program.stages(); ++stage) {
            const int item = program.optimizers()[std::size_t(stage)];
            if (item < 0)
                continue;
            const InstructionId id = program.computes()[std::size_t(item)].id;
            durations.optimizer[std::size_t(stage) * count + at] =
                computeSeconds(spans, freeTimes, column, stage, id);
        }
    }
    return durations;
}

} // namespace

RecordedReplay replayStep(const RunPlan& plan, const std::vector<Span>& spansOfStep)
{
    const Program listed = programOf(plan);
    const CompiledProgram program(listed);
    const StepSpans spans(spansOfStep, plan.layout);
    const ColumnShape columns{plan.layout.dp, plan.layout.tp};
    const FreeTimes freeTimes(listed, spans, columns.count());
    PipelineTimes times;
    program.replayPipeline(pipelineDurations(program, spans, freeTimes, columns.count()),
                           TransferRule::Free, times);
    const TailTimes tail =
        program.replayTail(tailDurations(program, spans, freeTimes, columns.count()), columns,
                           times.thread, times.slotReady);
    RecordedReplay replay;
    replay.step = spansOfStep.empty() ? -1 : spansOfStep.front().step;
    replay.measured = spans.end() - spans.begin();
    replay.replayed = *std::max_element(tail.end.begin(), tail.end.end());
    return replay;
}

RecordedReplay replayRecorded(const RunDirectory& run)
{
    const RunPlan plan = run.plan();
    const RunRecords records = readRun(run);
    const std::int32_t step = steadyStep(records.all.spans);
    if (step < 0)
        throw Error("cannot replay the run", run.path().string() + ": it has no spans",
                    "choose a run that finished a step");
    return replayStep(plan, spansOfStep(records.all.spans, step));
}

} // namespace triaxis

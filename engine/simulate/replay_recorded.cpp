#include "engine/simulate/replay_recorded.h"

#include "engine/core/error.h"
#include "engine/record/records.h"
#include "engine/timeline/steady_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
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

    double seconds(int column, int stage, InstructionId id) const
    {
        const Span& span = at(column, stage, id);
        return std::max(0.0, span.end - span.begin);
    }

private:
    const Layout& m_layout;
    std::vector<std::unordered_map<std::uint64_t, const Span*>> m_byRank;
    double m_begin = std::numeric_limits<double>::infinity();
    double m_end = -std::numeric_limits<double>::infinity();
};

PipelineDurations pipelineDurations(const CompiledProgram& program, const StepSpans& spans,
                                    int columns)
{
    const auto width = std::size_t(columns);
    PipelineDurations durations;
    durations.width = columns;
    durations.compute.resize(program.computes().size() * width);
    durations.transfer.resize(program.transfers().size() * width);
    for (int column = 0; column < columns; ++column) {
        for (std::size_t i = 0; i < program.computes().size(); ++i) {
            const ComputeItem& item = program.computes()[i];
            if (item.position >= 0)
                durations.compute[i * width + std::size_t(column)] =
                    spans.seconds(column, item.stage, item.id);
        }
        for (std::size_t i = 0; i < program.transfers().size(); ++i) {
            const TransferItem& item = program.transfers()[i];
            // Until it has arrived: when its receive was posted is in no span.
            const double sent = spans.at(column, item.from, item.send).ready;
            const double arrived = spans.at(column, item.to, item.receive).end;
            durations.transfer[i * width + std::size_t(column)] = std::max(0.0, arrived - sent);
        }
    }
    return durations;
}

TailDurations tailDurations(const CompiledProgram& program, const StepSpans& spans, int columns)
{
    const auto count = std::size_t(columns);
    TailDurations durations;
    durations.collective.assign(program.collectives().size() * count, 0);
    durations.optimizer.assign(std::size_t(program.stages()) * count, 0);
    for (int column = 0; column < columns; ++column) {
        for (std::size_t c = 0; c < program.collectives().size(); ++c)
            for (const CollectiveItem::Member& member : program.collectives()[c].members) {
                double& longest = durations.collective[c * count + std::size_t(column)];
                longest = std::max(longest, spans.seconds(column, member.stage, member.id));
            }
        for (int stage = 0; stage < program.stages(); ++stage) {
            const int item = program.optimizers()[std::size_t(stage)];
            if (item >= 0)
                durations.optimizer[std::size_t(stage) * count + std::size_t(column)] =
                    spans.seconds(column, stage, program.computes()[std::size_t(item)].id);
        }
    }
    return durations;
}

} // namespace

RecordedReplay replayStep(const RunPlan& plan, const std::vector<Span>& spansOfStep)
{
    const CompiledProgram program(programOf(plan));
    const StepSpans spans(spansOfStep, plan.layout);
    const ColumnShape columns{plan.layout.dp, plan.layout.tp};
    PipelineTimes times;
    program.replayPipeline(pipelineDurations(program, spans, columns.count()), TransferRule::Free,
                           times);
    const TailTimes tail = program.replayTail(tailDurations(program, spans, columns.count()),
                                              columns, times.thread, times.slotReady);
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

#include "tests/engine/timeline/played_run.h"

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/schedule/passes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace triaxis::tests
{
namespace
{

/// What is known of an enqueued instruction of one rank.
struct Enqueued
{
    double at = 0;
    double end = -1; ///< negative: not known yet
    std::size_t span = 0;
};

struct Player
{
    const Program& program;
    const Layout& layout;
    const Durations& durations;
    std::int32_t step;
    double begin;

    std::vector<Span> spans;
    std::vector<std::map<InstructionId, Enqueued>> enqueued; ///< [rank]
    std::vector<std::map<Lane, double>> laneFree;            ///< [rank]
    std::vector<std::size_t> next;                           ///< [rank]
    std::vector<double> now;                                 ///< [rank]

    const std::vector<Instruction>& listOf(Rank rank) const
    {
        return program.perStage[std::size_t(coordinatesOf(layout, rank).pipeline)].instructions;
    }

    /// The ranks and instructions that take part in a transfer or collective.
    std::vector<std::pair<Rank, InstructionId>> partners(Rank rank, const Instruction& what) const
    {
        const Kind kind = what.id.kind();
        Coordinates at = coordinatesOf(layout, rank);
        std::vector<std::pair<Rank, InstructionId>> result{{rank, what.id}};
        if (isSend(kind) || isReceive(kind)) {
            at.pipeline = what.peer.value;
            result.emplace_back(rankOf(layout, at), what.counterpart);
            return result;
        }
        std::vector<Rank> group;
        if (kind == Kind::GradientReduce)
            group = groupOf(layout, rank, Axis::Data);
        else if (kind == Kind::ReplicaReduce)
            group = groupOf(layout, rank, Axis::Tensor);
        else if (kind == Kind::TiedReduce) {
            group = groupOf(layout, rank, Axis::Pipeline);
            group = {group.front(), group.back()};
        } else if (kind == Kind::NormReduce)
            group = modelGroupOf(layout, rank);
        else
            for (int r = 0; r < layout.ranks(); ++r)
                group.push_back(Rank(r));
        result.clear();
        for (const Rank member : group)
            result.emplace_back(member, what.id);
        return result;
    }

    double computeSeconds(Rank rank, InstructionId id) const
    {
        const double base = id.kind() == Kind::OptimizerStep ? durations.optimizer
                            : id.kind() == Kind::Forward     ? durations.forward
                                                             : durations.backward;
        const CounterRandom noise(7, "jitter " + std::to_string(rank.value));
        const double u = noise.uniform(id.packed ^ (std::uint64_t(step) << 48));
        return base * (1 + durations.jitter * (u - 0.5));
    }

    void addCompute(Rank rank, const Instruction& what)
    {
        const std::size_t r = std::size_t(rank.value);
        const double seconds = computeSeconds(rank, what.id);
        Span span{step, rank,      what.id, Lane::Compute, now[r], now[r], now[r] + seconds,
                  0,    what.flops};
        if (layout.tp > 1 && what.id.kind() != Kind::OptimizerStep) {
            span.tensorTransfer = seconds * durations.tensorShare;
            span.tensorWait = span.tensorTransfer * 0.25;
            if (durations.detail)
                addTensorDetail(span);
        }
        now[r] = span.end;
        spans.push_back(span);
    }

    void addTensorDetail(const Span& parent)
    {
        for (int part = 0; part < 2; ++part) {
            const double ready =
                parent.begin + (parent.end - parent.begin) * (part == 0 ? 0.4 : 0.85);
            Span child = parent;
            child.id = InstructionId(Kind::TensorCollective, parent.id.chunk(),
                                     parent.id.microbatch(), int(parent.id.kind()) * 2048 + part);
            child.lane = Lane::Tensor;
            child.ready = ready;
            child.begin = ready + parent.tensorWait / 2;
            child.end = child.begin + parent.tensorTransfer / 2;
            child.flops = 0;
            child.bytes = 1 << 16;
            child.tensorWait = child.tensorTransfer = 0;
            spans.push_back(child);
        }
    }

    void enqueue(Rank rank, const Instruction& what)
    {
        const std::size_t r = std::size_t(rank.value);
        spans.push_back({step, rank, what.id, what.lane, now[r], now[r], now[r], what.bytes, 0});
        enqueued[r][what.id] = {now[r], -1, spans.size() - 1};
    }

    /// Ends a transfer or collective if all its partners have enqueued it; false otherwise.
    bool complete(Rank rank, const Instruction& what)
    {
        const auto members = partners(rank, what);
        double start = 0;
        for (const auto& [member, id] : members) {
            const auto found = enqueued[std::size_t(member.value)].find(id);
            if (found == enqueued[std::size_t(member.value)].end())
                return false;
            const Lane lane = spans[found->second.span].lane;
            start = std::max({start, found->second.at, laneFree[std::size_t(member.value)][lane]});
        }
        const bool transfer = isSend(what.id.kind()) || isReceive(what.id.kind());
        const double end = start + (transfer ? durations.transfer : durations.collective);
        for (const auto& [member, id] : members) {
            Enqueued& entry = enqueued[std::size_t(member.value)][id];
            entry.end = end;
            laneFree[std::size_t(member.value)][spans[entry.span].lane] = end;
            spans[entry.span].end = end;
        }
        return true;
    }

    bool wait(Rank rank, const Instruction& what)
    {
        const std::size_t r = std::size_t(rank.value);
        Enqueued& entry = enqueued[r].at(what.target);
        Span& span = spans[entry.span];
        if (isReceive(what.target.kind()))
            span.ready = now[r];
        if (entry.end < 0) {
            const auto& list = listOf(rank);
            const auto target = std::find_if(list.begin(), list.end(), [&](const Instruction& i) {
                return i.id == what.target;
            });
            if (!complete(rank, *target))
                return false;
        }
        span.ready = std::min(span.ready, entry.end);
        now[r] = std::max(now[r], entry.end);
        return true;
    }

    bool advance(Rank rank)
    {
        const Instruction& what = listOf(rank)[next[std::size_t(rank.value)]];
        if (what.id.kind() == Kind::Wait)
            return wait(rank, what);
        if (what.lane == Lane::Compute)
            addCompute(rank, what);
        else
            enqueue(rank, what);
        return true;
    }

    void pair()
    {
        for (int r = 0; r < layout.ranks(); ++r) {
            for (const Instruction& what : listOf(Rank(r))) {
                if (what.lane == Lane::Compute)
                    continue;
                double latest = 0;
                for (const auto& [member, id] : partners(Rank(r), what))
                    latest = std::max(latest,
                                      spans[enqueued[std::size_t(member.value)].at(id).span].ready);
                Span& span = spans[enqueued[std::size_t(r)].at(what.id).span];
                span.begin = std::min(latest, span.end);
            }
        }
    }

    std::vector<Span> play()
    {
        const std::size_t ranks = std::size_t(layout.ranks());
        enqueued.resize(ranks);
        laneFree.resize(ranks);
        next.assign(ranks, 0);
        now.assign(ranks, begin);
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t r = 0; r < ranks; ++r) {
                while (next[r] < listOf(Rank(int(r))).size() && advance(Rank(int(r)))) {
                    ++next[r];
                    moved = true;
                }
            }
        }
        for (std::size_t r = 0; r < ranks; ++r) {
            if (next[r] < listOf(Rank(int(r))).size())
                throw Error("cannot play the program", "rank " + std::to_string(r) + " is stuck");
        }
        pair();
        return std::move(spans);
    }
};

MemorySample memoryOf(const RunPlan& plan, Rank rank, std::int32_t step, double time)
{
    const Coordinates at = coordinatesOf(plan.layout, rank);
    const std::int64_t mib = 1 << 20;
    MemorySample sample;
    sample.step = step;
    sample.rank = rank;
    sample.time = time;
    const bool outer = at.pipeline == 0 || at.pipeline == plan.layout.pp - 1;
    sample.peak = {(outer ? 38 : 30) * mib,
                   (outer ? 38 : 30) * mib,
                   (outer ? 76 : 60) * mib,
                   (plan.layout.pp - at.pipeline) * 24 * mib,
                   8 * mib,
                   12 * mib};
    sample.live = sample.peak;
    sample.live[3] = 0;
    for (const std::int64_t bytes : sample.peak)
        sample.peakTotal += bytes;
    return sample;
}

} // namespace

std::vector<Span> playStep(const Program& program, const Layout& layout, const Durations& durations,
                           std::int32_t step, double begin)
{
    return Player{program, layout, durations, step, begin, {}, {}, {}, {}, {}}.play();
}

RunPlan smallPlan(int dp, int tp, int pp, int microbatches, const std::string& schedule)
{
    RunPlan plan;
    plan.label = "gpt2-1M on a text";
    plan.model.name = "gpt2-1M";
    plan.model.vocabulary = 257;
    plan.model.positions = 256;
    plan.model.hidden = 128;
    plan.model.layers = std::max(4, pp);
    plan.model.heads = plan.model.kvHeads = 16;
    plan.model.headSize = 8;
    plan.model.feedForward = 512;
    plan.layout.dp = dp;
    plan.layout.tp = tp;
    plan.layout.pp = pp;
    plan.training.batch = {dp * microbatches, 1, 128};
    plan.training.schedule = schedule;
    plan.data.bestLoss = 1.386;
    return plan;
}

RunRecords playRun(const RunPlan& plan, int steps, const Durations& durations)
{
    const Program program =
        programFor(plan.training.schedule, {plan.model, plan.layout, plan.training.batch});
    RunRecords records;
    records.clockError = 8e-6;
    plan.training.batch.microbatches(plan.layout.dp);
    double begin = 0.01;
    for (std::int32_t step = 1; step <= steps; ++step) {
        const std::vector<Span> spans = playStep(program, plan.layout, durations, step, begin);
        double end = begin;
        for (const Span& span : spans)
            end = std::max(end, span.end);
        records.all.spans.insert(records.all.spans.end(), spans.begin(), spans.end());
        StepResult result;
        result.step = step;
        result.loss = 1.386 + 4.1 * std::exp(-step / 12.0) + 0.05 * std::sin(step * 1.7);
        result.gradientNorm = 0.7 + 1.0 / step;
        result.begin = begin;
        result.seconds = end - begin;
        result.tokens =
            std::int64_t(plan.training.batch.globalBatch) * plan.training.batch.sequence;
        records.all.steps.push_back(result);
        for (int r = 0; r < plan.layout.ranks(); ++r)
            records.all.memory.push_back(memoryOf(plan, Rank(r), step, end));
        begin = end + 0.2e-3;
    }
    return records;
}

RunEnvironment sampleEnvironment()
{
    return {"20260214-153012-a1b2",    "2026-02-14T15:30:12Z", "0.1.0", "workshop-3",
            "OpenBLAS 0.3.21 Haswell", "Open MPI 4.1.4",       8};
}

RunStatus finishedStatus(std::int64_t steps)
{
    RunStatus status;
    status.state = RunState::Finished;
    status.endedUtc = "2026-02-14T15:31:40Z";
    status.lastStep = steps;
    return status;
}

} // namespace triaxis::tests

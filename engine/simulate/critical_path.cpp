#include "engine/simulate/critical_path.h"

#include "engine/simulate/path_collectives.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace triaxis
{
namespace
{

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// Walks from the last end back to the first begin.
class PathWalk
{
public:
    PathWalk(const SimulatedPlan& plan, const Prediction& prediction)
        : m_plan(plan), m_spans(prediction.spans), m_stages(std::size_t(plan.compiled.stages()))
    {
        m_byId.resize(m_stages);
        m_ofStage.resize(m_stages);
        for (std::size_t i = 0; i < m_spans.size(); ++i) {
            const int stage = coordinatesOf(prediction.layout, m_spans[i].rank).pipeline;
            m_stageOf.push_back(stage);
            m_byId[std::size_t(stage)][m_spans[i].id.packed] = i;
            // A send holds its stage up only through what its receiver makes of it.
            if (!isSend(m_spans[i].id.kind()) && !isReceive(m_spans[i].id.kind()))
                m_ofStage[std::size_t(stage)].push_back(i);
            m_last = std::max(m_last, m_spans[i].end);
        }
        for (std::vector<std::size_t>& ofStage : m_ofStage)
            std::sort(ofStage.begin(), ofStage.end(), [&](std::size_t a, std::size_t b) {
                return m_spans[a].end < m_spans[b].end;
            });
        for (const TransferItem& item : plan.compiled.transfers())
            m_sources[std::size_t(item.to)][item.receive.packed] = &item;
        for (std::size_t c = 0; c < plan.compiled.collectives().size(); ++c)
            for (const CollectiveItem::Member& member : plan.compiled.collectives()[c].members)
                m_meetings[std::size_t(member.stage)][member.id.packed] = c;
    }

    std::vector<Span> run() const
    {
        std::vector<Span> path;
        std::size_t at = latestSpan();
        // Each step goes to an earlier place in the order of the program; the bound only guards
        // against spans that do not belong to it.
        for (std::size_t left = m_spans.size(); at != none && left > 0; --left) {
            path.push_back(m_spans[at]);
            at = causeOf(at);
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    double slack() const { return 1e-12 * std::max(1.0, std::abs(m_last)); }

    std::size_t latestSpan() const
    {
        std::size_t latest = none;
        for (std::size_t i = 0; i < m_spans.size(); ++i)
            if (latest == none || m_spans[i].end > m_spans[latest].end)
                latest = i;
        return latest;
    }

    /// What ended last on a stage by `time`, another than `self`.
    std::size_t endedBy(int stage, double time, std::size_t self) const
    {
        const std::vector<std::size_t>& all = m_ofStage[std::size_t(stage)];
        auto after =
            std::upper_bound(all.begin(), all.end(), time + slack(),
                             [&](double limit, std::size_t i) { return limit < m_spans[i].end; });
        while (after != all.begin()) {
            const std::size_t found = *--after;
            if (found != self && m_spans[found].begin < m_spans[self].begin)
                return found;
        }
        return none;
    }

    std::size_t later(std::size_t a, std::size_t b) const
    {
        if (a == none || b == none)
            return a == none ? b : a;
        return m_spans[a].end >= m_spans[b].end ? a : b;
    }

    std::size_t find(int stage, InstructionId id) const
    {
        const auto& ids = m_byId[std::size_t(stage)];
        const auto found = ids.find(id.packed);
        return found == ids.end() ? none : found->second;
    }

    std::size_t causeOf(std::size_t at) const
    {
        const Span& span = m_spans[at];
        const int stage = m_stageOf[at];
        const Kind kind = span.id.kind();
        if (isReceive(kind)) {
            const auto source = m_sources[std::size_t(stage)].find(span.id.packed);
            return source == m_sources[std::size_t(stage)].end() ? none
                                                                 : producerOf(*source->second);
        }
        if (isCollective(kind))
            return causeOfMeeting(stage, at);
        const std::size_t own = endedBy(stage, span.begin, at);
        const Kind input = kind == Kind::Forward ? Kind::ReceiveActivation : Kind::ReceiveGradient;
        const bool consumes =
            kind == Kind::Forward || kind == Kind::Backward || kind == Kind::BackwardInput;
        return consumes ? later(own, find(stage, {input, span.id.chunk(), span.id.microbatch()}))
                        : own;
    }

    std::size_t producerOf(const TransferItem& item) const
    {
        const InstructionId send = item.send;
        if (send.kind() == Kind::SendActivation)
            return find(item.from, {Kind::Forward, send.chunk(), send.microbatch()});
        const std::size_t whole =
            find(item.from, {Kind::Backward, send.chunk(), send.microbatch()});
        return whole != none
                   ? whole
                   : find(item.from, {Kind::BackwardInput, send.chunk(), send.microbatch()});
    }

    std::size_t causeOfMeeting(int stage, std::size_t at) const
    {
        const auto meeting = m_meetings[std::size_t(stage)].find(m_spans[at].id.packed);
        if (meeting == m_meetings[std::size_t(stage)].end())
            return none;
        std::size_t cause = none;
        for (const CollectiveItem::Member& member :
             m_plan.compiled.collectives()[meeting->second].members)
            cause = later(cause, endedBy(member.stage, m_spans[at].begin, at));
        return cause;
    }

    const SimulatedPlan& m_plan;
    const std::vector<Span>& m_spans;
    std::size_t m_stages;
    double m_last = 0;
    std::vector<int> m_stageOf;
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> m_byId;
    std::vector<std::vector<std::size_t>> m_ofStage; ///< in order of their ends
    std::vector<std::unordered_map<std::uint64_t, const TransferItem*>> m_sources{m_stages};
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> m_meetings{m_stages};
};

double collectivesWithin(const Span& span)
{
    return std::clamp(span.tensorWait + span.tensorTransfer, 0.0, span.end - span.begin);
}

} // namespace

std::vector<Span> criticalPath(const SimulatedPlan& plan, const Prediction& prediction)
{
    return PathWalk(plan, prediction).run();
}

double collectivesOf(const std::vector<Span>& path)
{
    double seconds = 0;
    for (const Span& span : path)
        seconds += collectivesWithin(span);
    return seconds;
}

PathTimes pathTimes(const std::vector<Span>& path)
{
    PathTimes times;
    for (const Span& span : path) {
        const double seconds = span.end - span.begin;
        if (isReceive(span.id.kind())) {
            times.transfers += seconds;
        } else if (span.id.kind() == Kind::OptimizerStep) {
            times.update += seconds;
        } else if (isCollective(span.id.kind())) {
            times.reductions += seconds;
        } else {
            times.compute += seconds - collectivesWithin(span);
        }
    }
    return times;
}

} // namespace triaxis

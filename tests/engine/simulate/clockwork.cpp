#include "clockwork.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace triaxis::tests
{
namespace
{

/// Result of a forward, or gradient for the input: of a replica, position and microbatch, as it
/// arrives on a stage.
using Parcel = std::tuple<bool, int, int, int, int>;

class Clockwork
{
public:
    Clockwork(const ComputeProgram& program, const StageCosts& costs)
        : m_program(program), m_costs(costs)
    {
        const std::size_t stages = program.order.size();
        m_positions = int(costs.forward.size());
        m_stages.resize(stages);
        m_seen.begin.resize(stages);
        m_seen.end.resize(stages);
        m_seen.idle.assign(stages, 0);
        m_seen.idleOwn.assign(stages, 0);
        m_seen.peakLive.assign(stages, 0);
    }

    Watched run()
    {
        m_events.insert(0);
        double before = 0;
        while (!m_events.empty()) {
            const double now = *m_events.begin();
            m_events.erase(m_events.begin());
            passTime(now - before);
            before = now;
            for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
                endSteps(int(stage), now);
            for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
                startSteps(int(stage), now);
        }
        m_seen.makespan = before;
        for (std::size_t stage = 0; stage < m_stages.size(); ++stage) {
            m_seen.stuck = m_seen.stuck || m_stages[stage].started < m_program.order[stage].size();
            m_seen.peakLive[stage] /= double(m_program.chunks) / m_program.replicas;
        }
        return m_seen;
    }

private:
    struct StageState
    {
        std::size_t started = 0;
        std::vector<std::size_t> running;
        double until = 0;
        double idleSinceBusy = 0;
        bool everBusy = false;
        int live = 0;
    };

    int replica(int stage, const ComputeStep& step) const
    {
        return m_program.replica[stage][step.chunk.value];
    }
    int position(int stage, const ComputeStep& step) const
    {
        return m_program.virtualStage[stage][step.chunk.value];
    }

    int holder(int replica, int position) const
    {
        for (int stage = 0; stage < m_program.stages; ++stage)
            for (int chunk = 0; chunk < m_program.chunks; ++chunk)
                if (m_program.replica[stage][chunk] == replica &&
                    m_program.virtualStage[stage][chunk] == position)
                    return stage;
        return -1;
    }

    bool here(bool forward, int replica, int position, int microbatch, int stage, double now) const
    {
        const auto found = m_arrivals.find(Parcel{forward, replica, position, microbatch, stage});
        return found != m_arrivals.end() && found->second <= now;
    }

    bool canStart(int stage, const ComputeStep& step, double now) const
    {
        const int copy = replica(stage, step);
        const int at = position(stage, step);
        const int microbatch = step.microbatch.value;
        switch (step.kind) {
        case Kind::Forward:
            return at == 0 || here(true, copy, at - 1, microbatch, stage, now);
        case Kind::BackwardWeight:
            return here(false, copy, at, microbatch, stage, now);
        default:
            return here(true, copy, at, microbatch, stage, now) &&
                   (at == m_positions - 1 || here(false, copy, at + 1, microbatch, stage, now));
        }
    }

    double duration(int stage, const ComputeStep& step) const
    {
        const auto at = std::size_t(position(stage, step));
        switch (step.kind) {
        case Kind::Forward:
            return m_costs.forward[at];
        case Kind::BackwardInput:
            return m_costs.input[at];
        case Kind::BackwardWeight:
            return m_costs.weight[at];
        default:
            return m_costs.input[at] + m_costs.weight[at];
        }
    }

    void passTime(double seconds)
    {
        for (std::size_t stage = 0; stage < m_stages.size(); ++stage) {
            StageState& state = m_stages[stage];
            if (!state.running.empty())
                continue;
            m_seen.idle[stage] += seconds;
            if (state.everBusy)
                state.idleSinceBusy += seconds;
        }
    }

    void endSteps(int stage, double now)
    {
        StageState& state = m_stages[stage];
        if (state.running.empty() || state.until > now)
            return;
        for (const std::size_t index : state.running) {
            const ComputeStep& step = m_program.order[stage][index];
            m_seen.end[stage].push_back(now);
            if (step.kind == Kind::Backward || step.kind == Kind::BackwardWeight)
                --state.live;
            if (step.kind != Kind::BackwardWeight)
                deliver(stage, step, now);
        }
        state.running.clear();
    }

    void deliver(int stage, const ComputeStep& step, double now)
    {
        const bool forward = step.kind == Kind::Forward;
        const int copy = replica(stage, step);
        const int at = position(stage, step);
        m_arrivals[{forward, copy, at, step.microbatch.value, stage}] = now;
        const int consumer = holder(copy, forward ? at + 1 : at - 1);
        if (consumer < 0 || consumer == stage)
            return;
        const double arrival = now + m_costs.transfer;
        m_arrivals[{forward, copy, at, step.microbatch.value, consumer}] = arrival;
        if (arrival > now)
            m_events.insert(arrival);
    }

    void startSteps(int stage, double now)
    {
        StageState& state = m_stages[stage];
        const auto& order = m_program.order[stage];
        if (!state.running.empty() || state.started == order.size())
            return;
        const std::size_t first = state.started;
        const std::size_t count = order[first].withNext ? 2 : 1;
        for (std::size_t i = first; i < first + count; ++i)
            if (!canStart(stage, order[i], now))
                return;
        double seconds = duration(stage, order[first]);
        if (count == 2) {
            const double other = duration(stage, order[first + 1]);
            seconds += other - m_costs.overlapGain * std::min(seconds, other);
        }
        m_seen.idleOwn[stage] += state.idleSinceBusy;
        state.idleSinceBusy = 0;
        state.everBusy = true;
        for (std::size_t i = first; i < first + count; ++i) {
            state.running.push_back(i);
            m_seen.begin[stage].push_back(now);
            if (order[i].kind == Kind::Forward)
                m_seen.peakLive[stage] = std::max(m_seen.peakLive[stage], double(++state.live));
        }
        state.started += count;
        state.until = now + seconds;
        m_events.insert(state.until);
    }

    const ComputeProgram& m_program;
    const StageCosts& m_costs;
    int m_positions = 1;
    std::vector<StageState> m_stages;
    std::map<Parcel, double> m_arrivals;
    std::set<double> m_events;
    Watched m_seen;
};

} // namespace

Watched watch(const ComputeProgram& program, const StageCosts& costs)
{
    return Clockwork(program, costs).run();
}

} // namespace triaxis::tests

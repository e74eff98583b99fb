#include "engine/core/error.h"
#include "engine/cost/core_sharing.h"
#include "engine/cost/machine_costs.h"
#include "engine/cost/machine_spans.h"
#include "engine/cost/rank_clock.h"
#include "engine/cost/rank_meetings.h"
#include "engine/cost/reduce_groups.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace triaxis
{
namespace
{

constexpr double never = std::numeric_limits<double>::infinity();

/// All ranks of a run on the cores of one machine. Every rank walks its list; what it waits for
/// wakes it up.
class MachinePlayer
{
public:
    MachinePlayer(const RunPlan& plan, const Program& program, const std::vector<RankWork>& work,
                  const MachineRates& rates, const CorePace& pace, int steps, MachineSpans* spans)
        : m_plan(plan), m_program(program), m_work(work), m_rates(rates), m_steps(steps),
          m_spans(spans), m_groups(plan, program),
          m_cores(plan.layout.ranks(), rates.cores(), rates.threads(), pace)
    {
        for (int rank = 0; rank < plan.layout.ranks(); ++rank) {
            const Coordinates at = coordinatesOf(plan.layout, Rank(rank));
            m_ranks.push_back({at, &program.perStage[std::size_t(at.pipeline)], RankClock(plan)});
        }
    }

    std::vector<double> run()
    {
        for (int rank = 0; rank < int(m_ranks.size()); ++rank)
            advance(rank);
        for (;;) {
            while (!m_awake.empty()) {
                const int rank = *m_awake.begin();
                m_awake.erase(m_awake.begin());
                advance(rank);
            }
            const int rank = m_cores.next();
            if (rank < 0)
                break;
            advance(rank);
        }
        for (const State& state : m_ranks)
            if (state.step < m_steps)
                throw Error("cannot predict the run on this machine",
                            "the ranks of the schedule \"" + m_program.schedule +
                                "\" wait for each other for ever");
        return m_seconds;
    }

private:
    struct State
    {
        Coordinates at;
        const StageProgram* stage = nullptr;
        RankClock clock;
        int step = 0;
        std::size_t instruction = 0;
        std::size_t part = 0;
        int phase = 0; ///< within a part or an instruction that takes several turns
        double stepBegin = 0;
        double waitsSince = never; ///< blocked, or on its way to be awake again
        std::int64_t started = 0;  ///< tensor collectives offered …
        std::int64_t ended = 0;    ///< … and ended
        double computeBegin = 0;   ///< of the compute instruction under way …
        double taken = 0;          ///< … and the end of the one before
        double tensorWait = 0;
        double tensorTransfer = 0;
        double reduced = 0;                 ///< the end of the last collective in the spans
        std::optional<double> readySince{}; ///< for what the group or another stage has to give
        std::optional<double> sumsSince{};  ///< together with the tensor group
    };

    /// Lets a rank go on until it computes, sleeps or waits for others.
    void advance(int rank)
    {
        State& state = m_ranks[std::size_t(rank)];
        while (state.step < m_steps) {
            if (state.instruction == 0 && state.part == 0 && state.phase == 0)
                state.stepBegin = m_cores.now();
            if (!turn(rank, state))
                return;
        }
    }

    /// One turn; false if the rank now computes, sleeps or waits.
    bool turn(int rank, State& state)
    {
        const Instruction& instruction = state.stage->instructions[state.instruction];
        const auto& parts = m_work[std::size_t(rank)].parts[state.instruction];
        if (state.sumsSince) {
            state.tensorTransfer += m_cores.now() - *state.sumsSince;
            state.sumsSince.reset();
        }
        if (state.part == 0 && state.phase == 0 && isCompute(instruction.id.kind())) {
            state.phase = 1;
            const double begin = state.clock.open(instruction, *state.stage);
            state.computeBegin = state.clock.paced() ? std::max(begin, state.taken) : m_cores.now();
            state.tensorWait = state.tensorTransfer = 0;
            if (begin > m_cores.now()) {
                m_cores.sleep(rank, begin);
                return false;
            }
        }
        if (state.part < parts.size())
            return workOn(rank, state, parts[state.part]);
        if (!finish(rank, state, instruction))
            return false;
        state.part = 0;
        state.phase = 0;
        if (++state.instruction == state.stage->instructions.size()) {
            state.instruction = 0;
            ++state.step;
            if (rank == 0)
                m_seconds.push_back(m_cores.now() - state.stepBegin);
        }
        return true;
    }

    bool workOn(int rank, State& state, const WorkPart& part)
    {
        const auto [members, group] = m_groups.of(Kind::TensorCollective, state.at);
        switch (part.what) {
        case WorkPart::What::Compute:
            ++state.part;
            m_cores.begin(rank, part.seconds);
            return false;
        case WorkPart::What::StartTensorReduce:
            ++state.part;
            offer({std::int64_t(Kind::TensorCollective), group, state.started++, 0}, members, 0);
            return true;
        case WorkPart::What::EndTensorReduce:
            break;
        }
        const MeetingKey key{std::int64_t(Kind::TensorCollective), group, state.ended, 0};
        if (!state.readySince)
            state.readySince = m_cores.now();
        if (!joined(rank, state, key))
            return false;
        state.tensorWait += m_cores.now() - *state.readySince;
        state.readySince.reset();
        state.sumsSince = m_cores.now();
        ++state.ended;
        ++state.part;
        const double seconds = m_rates.allReduce(members, part.bytes);
        m_cores.begin(rank, {seconds, seconds});
        return false;
    }

    /// What the instruction does besides computing. False: to be called again.
    bool finish(int rank, State& state, const Instruction& instruction)
    {
        const Kind kind = instruction.id.kind();
        if (isCompute(kind)) {
            state.clock.close();
            noteCompute(rank, state, instruction);
            return true;
        }
        if (isSend(kind))
            return send(rank, state, instruction);
        if (isReceive(kind)) {
            m_messages[receiveKey(rank, state.step, instruction.id)].posted = true;
            wake();
            return true;
        }
        if (kind == Kind::Wait)
            return wait(rank, state, instruction);
        const auto [members, group] = m_groups.of(kind, state.at);
        offer(meetingKey(*state.stage, instruction.id, group, state.step), members,
              state.clock.end());
        noteReady(rank, state, instruction, std::max(m_cores.now(), state.clock.end()));
        return true;
    }

    void noteCompute(int rank, State& state, const Instruction& instruction)
    {
        const bool paced = state.clock.paced();
        state.taken = std::max(m_cores.now(), state.clock.end());
        if (m_spans && m_spans->wants(state.step))
            m_spans->computed(rank, instruction, state.computeBegin, state.taken,
                              paced ? 0 : state.tensorWait,
                              paced ? state.clock.tensor() : state.tensorTransfer);
    }
    void noteReady(int rank, const State& state, const Instruction& instruction, double time)
    {
        if (m_spans && m_spans->wants(state.step))
            m_spans->ready(rank, instruction, time);
    }
    /// What was waited for is over. A rank that came late to wait for a collective finds it done:
    /// it moved on while its members computed.
    bool noteEnd(int rank, State& state, const Instruction& target)
    {
        if (!m_spans || !m_spans->wants(state.step))
            return true;
        double end = m_cores.now();
        if (isCollective(target.id.kind()) && !state.clock.paced()) {
            const auto [members, group] = m_groups.of(target.id.kind(), state.at);
            const double begin =
                std::max(m_meetings[meetingKey(*state.stage, target.id, group, state.step)].last,
                         state.reduced);
            end = std::min(end, begin + m_rates.allReduce(members, target.bytes));
            state.reduced = end;
        }
        m_spans->ended(rank, target, end);
        return true;
    }

    bool send(int rank, State& state, const Instruction& instruction)
    {
        if (state.phase == 0) {
            state.phase = 1;
            noteReady(rank, state, instruction, std::max(m_cores.now(), state.clock.end()));
            const double half = m_rates.message(m_plan.layout.ranks(), instruction.bytes) / 2;
            m_cores.begin(rank, {half, half});
            return false;
        }
        const MessageKey key =
            receiveKey(peerOf(state, instruction), state.step, instruction.counterpart);
        m_messages[key].sent = true;
        m_messages[key].arrival = state.clock.depart(instruction);
        wake();
        return true;
    }

    bool wait(int rank, State& state, const Instruction& instruction)
    {
        const Instruction& target = targetOf(state, instruction);
        const Kind kind = target.id.kind();
        if (state.phase == 0) {
            state.phase = 1;
            if (!isSend(kind) && state.clock.end() > m_cores.now()) {
                m_cores.sleep(rank, state.clock.end());
                return false;
            }
        }
        if (isReceive(kind) && !state.readySince) {
            state.readySince = m_cores.now();
            noteReady(rank, state, target, m_cores.now());
        }
        const bool over = isSend(kind)      ? waitForSend(rank, state, target)
                          : isReceive(kind) ? waitForReceive(rank, state, target)
                                            : waitForMeeting(rank, state, target);
        if (!over)
            return false;
        state.readySince.reset();
        return noteEnd(rank, state, target);
    }

    bool waitForSend(int rank, State& state, const Instruction& target)
    {
        const MessageKey key = receiveKey(peerOf(state, target), state.step, target.counterpart);
        if (!awake(rank, state, m_messages[key].posted))
            return false;
        state.clock.departed(target);
        return true;
    }

    bool waitForReceive(int rank, State& state, const Instruction& target)
    {
        const Message& message = m_messages[receiveKey(rank, state.step, target.id)];
        if (state.phase == 1) {
            if (!awake(rank, state, message.sent))
                return false;
            state.phase = 2;
            const double half = m_rates.message(m_plan.layout.ranks(), target.bytes) / 2;
            m_cores.begin(rank, {half, half});
            return false;
        }
        if (state.phase == 2) {
            state.phase = 3;
            if (const double arrival = state.clock.arrived(message.arrival);
                arrival > m_cores.now()) {
                m_cores.sleep(rank, arrival);
                return false;
            }
        }
        return true;
    }

    bool waitForMeeting(int rank, State& state, const Instruction& target)
    {
        const auto [members, group] = m_groups.of(target.id.kind(), state.at);
        const MeetingKey key = meetingKey(*state.stage, target.id, group, state.step);
        if (state.phase == 1) {
            if (!joined(rank, state, key))
                return false;
            state.phase = 2;
            const double seconds = m_rates.allReduce(members, target.bytes);
            m_cores.begin(rank, {seconds, seconds});
            return false;
        }
        if (state.phase == 2 && members > 1) {
            state.phase = 3;
            if (const double end = state.clock.reduced(target, m_meetings[key].latest, members);
                end > m_cores.now()) {
                m_cores.sleep(rank, end);
                return false;
            }
        }
        return true;
    }

    void offer(const MeetingKey& key, int members, double slotEnd)
    {
        Meeting& meeting = m_meetings[key];
        meeting.members = members;
        ++meeting.offered;
        meeting.latest = std::max(meeting.latest, slotEnd);
        meeting.last = m_cores.now();
        if (meeting.complete())
            wake();
    }

    bool joined(int rank, State& state, const MeetingKey& key)
    {
        return awake(rank, state, m_meetings[key].complete());
    }

    /// Whether a rank that waits may go on: what it waits for has `happened`, and where that took a
    /// while, the rank has woken up.
    bool awake(int rank, State& state, bool happened)
    {
        if (!happened) {
            state.waitsSince = std::min(state.waitsSince, m_cores.now());
            m_blocked.insert(rank);
            return false;
        }
        const double waited = m_cores.now() - std::exchange(state.waitsSince, never);
        const double delay = waited > 0 ? m_rates.wakeUp(m_plan.layout.ranks(), waited) : 0;
        if (delay <= 0)
            return true;
        m_cores.sleep(rank, m_cores.now() + delay);
        return false;
    }

    /// Something has happened that a waiting rank may have waited for.
    void wake()
    {
        m_awake.merge(m_blocked);
        m_blocked.clear();
    }

    int peerOf(const State& state, const Instruction& instruction) const
    {
        Coordinates at = state.at;
        at.pipeline = instruction.peer.value;
        return rankOf(m_plan.layout, at).value;
    }
    const Instruction& targetOf(const State& state, const Instruction& wait)
    {
        auto& targets = m_targets[state.at.pipeline];
        if (targets.empty())
            for (const Instruction& instruction : state.stage->instructions)
                targets[instruction.id] = &instruction;
        return *targets.at(wait.target);
    }

    const RunPlan& m_plan;
    const Program& m_program;
    const std::vector<RankWork>& m_work;
    const MachineRates& m_rates;
    int m_steps;
    MachineSpans* m_spans;
    ReduceGroups m_groups;
    CoreSharing m_cores;
    std::vector<State> m_ranks;
    std::map<MeetingKey, Meeting> m_meetings;
    std::map<MessageKey, Message> m_messages;
    std::map<int, std::map<InstructionId, const Instruction*>> m_targets;
    std::set<int> m_blocked, m_awake;
    std::vector<double> m_seconds;
};

} // namespace

std::vector<double> playOnMachine(const RunPlan& plan, const Program& program,
                                  const std::vector<RankWork>& work, const MachineRates& rates,
                                  const CorePace& pace, int steps, MachineSpans* spans)
{
    return MachinePlayer(plan, program, work, rates, pace, steps, spans).run();
}

} // namespace triaxis

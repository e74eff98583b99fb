#include "engine/schedule/verifier_rules.h"

#include <algorithm>
#include <array>
#include <deque>

namespace triaxis
{
namespace
{

constexpr int laneCount = 8;

/// Plays the issue semantics of StageProgram without time.
class Play
{
public:
    explicit Play(const ProgramIndex& index)
        : m_index(index), m_stages(index.stages()), m_queued(index.stages(), true)
    {
        for (int stage = 0; stage < index.stages(); ++stage) {
            m_stages[stage].completed.assign(index.list(stage).size(), false);
            m_work.push_back(stage);
        }
    }

    std::optional<Refusal> run()
    {
        while (!m_work.empty()) {
            const int stage = m_work.front();
            m_work.pop_front();
            m_queued[stage] = false;
            issue(stage);
            for (int lane = 0; lane < laneCount; ++lane)
                while (completeHead(stage, lane))
                    wake(stage);
        }
        for (int stage = 0; stage < m_index.stages(); ++stage)
            if (m_stages[stage].issued < m_index.list(stage).size())
                return deadlock(stage);
        return std::nullopt;
    }

private:
    /// An in-order queue: positions in the order in which they were enqueued.
    struct Queue
    {
        std::vector<int> entries;
        std::size_t done = 0;
        int head() const { return done < entries.size() ? entries[done] : -1; }
    };
    struct State
    {
        std::size_t issued = 0; ///< the issuing thread's position
        std::array<Queue, laneCount> lanes;
        std::vector<bool> completed;
    };
    /// One link of a chain of stages that keep each other waiting.
    struct Link
    {
        int stage = 0;
        int position = 0;
        bool operator==(const Link&) const = default;
    };

    const Instruction& at(int stage, int position) const { return m_index.list(stage)[position]; }
    Queue& lane(int stage, Lane lane) { return m_stages[stage].lanes[int(lane)]; }

    void wake(int stage)
    {
        if (!m_queued[stage])
            m_work.push_back(stage);
        m_queued[stage] = true;
    }

    void issue(int stage)
    {
        State& state = m_stages[stage];
        const std::vector<Instruction>& list = m_index.list(stage);
        for (; state.issued < list.size(); ++state.issued) {
            const Instruction& instruction = list[state.issued];
            const Kind kind = instruction.id.kind();
            if (kind == Kind::Wait) {
                if (!state.completed[m_index.find(stage, instruction.target)])
                    return;
            } else if (!isCompute(kind)) {
                lane(stage, instruction.lane).entries.push_back(int(state.issued));
            }
        }
    }

    /// Partners of an instruction that stands at the head of a lane: the other end, or all members.
    std::vector<Link> partners(int stage, int position) const
    {
        const Instruction& instruction = at(stage, position);
        if (!isCollective(instruction.id.kind()))
            return {{instruction.peer.value,
                     m_index.find(instruction.peer.value, instruction.counterpart)}};
        std::vector<Link> links;
        for (const int member : m_index.members(stage, instruction))
            if (member != stage)
                links.push_back({member, m_index.findOn(member, stage, instruction)});
        return links;
    }

    bool isHead(const Link& link)
    {
        return lane(link.stage, at(link.stage, link.position).lane).head() == link.position;
    }

    bool completeHead(int stage, int laneIndex)
    {
        const int head = m_stages[stage].lanes[laneIndex].head();
        if (head < 0)
            return false;
        std::vector<Link> meeting = partners(stage, head);
        if (!std::all_of(meeting.begin(), meeting.end(),
                         [&](const Link& link) { return isHead(link); }))
            return false;
        meeting.push_back({stage, head});
        for (const Link& link : meeting) {
            ++lane(link.stage, at(link.stage, link.position).lane).done;
            m_stages[link.stage].completed[link.position] = true;
            wake(link.stage);
        }
        return true;
    }

    /// What keeps a link from going on: for a stopped Wait the head of its target's lane, for a
    /// head the partner that has not arrived, or whatever holds that partner up.
    Link cause(const Link& link)
    {
        const Instruction& instruction = at(link.stage, link.position);
        if (instruction.id.kind() == Kind::Wait) {
            const int target = m_index.find(link.stage, instruction.target);
            return {link.stage, lane(link.stage, at(link.stage, target).lane).head()};
        }
        for (const Link& partner : partners(link.stage, link.position)) {
            if (isHead(partner))
                continue;
            const State& state = m_stages[partner.stage];
            if (std::size_t(partner.position) >= state.issued)
                return {partner.stage, int(state.issued)};
            return {partner.stage,
                    lane(partner.stage, at(partner.stage, partner.position).lane).head()};
        }
        return link;
    }

    Refusal deadlock(int stuck)
    {
        std::vector<Link> chain{{stuck, int(m_stages[stuck].issued)}};
        auto repeated = chain.end();
        for (;;) {
            const Link next = cause(chain.back());
            repeated = std::find(chain.begin(), chain.end(), next);
            if (repeated != chain.end())
                break;
            chain.push_back(next);
        }
        std::vector<Link> waits;
        std::copy_if(repeated, chain.end(), std::back_inserter(waits), [&](const Link& link) {
            return at(link.stage, link.position).id.kind() == Kind::Wait;
        });
        if (waits.empty())
            waits.push_back(*repeated);
        std::rotate(
            waits.begin(),
            std::min_element(waits.begin(), waits.end(),
                             [](const Link& a, const Link& b) { return a.stage < b.stage; }),
            waits.end());
        std::string reason = "deadlock:";
        for (const Link& link : waits)
            reason += (&link == &waits.front() ? " stage " : ", stage ") +
                      std::to_string(link.stage) + " is " + toText(at(link.stage, link.position));
        return refusal(m_index, waits.front().stage, waits.front().position, reason);
    }

    const ProgramIndex& m_index;
    std::vector<State> m_stages;
    std::deque<int> m_work;
    std::vector<bool> m_queued;
};

} // namespace

std::optional<Refusal> checkProgress(const ProgramIndex& index)
{
    return Play(index).run();
}

} // namespace triaxis

#include "engine/timeline/step_path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace triaxis
{
namespace
{

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr double clockSlack =
    2e-6; ///< seconds by which clocks of ranks may disagree about an order

struct Node
{
    std::size_t lane = 0;
    InstructionId id;
    double ready = 0, begin = 0, end = 0;
    bool communication = false;
};

class StepWalk
{
public:
    StepWalk(const Lanes& lanes, const SpanPartners& partners, std::int32_t step)
        : m_lanes(lanes), m_partners(partners), m_step(step), m_byId(lanes.ranks().size()),
          m_ofLane(lanes.ranks().size())
    {
        const auto [from, to] = lanes.stepRange(step);
        for (std::size_t lane = 0; lane < lanes.ranks().size(); ++lane)
            gather(lane, from, to);
        for (std::vector<std::size_t>& all : m_ofLane)
            std::sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
                return m_nodes[a].end < m_nodes[b].end;
            });
    }

    std::vector<SpanPlace> run() const
    {
        std::vector<SpanPlace> path;
        std::vector<bool> seen(m_nodes.size(), false);
        for (std::size_t at = latest(); at != none && !seen[at]; at = causeOf(at)) {
            seen[at] = true;
            const Node& node = m_nodes[at];
            const auto place = findSpan(m_lanes, m_lanes.ranks()[node.lane].rank, m_step, node.id);
            if (place)
                path.push_back(*place);
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    void gather(std::size_t lane, double from, double to)
    {
        const RankTracks& tracks = m_lanes.ranks()[lane];
        addTrack(lane, tracks.compute, false, from, to);
        for (const StreamTrack& stream : tracks.streams)
            addTrack(lane, stream.track, true, from, to);
    }

    void addTrack(std::size_t lane, const Track& track, bool communication, double from, double to)
    {
        for (std::size_t i = track.lowerBound(from); i < track.size() && track.begin(i) <= to;
             ++i) {
            if (track.step(i) != m_step || track.id(i).kind() == Kind::TensorCollective)
                continue;
            auto [at, made] = m_byId[lane].try_emplace(track.id(i).packed, m_nodes.size());
            if (made) {
                m_nodes.push_back({lane, track.id(i), track.begin(i), track.begin(i), track.end(i),
                                   communication});
                // A send holds its rank up only through what the receiver makes of it.
                if (!isSend(track.id(i).kind()))
                    m_ofLane[lane].push_back(at->second);
            }
            Node& node = m_nodes[at->second];
            if (track.category(i) == Category::Wait)
                node.begin = std::max(node.begin, track.end(i));
            node.end = std::max(node.end, track.end(i));
        }
    }

    std::size_t latest() const
    {
        std::size_t found = none;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            if (!isSend(m_nodes[i].id.kind()) &&
                (found == none || m_nodes[i].end > m_nodes[found].end))
                found = i;
        }
        return found;
    }

    /// What ended last on a lane by `time`, another than `self` and not begun after it.
    std::size_t endedBy(std::size_t lane, double time, std::size_t self) const
    {
        const std::vector<std::size_t>& all = m_ofLane[lane];
        auto after =
            std::upper_bound(all.begin(), all.end(), time + clockSlack,
                             [&](double limit, std::size_t i) { return limit < m_nodes[i].end; });
        while (after != all.begin()) {
            const std::size_t found = *--after;
            if (found != self && m_nodes[found].begin < m_nodes[self].end)
                return found;
        }
        return none;
    }

    std::size_t find(const std::optional<RankInstruction>& wanted) const
    {
        if (!wanted)
            return none;
        const auto lane = m_lanes.laneOf(wanted->rank);
        if (!lane)
            return none;
        const auto found = m_byId[*lane].find(wanted->id.packed);
        return found == m_byId[*lane].end() ? none : found->second;
    }

    std::size_t later(std::size_t a, std::size_t b) const
    {
        if (a == none || b == none)
            return a == none ? b : a;
        return m_nodes[a].end >= m_nodes[b].end ? a : b;
    }

    std::size_t causeOf(std::size_t at) const
    {
        const Node& node = m_nodes[at];
        const Rank rank = m_lanes.ranks()[node.lane].rank;
        if (isReceive(node.id.kind())) {
            const auto send = m_partners.otherEnd(rank, node.id);
            return send ? find(m_partners.previous(send->rank, send->id)) : none;
        }
        if (isCollective(node.id.kind()))
            return causeOfMeeting(at);
        const auto input = m_partners.previous(rank, node.id);
        const std::size_t consumed = input ? find(input) : none;
        return later(endedBy(node.lane, node.begin, at), consumed);
    }

    /// A collective begins when the last of its members is ready.
    std::size_t causeOfMeeting(std::size_t at) const
    {
        std::size_t last = at;
        const Rank rank = m_lanes.ranks()[m_nodes[at].lane].rank;
        for (const RankInstruction& member : m_partners.membersOf(rank, m_nodes[at].id)) {
            const std::size_t other = find(member);
            if (other != none && m_nodes[other].ready > m_nodes[last].ready)
                last = other;
        }
        return endedBy(m_nodes[last].lane, m_nodes[last].ready, last);
    }

    const Lanes& m_lanes;
    const SpanPartners& m_partners;
    std::int32_t m_step;
    std::vector<Node> m_nodes;
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> m_byId; ///< [lane]
    std::vector<std::vector<std::size_t>> m_ofLane; ///< [lane] in order of their ends
};

} // namespace

std::vector<SpanPlace> criticalPathOf(const Lanes& lanes, const SpanPartners& partners,
                                      std::int32_t step)
{
    const auto [from, to] = lanes.stepRange(step);
    if (!(to > from) || !std::isfinite(to - from))
        return {};
    return StepWalk(lanes, partners, step).run();
}

} // namespace triaxis

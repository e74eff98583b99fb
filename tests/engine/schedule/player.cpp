#include "player.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace triaxis::tests
{
namespace
{

constexpr double never = -1;

struct Entry
{
    std::size_t position = 0;
    double enqueued = 0;
};

/// One stage under way: its clock is the time at which its issuing thread has reached `next`.
struct Track
{
    std::size_t next = 0;
    double clock = 0;
    std::map<Lane, std::vector<Entry>> lanes;
    std::map<Lane, std::size_t> done; ///< entries of a lane that have completed
    std::map<Lane, double> laneTime;  ///< when the last of them completed
    std::map<InstructionId, double> completed;
};

bool joinsAllStages(Kind kind)
{
    return kind == Kind::NormReduce || kind == Kind::LossReduce;
}

class Player
{
public:
    Player(const Program& program, const Duration& duration)
        : m_program(program), m_duration(duration), m_tracks(program.stages)
    {
    }

    Played run()
    {
        Played played;
        played.busy.assign(m_program.stages, 0.0);
        for (bool moved = true; moved;) {
            moved = false;
            for (int stage = 0; stage < m_program.stages; ++stage) {
                moved = issue(stage, played.busy[stage]) || moved;
                for (auto& [lane, entries] : m_tracks[stage].lanes)
                    moved = complete(stage, lane) || moved;
            }
        }
        for (int stage = 0; stage < m_program.stages; ++stage) {
            if (m_tracks[stage].next < list(stage).size())
                throw std::runtime_error("the program gets stuck");
            played.makespan = std::max(played.makespan, m_tracks[stage].clock);
        }
        return played;
    }

private:
    const std::vector<Instruction>& list(int stage) const
    {
        return m_program.perStage[stage].instructions;
    }

    bool issue(int stage, double& busy)
    {
        Track& track = m_tracks[stage];
        const std::size_t before = track.next;
        for (; track.next < list(stage).size(); ++track.next) {
            const Instruction& instruction = list(stage)[track.next];
            if (instruction.id.kind() == Kind::Wait) {
                const auto target = track.completed.find(instruction.target);
                if (target == track.completed.end())
                    break;
                track.clock = std::max(track.clock, target->second);
            } else if (isCompute(instruction.id.kind())) {
                const double seconds = m_duration(Stage(stage), instruction.id.kind());
                track.clock += seconds;
                busy += seconds;
            } else {
                track.lanes[instruction.lane].push_back({track.next, track.clock});
            }
        }
        return track.next != before;
    }

    const Entry* head(int stage, Lane lane)
    {
        const std::vector<Entry>& entries = m_tracks[stage].lanes[lane];
        const std::size_t done = m_tracks[stage].done[lane];
        return done < entries.size() ? &entries[done] : nullptr;
    }

    /// Everyone who takes part, as (stage, instruction).
    std::vector<std::pair<int, InstructionId>> partners(int stage, const Instruction& instruction)
    {
        const Kind kind = instruction.id.kind();
        if (isSend(kind) || isReceive(kind))
            return {{stage, instruction.id}, {instruction.peer.value, instruction.counterpart}};
        std::vector<std::pair<int, InstructionId>> all{{stage, instruction.id}};
        for (int other = 0; other < m_program.stages; ++other)
            for (const Instruction& there : list(other))
                if (other != stage && there.id == instruction.id &&
                    (joinsAllStages(kind) || kind == Kind::TiedReduce))
                    all.emplace_back(other, there.id);
        return all;
    }

    bool complete(int stage, Lane lane)
    {
        const Entry* own = head(stage, lane);
        if (!own)
            return false;
        double end = 0;
        std::vector<std::tuple<int, Lane, InstructionId>> meeting;
        for (const auto& [member, id] : partners(stage, list(stage)[own->position])) {
            bool found = false;
            for (auto& [memberLane, entries] : m_tracks[member].lanes) {
                const Entry* entry = head(member, memberLane);
                if (!entry || list(member)[entry->position].id != id)
                    continue;
                end = std::max({end, entry->enqueued, m_tracks[member].laneTime[memberLane]});
                meeting.emplace_back(member, memberLane, id);
                found = true;
            }
            if (!found)
                return false;
        }
        for (const auto& [member, memberLane, id] : meeting) {
            ++m_tracks[member].done[memberLane];
            m_tracks[member].laneTime[memberLane] = end;
            m_tracks[member].completed[id] = end;
        }
        return true;
    }

    const Program& m_program;
    const Duration& m_duration;
    std::vector<Track> m_tracks;
};

} // namespace

Played play(const Program& program, const Duration& duration)
{
    return Player(program, duration).run();
}

double dependencyMakespan(const ComputeProgram& compute, const Duration& duration)
{
    const int positions = compute.stages * compute.chunks / compute.replicas;
    // End of (forward?, replica, virtual stage, microbatch).
    std::map<std::tuple<bool, int, int, int>, double> ends;
    std::vector<std::size_t> next(compute.stages, 0);
    std::vector<double> clock(compute.stages, 0.0);
    const auto endOf = [&](bool forward, int replica, int position, int microbatch) {
        const auto found = ends.find({forward, replica, position, microbatch});
        return found == ends.end() ? never : found->second;
    };
    const auto readyAt = [&](int stage, const ComputeStep& step) {
        const int position = compute.virtualStage[stage][step.chunk.value];
        const int replica = compute.replica[stage][step.chunk.value];
        const int microbatch = step.microbatch.value;
        if (step.kind == Kind::Forward && position > 0)
            return endOf(true, replica, position - 1, microbatch);
        if ((step.kind == Kind::Backward || step.kind == Kind::BackwardInput) &&
            position < positions - 1)
            return endOf(false, replica, position + 1, microbatch);
        return 0.0;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (int stage = 0; stage < compute.stages; ++stage) {
            while (next[stage] < compute.order[stage].size()) {
                const std::size_t count = compute.order[stage][next[stage]].withNext ? 2 : 1;
                const auto first = compute.order[stage].begin() + next[stage];
                double begin = clock[stage];
                double length = 0;
                for (auto step = first; step != first + count; ++step) {
                    const double ready = readyAt(stage, *step);
                    begin = ready == never || begin == never ? never : std::max(begin, ready);
                    length += duration(Stage(stage), step->kind);
                }
                if (begin == never)
                    break;
                clock[stage] = begin + length;
                for (auto step = first; step != first + count; ++step)
                    if (step->kind != Kind::BackwardWeight)
                        ends[{step->kind == Kind::Forward,
                              compute.replica[stage][step->chunk.value],
                              compute.virtualStage[stage][step->chunk.value],
                              step->microbatch.value}] = clock[stage];
                next[stage] += count;
                moved = true;
            }
        }
    }
    return *std::max_element(clock.begin(), clock.end());
}

} // namespace triaxis::tests

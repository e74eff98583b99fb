#include "engine/simulate/shared_links.h"

#include "engine/core/error.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <tuple>

namespace triaxis
{
namespace
{

/// Devices of one route on one end of a shared link.
struct Use
{
    int link = 0;
    int devices = 0;
};

/// The way from one stage of a column to another, in one direction of the pipeline.
struct Route
{
    std::vector<Use> uses;
    std::vector<int> moving; ///< transfers under way
};

struct Link
{
    double made = 1;         ///< devices that the plain duration is made for
    int active = 0;          ///< devices that send
    std::vector<int> routes; ///< with transfers under way
};

struct Moving
{
    double left = 0;  ///< plain seconds of bytes that have not moved
    double since = 0; ///< when that was so
    double rate = 0;
    int version = 0; ///< of its end in the queue
};

enum class EventKind { Begin, End };

struct Event
{
    double time = 0;
    EventKind kind = EventKind::Begin;
    int transfer = 0; ///< item · width + column
    int version = 0;
    bool operator>(const Event& other) const
    {
        return std::tie(time, kind, transfer) > std::tie(other.time, other.kind, other.transfer);
    }
};

/// The level over which two devices reach each other.
const LinkLevel& levelBetween(const std::vector<LinkLevel>& levels, int a, int b)
{
    const auto joins = [&](const LinkLevel& level) {
        return level.span == 0 || a / level.span == b / level.span;
    };
    const auto found = std::find_if(levels.begin(), levels.end(), joins);
    return found == levels.end() ? levels.back() : *found;
}

} // namespace

/// Columns and stages that run ahead until they wait for a transfer, and the transfers between
/// them.
class SharedLinkReplay
{
public:
    SharedLinkReplay(const CompiledProgram& program, const PipelineDurations& durations,
                     const SharedLinks& links, const StageDevices& devices, PipelineTimes& times)
        : m_program(program), m_durations(durations), m_shared(links), m_devices(devices),
          m_times(times), m_width(durations.width), m_ops(std::size_t(program.stages())),
          m_next(m_ops.size() * std::size_t(m_width), 0), m_waits(m_next.size(), nothing),
          m_moving(program.transfers().size() * std::size_t(m_width)),
          m_routeOf(m_moving.size(), nothing)
    {
        for (const CompiledProgram::Op& op : program.m_pipeline)
            if (op.kind != CompiledProgram::OpKind::Move)
                m_ops[std::size_t(op.stage)].push_back(op);
    }

    void run()
    {
        constexpr double never = std::numeric_limits<double>::infinity();
        std::fill(m_times.transferEnd.begin(), m_times.transferEnd.end(), never);
        for (int stage = 0; stage < m_program.stages(); ++stage)
            for (int column = 0; column < m_width; ++column)
                advance(stage, column);
        while (!m_events.empty()) {
            const Event event = m_events.top();
            m_events.pop();
            if (event.kind == EventKind::Begin)
                begin(event.transfer, event.time);
            else if (m_moving[std::size_t(event.transfer)].version == event.version)
                end(event.transfer, event.time);
        }
    }

private:
    static constexpr int nothing = -1;
    using OpKind = CompiledProgram::OpKind;

    void advance(int stage, int column)
    {
        const std::vector<CompiledProgram::Op>& ops = m_ops[std::size_t(stage)];
        const std::size_t state = std::size_t(stage) * std::size_t(m_width) + std::size_t(column);
        double& thread = m_times.thread[state];
        for (int& next = m_next[state]; next < int(ops.size()); ++next) {
            const CompiledProgram::Op& op = ops[std::size_t(next)];
            const std::size_t at =
                std::size_t(op.item) * std::size_t(m_width) + std::size_t(column);
            switch (op.kind) {
            case OpKind::Compute:
                compute(std::size_t(op.item), at, column, thread);
                break;
            case OpKind::Send:
                m_times.sendReady[at] = thread;
                m_events.push({thread, EventKind::Begin, int(at), 0});
                break;
            case OpKind::Receive:
                m_times.receivePosted[at] = thread;
                break;
            case OpKind::WaitForReceive:
                if (m_waits[state] != int(at))
                    m_times.waitBegin[at] = thread;
                m_waits[state] = int(at);
                if (m_times.transferEnd[at] == std::numeric_limits<double>::infinity())
                    return; // the end of the transfer goes on from here
                thread = std::max(thread, m_times.transferEnd[at]);
                break;
            case OpKind::Enqueue:
                thread += m_durations.enqueue.empty() ? 0 : m_durations.enqueue[at];
                m_times.slotReady[at] = thread;
                break;
            case OpKind::Move:
            case OpKind::WaitForSend:
            case OpKind::Meet:
            case OpKind::WaitForCollective:
            case OpKind::Update:
                break;
            }
        }
    }

    void compute(std::size_t item, std::size_t at, int column, double& thread)
    {
        double taken = m_durations.compute[at];
        const int partner = m_program.computes()[item].partner;
        if (partner >= 0) {
            const std::size_t other =
                std::size_t(partner) * std::size_t(m_width) + std::size_t(column);
            const double first = m_durations.compute[other];
            taken = first + taken - m_durations.overlapGain * std::min(taken, first);
            m_times.computeBegin[other] = thread;
            m_times.computeEnd[other] = thread + taken;
        }
        m_times.computeBegin[at] = thread;
        m_times.computeEnd[at] = thread += taken;
    }

    const TransferItem& itemOf(int transfer) const
    {
        return m_program.transfers()[std::size_t(transfer / m_width)];
    }

    int linkIndex(const LinkLevel& level, int device, bool leaves, Lane lane)
    {
        const int levelIndex = int(&level - m_shared.levels.data());
        const auto key = std::tuple(levelIndex, device / level.sharing, leaves, int(lane));
        const auto [found, fresh] = m_linkOf.try_emplace(key, int(m_links.size()));
        if (fresh) {
            m_links.emplace_back();
            m_links.back().made = std::min(level.sharing, std::max(1, m_shared.concurrent));
        }
        return found->second;
    }

    int routeIndex(int transfer)
    {
        const TransferItem& item = itemOf(transfer);
        const int column = transfer % m_width;
        const auto key = std::tuple(item.from, item.to, int(item.sendLane), column);
        const auto [found, fresh] = m_routeIndex.try_emplace(key, int(m_routes.size()));
        if (!fresh)
            return found->second;
        Route route;
        std::map<int, int> devicesOn;
        const std::vector<int> from = m_devices(column, item.from);
        const std::vector<int> to = m_devices(column, item.to);
        for (std::size_t m = 0; m < std::min(from.size(), to.size()); ++m) {
            const LinkLevel& level = levelBetween(m_shared.levels, from[m], to[m]);
            if (level.sharing <= 1)
                continue;
            ++devicesOn[linkIndex(level, from[m], true, item.sendLane)];
            ++devicesOn[linkIndex(level, to[m], false, item.sendLane)];
        }
        for (const auto& [link, devices] : devicesOn)
            route.uses.push_back({link, devices});
        m_routes.push_back(std::move(route));
        return found->second;
    }

    void begin(int transfer, double now)
    {
        const auto at = std::size_t(transfer);
        Moving& moving = m_moving[at];
        m_times.transferBegin[at] = now;
        const double latency = std::min(m_shared.latency, m_durations.transfer[at]);
        const int route = m_routeOf[at] = routeIndex(transfer);
        if (m_routes[std::size_t(route)].uses.empty()) { // whatever others do
            m_events.push({now + m_durations.transfer[at], EventKind::End, transfer, 0});
            return;
        }
        // The latency passes at the same pace for all: as if the bytes came that much later.
        moving.left = m_durations.transfer[at] - latency;
        moving.since = now + latency;
        std::vector<int>& under = m_routes[std::size_t(route)].moving;
        under.push_back(transfer);
        if (under.size() == 1)
            change(route, 1, now);
        else
            rate(transfer, now);
    }

    void end(int transfer, double now)
    {
        const auto at = std::size_t(transfer);
        m_times.transferEnd[at] = now;
        const int route = m_routeOf[at];
        std::vector<int>& under = m_routes[std::size_t(route)].moving;
        const auto found = std::find(under.begin(), under.end(), transfer);
        if (found != under.end()) {
            under.erase(found);
            if (under.empty())
                change(route, -1, now);
        }
        const int stage = itemOf(transfer).to;
        const int column = transfer % m_width;
        const std::size_t state = std::size_t(stage) * std::size_t(m_width) + std::size_t(column);
        if (m_waits[state] == transfer)
            advance(stage, column);
    }

    /// A route begins (+1) or ceases (−1) to send: all that share its links get another part.
    void change(int route, int sign, double now)
    {
        for (const Use& use : m_routes[std::size_t(route)].uses) {
            Link& link = m_links[std::size_t(use.link)];
            link.active += sign * use.devices;
            if (sign > 0)
                link.routes.push_back(route);
            else
                std::erase(link.routes, route);
        }
        for (const Use& use : m_routes[std::size_t(route)].uses)
            for (const int other : m_links[std::size_t(use.link)].routes)
                for (const int transfer : m_routes[std::size_t(other)].moving)
                    rate(transfer, now);
    }

    void rate(int transfer, double now)
    {
        Moving& moving = m_moving[std::size_t(transfer)];
        if (now > moving.since) {
            moving.left = std::max(0.0, moving.left - (now - moving.since) * moving.rate);
            moving.since = now;
        }
        double slowest = std::numeric_limits<double>::infinity();
        for (const Use& use : m_routes[std::size_t(m_routeOf[std::size_t(transfer)])].uses) {
            const Link& link = m_links[std::size_t(use.link)];
            slowest = std::min(slowest, link.made / std::max(1, link.active));
        }
        if (slowest == moving.rate)
            return;
        moving.rate = slowest;
        m_events.push(
            {moving.since + moving.left / slowest, EventKind::End, transfer, ++moving.version});
    }

    const CompiledProgram& m_program;
    const PipelineDurations& m_durations;
    const SharedLinks& m_shared;
    const StageDevices& m_devices;
    PipelineTimes& m_times;
    int m_width;
    std::vector<std::vector<CompiledProgram::Op>> m_ops; ///< [stage]
    std::vector<int> m_next;                             ///< [stage · width + column] into m_ops
    std::vector<int> m_waits;                            ///< … the transfer it waits for, or did
    std::vector<Moving> m_moving;                        ///< [transfer · width + column]
    std::vector<int> m_routeOf;
    std::vector<Route> m_routes;
    std::vector<Link> m_links;
    std::map<std::tuple<int, int, bool, int>, int> m_linkOf;
    std::map<std::tuple<int, int, int, int>, int> m_routeIndex;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
};

void replaySharedLinks(const CompiledProgram& program, const PipelineDurations& durations,
                       const SharedLinks& links, const StageDevices& devices, PipelineTimes& times)
{
    const std::size_t transfers = program.transfers().size() * std::size_t(durations.width);
    if (links.levels.empty() || transfers > std::size_t(std::numeric_limits<int>::max() / 2))
        throw Error("cannot play shared links",
                    links.levels.empty() ? "a plan without a network"
                                         : std::to_string(transfers) + " transfers",
                    "simulate a layout on a cluster, with fewer microbatches");
    // Lays out the tables; its times are overwritten.
    program.replayPipeline(durations, TransferRule::Free, times);
    std::fill(times.thread.begin(), times.thread.end(), 0);
    SharedLinkReplay(program, durations, links, devices, times).run();
}

} // namespace triaxis

#include "engine/cost/collectives.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

/// Share of a link's rate that a double binary tree reaches (NCCL's tuning table).
constexpr double treeEfficiency = 0.92;
/// Share of a link's rate that reduction in the switch reaches: a DGX H100 shows an algorithm
/// bandwidth of 274 GB/s (nccl-tests with NVLS: 480 GB/s on the bus), its local copy included.
constexpr double inNetworkEfficiency = 0.915;
/// Share of a collective's start that a single message needs (Vidur's send_recv against
/// all_reduce).
constexpr double messageStartup = 0.4;
/// Messages of one rank in flight at a time in an all-to-all.
constexpr double peersInFlight = 8;

/// What a group sees of one level of the network.
struct GroupLevel
{
    double members = 1; ///< of the group in one domain of this level
    double domains = 1; ///< domains of the level inside that this level joins: a ring's length
    double rate = 0;    ///< bytes a second that all members of one inner domain send together
    const LinkLevel* link = nullptr;
};

/// Members of a group within one domain of `span` devices.
double membersWithin(int span, const GroupPlacement& group)
{
    const double stride = std::max(1, group.stride);
    const double ranks = group.ranks;
    return span == 0 ? ranks : std::clamp(std::floor(span / stride), 1.0, ranks);
}

/// Rate at which `members` of a domain of `devices` devices leave it, when `concurrent` such groups
/// do so at once. Neighbours closer than `sharing` share ports.
double rateOut(const LinkLevel& level, double devices, double members, const GroupPlacement& group)
{
    const double sharing = level.sharing;
    const double ports = std::max(1.0, devices / sharing);
    const double distance = std::min(double(std::max(1, group.stride)), sharing);
    const double own = std::clamp(std::ceil(members * distance / sharing), 1.0, ports);
    const double groups = std::max(1.0, double(group.concurrent));
    const double port = sharing * level.bandwidth;
    return std::min(own * port, std::max(ports * port / groups, members * level.bandwidth));
}

/// The same for single devices within a node: a port is shared by the devices that are active.
double rateOfDevice(const LinkLevel& level, double members, const GroupPlacement& group)
{
    const double active =
        std::clamp(members * std::max(1, group.concurrent), 1.0, double(level.sharing));
    return level.sharing * level.bandwidth / active;
}

/// Seconds that `bytes` take at `rate` on a link: efficiency, and the slow approach to it by size.
double transfer(const LinkLevel& link, double bytes, double rate, double message)
{
    if (!(bytes > 0))
        return 0;
    const double slow = link.halfSize > 0 ? std::sqrt(link.halfSize / message) : 0;
    return bytes / (rate * link.efficiency) * (1 + slow);
}

/// Seconds of the pass through a device's own memory; `passes`: 1 for an all-reduce, half for a
/// gather or scatter.
double localPass(const LinkLevel& link, double bytes, double passes)
{
    return link.copyBandwidth > 0 ? passes * bytes / link.copyBandwidth : 0;
}

/// The levels that a group uses: those on which it has more than one domain.
class GroupView
{
public:
    GroupView(const ClusterSpec& cluster, const GroupPlacement& group)
    {
        double inside = 1;
        int devices = 1;
        for (std::size_t i = 0; i < cluster.levels.size() && inside < group.ranks; ++i) {
            const LinkLevel& link = cluster.levels[i];
            const double members = membersWithin(link.span, group);
            if (members > inside && m_count < std::size(m_levels)) {
                m_levels[m_count++] = {members, std::ceil(members / inside),
                                       i == 0 ? rateOfDevice(link, members, group)
                                              : rateOut(link, devices, inside, group),
                                       &link};
                inside = members;
            }
            devices = std::max(devices, link.span);
        }
    }

    std::size_t size() const { return m_count; }
    const GroupLevel& operator[](std::size_t i) const { return m_levels[i]; }
    const GroupLevel& outermost() const { return m_levels[m_count - 1]; }

private:
    GroupLevel m_levels[8];
    std::size_t m_count = 0;
};

double ringHops(const GroupView& view)
{
    double seconds = 0;
    double groups = view.outermost().members;
    for (std::size_t i = 0; i < view.size(); ++i) {
        const double after = view.outermost().members / view[i].members;
        seconds += (groups - after) * view[i].link->latency;
        groups = after;
    }
    return seconds;
}

/// A ring through all members: every domain passes on `factor` times the buffer, on all levels at
/// the same time.
double flatRing(const GroupView& view, double bytes, double factor)
{
    const double ranks = view.outermost().members;
    double slowest = 0;
    for (std::size_t i = 0; i < view.size(); ++i)
        slowest = std::max(slowest, transfer(*view[i].link, factor * bytes * (ranks - 1) / ranks,
                                             view[i].rate, bytes) +
                                        localPass(*view[i].link, bytes, factor / 2));
    return slowest + factor * ringHops(view);
}

/// A ring on each level in turn: the members of a domain share the buffer, so that each sends its
/// part only.
double levelRing(const GroupLevel& level, double bytes, double factor)
{
    const double share = (level.domains - 1) / level.domains;
    return transfer(*level.link, factor * bytes * share, level.rate, bytes) +
           localPass(*level.link, bytes, factor / 2) +
           factor * (level.domains - 1) * level.link->latency;
}

/// The switch adds: each member sends its buffer once and receives one part's sum in addition.
double inNetwork(const GroupLevel& level, double bytes)
{
    const double rate = level.rate * inNetworkEfficiency;
    return transfer(*level.link, bytes * (1 + 1 / level.domains), rate, bytes) +
           localPass(*level.link, bytes, 1) + 2 * level.link->latency;
}

/// Level by level, as libraries do it where the switch of the innermost level adds and multicasts.
double hierarchical(const GroupView& view, double bytes, double factor, bool sums)
{
    double seconds = 0;
    for (std::size_t i = 0; i < view.size(); ++i) {
        double level = levelRing(view[i], bytes, factor);
        if (sums && view[i].link->reducesInNetwork)
            level = std::min(level, inNetwork(view[i], bytes));
        seconds += level;
    }
    return seconds;
}

/// A double binary tree over the domains of the outer levels, chains within the innermost: up and
/// down, two buffers through each domain's ports (Sanders et al. 2009; NCCL).
double tree(const GroupView& view, double bytes)
{
    double slowest = 0;
    double hops = 0;
    for (std::size_t i = 0; i < view.size(); ++i) {
        const GroupLevel& level = view[i];
        const double rate = level.rate * treeEfficiency;
        slowest = std::max(slowest, transfer(*level.link, 2 * bytes, rate, bytes) +
                                        localPass(*level.link, bytes, 1));
        hops += 2 * level.link->latency * std::ceil(std::log2(level.domains));
    }
    return slowest + hops;
}

double allReduce(const GroupView& view, double bytes)
{
    const double plain = std::min(flatRing(view, bytes, 2), tree(view, bytes));
    return view[0].link->reducesInNetwork ? std::min(plain, hierarchical(view, bytes, 2, true))
                                          : plain;
}

double gatherOrScatter(const GroupView& view, double bytes)
{
    const double ring = flatRing(view, bytes, 1);
    return view[0].link->reducesInNetwork ? std::min(ring, hierarchical(view, bytes, 1, false))
                                          : ring;
}

/// Every member sends a part to every other: what is meant for other domains shares their ports.
double allToAll(const GroupView& view, double bytes, double beyond)
{
    const double ranks = view.outermost().members;
    double slowest = 0;
    double inside = 1;
    for (std::size_t i = 0; i < view.size(); ++i) {
        const GroupLevel& level = view[i];
        const double leaving = (i == 0 ? 1 : beyond) * inside * bytes * (ranks - inside) / ranks;
        slowest = std::max(slowest, transfer(*level.link, leaving, level.rate, bytes));
        inside = level.members;
    }
    return slowest + view.outermost().link->latency * (1 + std::ceil((ranks - 1) / peersInFlight));
}

double broadcast(const GroupView& view, double bytes)
{
    double slowest = 0;
    double hops = 0;
    for (std::size_t i = 0; i < view.size(); ++i) {
        slowest = std::max(slowest, transfer(*view[i].link, bytes, view[i].rate, bytes));
        hops += view[i].link->latency * std::ceil(std::log2(view[i].domains));
    }
    return slowest + hops;
}

double pointToPoint(const GroupView& view, double bytes)
{
    const GroupLevel& level = view.outermost();
    return transfer(*level.link, bytes, level.rate, bytes) + level.link->latency;
}

double moved(const GroupView& view, Collective kind, double bytes, double beyond)
{
    switch (kind) {
    case Collective::AllReduce:
        return allReduce(view, bytes);
    case Collective::ReduceScatter:
    case Collective::AllGather:
        return gatherOrScatter(view, bytes);
    case Collective::AllToAll:
        return allToAll(view, bytes, beyond);
    case Collective::Broadcast:
        return broadcast(view, bytes);
    case Collective::PointToPoint:
        return pointToPoint(view, bytes);
    }
    return 0;
}

constexpr double leastSeconds = 1e-9;
constexpr double mostSeconds = 1e100;

} // namespace

double collectiveSeconds(const ClusterSpec& cluster, Collective kind, double bytes,
                         const GroupPlacement& group)
{
    if (group.ranks <= 1 || cluster.levels.empty())
        return 0;
    const GroupView view(cluster, group);
    const double seconds =
        view.outermost().link->startup +
        moved(view, kind, std::clamp(bytes, 1.0, mostSeconds), std::clamp(group.beyond, 0.0, 1.0));
    return std::clamp(seconds, leastSeconds, mostSeconds);
}

double busFactor(Collective kind, int ranks)
{
    if (ranks <= 1)
        return 0;
    const double share = (ranks - 1.0) / ranks;
    switch (kind) {
    case Collective::AllReduce:
        return 2 * share;
    case Collective::ReduceScatter:
    case Collective::AllGather:
    case Collective::AllToAll:
        return share;
    case Collective::Broadcast:
    case Collective::PointToPoint:
        return 1;
    }
    return 1;
}

} // namespace triaxis

#include "engine/plan/cluster_costs.h"

#include "engine/plan/placement_reach.h"

#include <algorithm>
#include <map>

namespace triaxis
{
namespace
{

int strideOf(const Layout& layout, Axis axis)
{
    int stride = 1;
    for (const Axis faster : layout.order) {
        if (faster == axis)
            break;
        stride *= faster == Axis::Tensor ? layout.tp : faster == Axis::Data ? layout.dp : layout.pp;
    }
    return stride;
}

/// Costs are made for ranks that run through tensor, then data, then pipeline. In another order the
/// members of a group are as many times further apart.
AxisNetworks networksOf(const Layout& layout, const ClusterSpec& network)
{
    const double tensor = strideOf(layout, Axis::Tensor);
    const double data = double(strideOf(layout, Axis::Data)) / layout.tp;
    const double pipeline =
        double(strideOf(layout, Axis::Pipeline)) / (double(layout.tp) * layout.dp);
    return {networkSeenFrom(network, tensor), networkSeenFrom(network, data),
            networkSeenFrom(network, pipeline)};
}

/// Time of one microbatch in all layers, relative.
double layerSeconds(const TrainingJob& job, const ParallelPlan& plan)
{
    const UnitCosts unit = unitCosts(job, plan);
    return job.model.expert.experts > 0 ? unit.expertLayer.all() : unit.denseLayer.all();
}

/// How much longer ranks compute whose tensor group is torn over nodes, or whose device is another.
class RankFactors
{
public:
    RankFactors(const DrawnPlan& drawn, const ClusterCosts& costs)
        : m_drawn(drawn), m_costs(costs), m_over(jobOver(costs, costs.networks.tensor)),
          m_usual(layerSeconds(m_over, costs.plan))
    {
    }

    double torn(int members)
    {
        return cached(m_torn, members, [&] {
            TrainingJob job = m_over;
            job.cluster =
                networkSeenFrom(m_costs.job.cluster, double(m_drawn.cluster.nodeSize) / members);
            return std::max(1.0, layerSeconds(job, m_costs.plan) / m_usual);
        });
    }

    double device(int node)
    {
        const DeviceSpec& spec = m_drawn.cluster.specOfNode(node);
        if (&spec == &m_drawn.cluster.network.device)
            return 1;
        const auto index = int(&spec - &m_drawn.cluster.mixed.front().device);
        return cached(m_device, index, [&] {
            TrainingJob job = m_over;
            job.cluster = withDevice(job.cluster, spec);
            return layerSeconds(job, m_costs.plan) / m_usual;
        });
    }

private:
    template <class Make>
    static double cached(std::map<int, double>& factors, int key, Make make)
    {
        const auto known = factors.find(key);
        if (known != factors.end())
            return known->second;
        return factors.emplace(key, make()).first->second;
    }

    const DrawnPlan& m_drawn;
    const ClusterCosts& m_costs;
    TrainingJob m_over;
    double m_usual;
    std::map<int, double> m_torn, m_device;
};

void addRankFactors(const DrawnPlan& drawn, ClusterCosts& costs)
{
    const std::vector<int> members = tensorMembersByRank(drawn);
    const Layout layout = drawnLayout(drawn);
    // What costs are made for.
    const int usual =
        std::clamp(drawn.cluster.nodeSize / strideOf(layout, Axis::Tensor), 1, layout.tp);
    RankFactors factors(drawn, costs);
    for (int rank = 0; rank < layout.ranks(); ++rank) {
        double factor = 1;
        if (members[std::size_t(rank)] < usual)
            factor *= factors.torn(members[std::size_t(rank)]);
        if (!drawn.cluster.mixed.empty())
            factor *= factors.device(drawn.cluster.nodeOf(deviceOf(drawn, Rank(rank))));
        if (factor == 1)
            continue;
        // Predictions number ranks in Megatron's order.
        Layout numbered = layout;
        numbered.order = megatronOrder;
        costs.differences.slowRanks.push_back(
            {rankOf(numbered, coordinatesOf(layout, Rank(rank))), factor});
    }
}

/// Neighbours in a pipeline that a placement by hand put further apart than their stages are.
void addLinkFactors(const DrawnPlan& drawn, ClusterCosts& costs)
{
    if (drawn.deviceOfRank.empty() || drawn.run.layout.pp < 2)
        return;
    const Layout layout = drawnLayout(drawn);
    Layout numbered = layout;
    numbered.order = megatronOrder;
    constexpr std::size_t mostLinks = 64;
    const DrawnCluster& cluster = drawn.cluster;
    const LinkLevel& slow = costs.job.cluster.levels.back();
    const LinkLevel& fast = costs.job.cluster.levels.front();
    const double factor = std::max(1.0, fast.bandwidth / slow.bandwidth);
    for (int rank = 0; rank < layout.ranks(); ++rank) {
        Coordinates at = coordinatesOf(layout, Rank(rank));
        if (at.pipeline + 1 >= layout.pp)
            continue;
        const Coordinates from = at;
        ++at.pipeline;
        const Rank next = rankOf(layout, at);
        const bool apart =
            cluster.nodeOf(deviceOf(drawn, Rank(rank))) != cluster.nodeOf(deviceOf(drawn, next));
        const bool usually = cluster.nodeOf(rank) != cluster.nodeOf(next.value);
        if (apart && !usually)
            costs.differences.slowLinks.push_back(
                {rankOf(numbered, from), rankOf(numbered, at), factor});
    }
    // Of so many one stands for all.
    if (costs.differences.slowLinks.size() > mostLinks) {
        costs.differences.slowLinks.clear();
        costs.networks.pipeline = networkSeenFrom(costs.job.cluster, cluster.nodeSize);
    }
}

} // namespace

ClusterCosts clusterCosts(const DrawnPlan& plan)
{
    ClusterCosts costs;
    costs.job = trainingJob(plan);
    costs.plan = parallelPlan(plan);
    costs.networks = networksOf(drawnLayout(plan), costs.job.cluster);
    addRankFactors(plan, costs);
    addLinkFactors(plan, costs);
    return costs;
}

TrainingJob jobOver(const ClusterCosts& costs, const ClusterSpec& network)
{
    TrainingJob job = costs.job;
    job.cluster = network;
    return job;
}

} // namespace triaxis

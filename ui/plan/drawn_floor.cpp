#include "ui/plan/drawn_floor.h"

#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

#include <QLocale>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

/// The rank that a finding is about: "rank 9".
int rankIn(const std::string& where)
{
    const QString text = toQString(where);
    if (!text.startsWith(QLatin1String("rank ")))
        return -1;
    bool isNumber = false;
    const int rank = QLocale::c().toInt(text.mid(5), &isNumber);
    return isNumber ? rank : -1;
}

void addMixedTitles(FloorModel& floor, const DrawnCluster& cluster)
{
    if (cluster.thisMachine || cluster.mixed.empty())
        return;
    for (int node = 0; node < cluster.nodes; ++node)
        for (int slot = 0; slot < cluster.nodeSize; ++slot)
            floor.deviceTitles.push_back(toQString(cluster.specOfNode(node).name));
}

void addMemory(FloorModel& floor, const DrawnPlan& plan, const DrawnPrediction& prediction,
               const MachineFacts& machine)
{
    const int ranks = floor.layout.ranks();
    floor.memoryBytes.reserve(std::size_t(ranks));
    for (int rank = 0; rank < ranks; ++rank)
        floor.memoryBytes.push_back(std::int64_t(prediction.bytesOf(plan, Rank(rank))));
    if (plan.cluster.thisMachine || plan.cluster.mixed.empty()) {
        const auto capacity = std::int64_t(capacityOf(plan, Rank(0), machine));
        if (capacity > 0)
            floor.capacityBytes = {capacity};
        return;
    }
    for (int device = 0; device < plan.cluster.devices(); ++device)
        floor.capacityBytes.push_back(plan.cluster.specOf(device).memoryBytes);
}

/// Divisors of the heads and of the layers that are left, as far as they matter.
std::vector<int> divisorsUpTo(int whole, int most)
{
    std::vector<int> divisors;
    for (int size = 1; size <= std::min(whole, most); ++size)
        if (whole % size == 0)
            divisors.push_back(size);
    return divisors;
}

} // namespace

FloorModel floorModel(const DrawnPlan& plan, const DrawnPrediction* prediction,
                      const MachineFacts& machine, const std::vector<Diagnostic>& findings)
{
    const DrawnCluster& cluster = plan.cluster;
    FloorModel floor;
    floor.nodes = cluster.nodes;
    floor.devicesPerNode = cluster.nodeSize;
    constexpr int fewNodes = 32;
    floor.nodesPerRack = cluster.nodes > fewNodes ? cluster.rack : 0;
    floor.deviceNoun = cluster.thisMachine ? QStringLiteral("place") : QStringLiteral("GPU");
    floor.layout = drawnLayout(plan);
    floor.placement = plan.deviceOfRank;
    if (cluster.thisMachine && cluster.nodes == 1)
        floor.nodeTitles = {Words::tr("this machine")};
    addMixedTitles(floor, cluster);
    if (prediction != nullptr && prediction->known)
        addMemory(floor, plan, *prediction, machine);
    for (const Diagnostic& finding : findings) {
        const int rank = rankIn(finding.where);
        if (rank >= 0 && rank < floor.layout.ranks())
            floor.notices.push_back({finding.severity, spoken(finding.what), -1, rank});
    }
    return floor;
}

SizeLimits sizeLimits(const DrawnPlan& plan)
{
    constexpr int mostTensor = 64;
    constexpr int mostHere = 64; ///< ranks that one machine is asked to run
    SizeLimits limits;
    limits.devices = plan.cluster.thisMachine ? std::max(mostHere, drawnLayout(plan).ranks())
                                              : plan.cluster.devices();
    limits.tensor = divisorsUpTo(plan.shape.heads, mostTensor);
    for (int stages = 1; stages * plan.run.layout.virtualStages <= plan.shape.layers + 2; ++stages)
        limits.pipeline.push_back(stages);
    return limits;
}

DrawnPlan withProposal(const DrawnPlan& plan, const FloorProposal& proposal)
{
    if (proposal.sizes == sizesOf(drawnLayout(plan))) {
        // Back where it began, or ranks swapped: nodes and layers stay as they are.
        DrawnPlan after = plan;
        after.deviceOfRank = proposal.placement;
        return after;
    }
    const int context = plan.cluster.thisMachine ? 1 : std::max(1, plan.cp);
    DrawnPlan after = withAxisSizes(plan, std::max(1, proposal.sizes.dp / context),
                                    proposal.sizes.tp, proposal.sizes.pp);
    after.deviceOfRank = proposal.placement;
    return after;
}

} // namespace triaxis::ui

#include "engine/layout/layout.h"

#include "engine/core/error.h"
#include "engine/layout/axis.h"

#include <algorithm>
#include <cstdlib>

namespace triaxis
{
namespace
{

/// Walks the ranks from `at` along one axis.
std::vector<Rank> along(const Layout& layout, Coordinates at, Axis axis)
{
    std::vector<Rank> ranks;
    for (int i = 0; i < sizeOf(layout, axis); ++i) {
        coordinate(at, axis) = i;
        ranks.push_back(rankOf(layout, at));
    }
    return ranks;
}

} // namespace

RankOrder parseRankOrder(const std::string& text)
{
    RankOrder order = megatronOrder;
    std::sort(order.begin(), order.end());
    do {
        if (toText(order) == text)
            return order;
    } while (std::next_permutation(order.begin(), order.end()));
    throw Error("cannot read the rank order", "\"" + text + "\" is no order of dp, tp and pp",
                "write each axis once, the fastest first, for example tp-dp-pp");
}

std::string toText(const RankOrder& order)
{
    std::string text;
    for (const Axis axis : order)
        text += (text.empty() ? "" : "-") + std::string(shortName(axis));
    return text;
}

Rank rankOf(const Layout& layout, const Coordinates& at)
{
    Coordinates copy = at;
    int rank = 0, stride = 1;
    for (const Axis axis : layout.order) {
        rank += coordinate(copy, axis) * stride;
        stride *= sizeOf(layout, axis);
    }
    return Rank(rank);
}

Coordinates coordinatesOf(const Layout& layout, Rank rank)
{
    Coordinates at;
    int rest = rank.value;
    for (const Axis axis : layout.order) {
        coordinate(at, axis) = rest % sizeOf(layout, axis);
        rest /= sizeOf(layout, axis);
    }
    return at;
}

std::vector<Rank> groupOf(const Layout& layout, Rank rank, Axis axis)
{
    return along(layout, coordinatesOf(layout, rank), axis);
}

std::vector<std::vector<Rank>> groupsOf(const Layout& layout, Axis axis)
{
    // In ascending order of their first ranks: the other axes, fastest first, as Megatron numbers
    // its groups.
    std::vector<std::vector<Rank>> groups;
    for (int rank = 0; rank < layout.ranks(); ++rank) {
        Coordinates at = coordinatesOf(layout, Rank(rank));
        if (coordinate(at, axis) == 0)
            groups.push_back(along(layout, at, axis));
    }
    return groups;
}

std::vector<Rank> modelGroupOf(const Layout& layout, Rank rank)
{
    Coordinates at = coordinatesOf(layout, rank);
    std::vector<Rank> ranks;
    for (at.pipeline = 0; at.pipeline < layout.pp; ++at.pipeline) {
        const std::vector<Rank> stage = along(layout, at, Axis::Tensor);
        ranks.insert(ranks.end(), stage.begin(), stage.end());
    }
    return ranks;
}

std::vector<int> defaultLayerSplit(int layers, int virtualStages)
{
    if (virtualStages < 1)
        return {};
    const int all = std::max(layers, 0);
    std::vector<int> split(std::size_t(virtualStages), all / virtualStages);
    const int surplus = all % virtualStages;
    // Where they cannot lie in the very middle, one earlier: the head costs more than the
    // embedding.
    const auto first = split.begin() + (virtualStages - surplus) / 2;
    std::for_each(first, first + surplus, [](int& stage) { ++stage; });
    return split;
}

std::vector<int> layerSplit(const Layout& layout, const ModelSpec& model)
{
    if (!layout.layersPerStage.empty())
        return layout.layersPerStage;
    return defaultLayerSplit(model.layers, layout.pp * layout.virtualStages);
}

int BatchShape::microbatches(int dp) const
{
    if (dp < 1 || microbatch < 1 || globalBatch < 1)
        return 0;
    const std::int64_t perMicrobatch = std::int64_t(dp) * microbatch;
    return globalBatch % perMicrobatch == 0 ? int(globalBatch / perMicrobatch) : 0;
}

std::string toText(const Layout& layout)
{
    return std::to_string(layout.dp) + "×" + std::to_string(layout.tp) + "×" +
           std::to_string(layout.pp) + " (data × tensor × pipeline)";
}

std::string toText(const Coordinates& at)
{
    return "dp" + std::to_string(at.data) + " · pp" + std::to_string(at.pipeline) + " · tp" +
           std::to_string(at.tensor);
}

} // namespace triaxis

#include "engine/train/rank_groups.h"

#include "engine/model/parameters.h"

#include <algorithm>
#include <numeric>

namespace triaxis::train
{
namespace
{

using Groups = std::vector<std::vector<int>>;

std::vector<int> numbers(const std::vector<Rank>& ranks)
{
    std::vector<int> values;
    for (Rank rank : ranks)
        values.push_back(rank.value);
    return values;
}

Groups numbers(const std::vector<std::vector<Rank>>& groups)
{
    Groups values;
    for (const auto& group : groups)
        values.push_back(numbers(group));
    return values;
}

Groups modelGroups(const Layout& layout)
{
    Groups groups;
    for (int replica = 0; replica < layout.dp; ++replica)
        groups.push_back(numbers(modelGroupOf(layout, rankOf(layout, {replica, 0, 0}))));
    return groups;
}

/// Stages that hold the token table, if it has more than one copy.
std::vector<int> tiedStages(const ModelSpec& model, const Program& program)
{
    std::vector<int> stages;
    if (!model.tiedHead)
        return stages;
    for (const StageProgram& stage : program.perStage)
        if (std::any_of(stage.chunks.begin(), stage.chunks.end(),
                        [](const ChunkContent& c) { return c.embedding || c.head; }))
            stages.push_back(stage.stage.value);
    return stages.size() > 1 ? stages : std::vector<int>{};
}

Groups tiedGroups(const Layout& layout, const std::vector<int>& stages)
{
    Groups groups;
    if (stages.empty())
        return groups;
    for (int replica = 0; replica < layout.dp; ++replica)
        for (int tensor = 0; tensor < layout.tp; ++tensor) {
            std::vector<int>& group = groups.emplace_back();
            for (int stage : stages)
                group.push_back(rankOf(layout, {replica, tensor, stage}).value);
        }
    return groups;
}

/// Tensor ranks by the key/value head that they hold, in every tensor group.
Groups replicaGroups(const Layout& layout, const ModelSpec& model)
{
    Groups groups;
    if (layout.tp <= model.kvHeads)
        return groups;
    const int holders = layout.tp / model.kvHeads;
    for (const auto& tensorGroup : groupsOf(layout, Axis::Tensor))
        for (int head = 0; head < model.kvHeads; ++head) {
            std::vector<int>& group = groups.emplace_back();
            for (int holder = 0; holder < holders; ++holder)
                group.push_back(tensorGroup[std::size_t(head * holders + holder)].value);
        }
    return groups;
}

std::unique_ptr<kernels::Communicator> make(kernels::World& world, const Groups& groups)
{
    // Every rank sees the same groups, so all of them skip the same call.
    if (groups.empty() || groups.front().size() < 2)
        return nullptr;
    return world.makeGroup(groups);
}

} // namespace

RankGroups makeRankGroups(kernels::World& world, const Layout& layout, const ModelSpec& model,
                          const Program& program)
{
    RankGroups groups;
    groups.tensor = make(world, numbers(groupsOf(layout, Axis::Tensor)));
    groups.data = make(world, numbers(groupsOf(layout, Axis::Data)));
    groups.pipeline = make(world, numbers(groupsOf(layout, Axis::Pipeline)));
    groups.model = make(world, modelGroups(layout));
    groups.tied = make(world, tiedGroups(layout, tiedStages(model, program)));
    groups.replicas = make(world, replicaGroups(layout, model));
    std::vector<int> everyone(std::size_t(world.size()));
    std::iota(everyone.begin(), everyone.end(), 0);
    groups.everyone = world.makeGroup({everyone});
    return groups;
}

} // namespace triaxis::train

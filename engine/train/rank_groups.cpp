#include "engine/train/rank_groups.h"

#include "engine/core/error.h"
#include "engine/schedule/step_tail.h"

#include <numeric>
#include <set>

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

/// Stages that hold the same chunks as `stage`, itself included: it alone, or it and its twin.
std::set<int> twinsOf(const Program& program, const StageProgram& stage)
{
    std::set<int> all;
    for (const ChunkContent& chunk : stage.chunks) {
        std::set<int> twins;
        for (const StageProgram& other : program.perStage)
            for (const ChunkContent& candidate : other.chunks)
                if (candidate.virtualStage == chunk.virtualStage)
                    twins.insert(other.stage.value);
        if (int(twins.size()) != program.replicas || (!all.empty() && twins != all))
            throw Error(
                "cannot sum the gradients of the schedule \"" + program.schedule + "\"",
                "the copies of the chunks of stage " + std::to_string(stage.stage.value) +
                    " do not lie on one other stage",
                "place each copy of the model in mirror order over an even number of stages");
        all = std::move(twins);
    }
    return all;
}

/// Ranks that hold the same parameters: the replicas of a rank, and those of its twin.
Groups gradientGroups(const Layout& layout, const Program& program)
{
    if (program.replicas == 1)
        return numbers(groupsOf(layout, Axis::Data));
    std::set<std::set<int>> twins;
    for (const StageProgram& stage : program.perStage)
        twins.insert(twinsOf(program, stage));
    Groups groups;
    for (const std::set<int>& stages : twins)
        for (int tensor = 0; tensor < layout.tp; ++tensor) {
            std::vector<int>& group = groups.emplace_back();
            for (const int stage : stages)
                for (int replica = 0; replica < layout.dp; ++replica)
                    group.push_back(rankOf(layout, {replica, tensor, stage}).value);
        }
    return groups;
}

std::vector<int> stagesWithTiedCopies(const ModelSpec& model, const Program& program)
{
    std::vector<std::vector<ChunkContent>> contents;
    for (const StageProgram& stage : program.perStage)
        contents.push_back(stage.chunks);
    return tiedStages(model, contents);
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

std::unique_ptr<kernels::Communicator> make(kernels::World& world, const Groups& groups,
                                            kernels::Traffic traffic)
{
    // Every rank sees the same groups, so all of them skip the same call.
    if (groups.empty() || groups.front().size() < 2)
        return nullptr;
    return world.makeGroup(groups, traffic);
}

} // namespace

RankGroups makeRankGroups(kernels::World& world, const Layout& layout, const ModelSpec& model,
                          const Program& program)
{
    using kernels::Traffic;
    RankGroups groups;
    groups.tensor = make(world, numbers(groupsOf(layout, Axis::Tensor)), Traffic::Collectives);
    groups.data = make(world, gradientGroups(layout, program), Traffic::Collectives);
    groups.pipeline = make(world, numbers(groupsOf(layout, Axis::Pipeline)), Traffic::Neighbours);
    groups.model = make(world, modelGroups(layout), Traffic::Collectives);
    groups.tied =
        make(world, tiedGroups(layout, stagesWithTiedCopies(model, program)), Traffic::Collectives);
    groups.replicas = make(world, replicaGroups(layout, model), Traffic::Collectives);
    std::vector<int> everyone(std::size_t(world.size()));
    std::iota(everyone.begin(), everyone.end(), 0);
    groups.everyone = world.makeGroup({everyone}, Traffic::Collectives);
    return groups;
}

} // namespace triaxis::train

#include "engine/simulate/prediction_columns.h"

#include "engine/core/random.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace triaxis
{
namespace
{

double secondsOf(const ComputeItem& item, const StageCosts& costs)
{
    if (item.position < 0)
        return 0;
    const auto position = std::size_t(item.position);
    switch (item.id.kind()) {
    case Kind::Forward:
        return costs.forward[position];
    case Kind::BackwardInput:
        return costs.input[position];
    case Kind::BackwardWeight:
        return costs.weight[position];
    default:
        return costs.input[position] + costs.weight[position];
    }
}

} // namespace

ColumnDurations::ColumnDurations(const SimulatedPlan& plan, const Perturbations& perturbations,
                                 TransferRule transfers)
    : m_plan(plan), m_perturbations(perturbations), m_slow(slowFactors(perturbations, plan.layout)),
      m_update(updateFactors(perturbations, plan.layout)), m_links(perturbations, plan.layout),
      m_range(std::size_t(plan.compiled.stages()), {0, 0})
{
    const std::vector<ComputeItem>& computes = plan.compiled.computes();
    for (std::size_t i = 0; i < computes.size(); ++i) {
        auto& [first, count] = m_range[std::size_t(computes[i].stage)];
        if (count++ == 0)
            first = int(i);
        m_seconds.push_back(secondsOf(computes[i], plan.costs));
    }
    PipelineDurations durations;
    PipelineTimes times;
    Perturbations nothing;
    durations.compute = m_seconds;
    durations.transfer.assign(plan.compiled.transfers().size(), plan.costs.transfer);
    durations.overlapGain = plan.costs.overlapGain;
    plan.compiled.replayPipeline(durations, transfers, times);
    setCollectives(times);
}

/// What backward cannot hide of a stage's reductions comes behind its last backward; those that are
/// enqueued earlier hide behind what the stage still computes, and last no longer than that.
void ColumnDurations::setCollectives(const PipelineTimes& times)
{
    const std::vector<CollectiveItem>& all = m_plan.compiled.collectives();
    m_collective.assign(all.size(), 0);
    // [stage] its reductions by when they are enqueued; of twins, when the last of them is.
    std::vector<std::map<double, std::vector<std::size_t>>> ofStage(
        std::size_t(m_plan.compiled.stages()));
    for (std::size_t c = 0; c < all.size(); ++c) {
        if (all[c].kind == Kind::TiedReduce)
            m_collective[c] = m_plan.tail.embedding;
        if (all[c].kind != Kind::GradientReduce)
            continue;
        double ready = 0;
        for (std::size_t m = 0; m < all[c].members.size(); ++m)
            ready = std::max(ready, times.slotReady[std::size_t(all[c].firstSlot) + m]);
        ofStage[std::size_t(all[c].members.front().stage)][ready].push_back(c);
    }
    for (const auto& byReady : ofStage)
        for (auto group = byReady.begin(); group != byReady.end(); ++group) {
            const bool last = std::next(group) == byReady.end();
            double bytes = 0;
            double alone = 0;
            for (const std::size_t c : group->second) {
                bytes += double(all[c].bytes);
                alone += m_plan.reductions.empty() ? 0 : m_plan.reductions[c];
            }
            const double room = last ? m_plan.tail.gradients
                                     : std::min(alone, std::next(group)->first - group->first);
            for (const std::size_t c : group->second)
                m_collective[c] = bytes > 0 ? room * double(all[c].bytes) / bytes : 0;
        }
}

ColumnDurations::Group ColumnDurations::groupOf(int column, int stage) const
{
    Group group;
    for (int data = column * m_plan.lockstep; data < (column + 1) * m_plan.lockstep; ++data)
        for (int tensor = 0; tensor < m_plan.layout.tp; ++tensor)
            group.ranks.push_back(rankOf(m_plan.layout, {data, tensor, stage}));
    return group;
}

std::vector<int> ColumnDurations::devicesOf(int column, int stage) const
{
    std::vector<int> devices;
    for (const Rank rank : groupOf(column, stage).ranks)
        devices.push_back(rank.value);
    return devices;
}

/// The rank's factor of each compute instruction of its stage.
void ColumnDurations::draw(Rank rank, int stage, std::vector<double>& factors) const
{
    const auto count = std::size_t(m_range[std::size_t(stage)].second);
    const double slow = m_slow[std::size_t(rank.value)];
    factors.assign(count, slow);
    const double sigma = m_perturbations.jitter;
    if (sigma == 0)
        return;
    // Instructions of a rank are 2²⁸ at most; each rank has a stretch of its own.
    constexpr int instructionBits = 28;
    thread_local std::vector<float> normals;
    normals.resize(count);
    CounterRandom(m_perturbations.seed, "jitter")
        .normals(std::uint64_t(rank.value) << instructionBits, std::int64_t(count), 1,
                 normals.data());
    for (std::size_t i = 0; i < count; ++i)
        factors[i] = slow * std::exp(sigma * double(normals[i]) - sigma * sigma / 2);
}

void ColumnDurations::fill(int first, int width, PipelineDurations& durations,
                           std::vector<RankTime>* ranks) const
{
    const auto w = std::size_t(width);
    durations.width = width;
    durations.overlapGain = m_plan.costs.overlapGain;
    durations.compute.assign(m_seconds.size() * w, 0);
    durations.transfer.assign(m_plan.compiled.transfers().size() * w, m_plan.costs.transfer);
    std::vector<double> factors;
    std::vector<double> group;
    for (std::size_t column = 0; column < w; ++column)
        for (int stage = 0; stage < m_plan.compiled.stages(); ++stage) {
            const Group members = groupOf(first + int(column), stage);
            const auto [begin, count] = m_range[std::size_t(stage)];
            group.assign(std::size_t(count), 0);
            for (const Rank rank : members.ranks) {
                draw(rank, stage, factors);
                double own = 0;
                for (std::size_t i = 0; i < std::size_t(count); ++i) {
                    group[i] = std::max(group[i], factors[i]);
                    own += factors[i] * m_seconds[std::size_t(begin) + i];
                }
                if (ranks)
                    (*ranks)[std::size_t(rank.value)].compute = own;
            }
            double together = 0;
            for (std::size_t i = 0; i < std::size_t(count); ++i) {
                const double seconds = group[i] * m_seconds[std::size_t(begin) + i];
                durations.compute[(std::size_t(begin) + i) * w + column] = seconds;
                together += seconds;
            }
            if (ranks)
                for (const Rank rank : members.ranks) {
                    RankTime& time = (*ranks)[std::size_t(rank.value)];
                    time.tensorWait = std::max(0.0, together - time.compute);
                }
        }
    if (m_links.none())
        return;
    // Every rank sends its part; the stage goes on when the last has arrived.
    const std::vector<TransferItem>& transfers = m_plan.compiled.transfers();
    for (std::size_t column = 0; column < w; ++column) {
        const auto stages = std::size_t(m_plan.compiled.stages());
        std::vector<double> factor(stages * stages, 0);
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            double& between =
                factor[std::size_t(transfers[i].from) * stages + std::size_t(transfers[i].to)];
            if (between == 0) {
                const Group from = groupOf(first + int(column), transfers[i].from);
                const Group to = groupOf(first + int(column), transfers[i].to);
                for (std::size_t m = 0; m < from.ranks.size(); ++m)
                    between = std::max(between, m_links.between(from.ranks[m], to.ranks[m]));
            }
            durations.transfer[i * w + column] *= between;
        }
    }
}

std::vector<double> ColumnDurations::ownOfFirst(int column) const
{
    std::vector<double> own = m_seconds;
    std::vector<double> factors;
    for (int stage = 0; stage < m_plan.compiled.stages(); ++stage) {
        draw(groupOf(column, stage).ranks.front(), stage, factors);
        const int begin = m_range[std::size_t(stage)].first;
        for (std::size_t i = 0; i < factors.size(); ++i)
            own[std::size_t(begin) + i] *= factors[i];
    }
    return own;
}

TailDurations ColumnDurations::tail(int columns) const
{
    const auto count = std::size_t(columns);
    const auto stages = std::size_t(m_plan.compiled.stages());
    TailDurations tail;
    tail.collective.resize(m_collective.size() * count);
    tail.optimizer.resize(stages * count);
    const double update = m_plan.tail.optimizer + m_plan.tail.gathers;
    std::vector<double> links(stages * count, 1);
    for (std::size_t stage = 0; stage < stages; ++stage)
        for (std::size_t column = 0; column < count; ++column) {
            double slow = 0;
            double link = 1;
            for (const Rank rank : groupOf(int(column), int(stage)).ranks) {
                slow = std::max(slow, m_update[std::size_t(rank.value)]);
                link = std::max(link, m_links.around(rank));
            }
            tail.optimizer[stage * count + column] = update * slow;
            links[stage * count + column] = link;
        }
    for (std::size_t c = 0; c < m_collective.size(); ++c)
        for (std::size_t column = 0; column < count; ++column) {
            double link = 1;
            for (const CollectiveItem::Member& member : m_plan.compiled.collectives()[c].members)
                link = std::max(link, links[std::size_t(member.stage) * count + column]);
            tail.collective[c * count + column] = m_collective[c] * link;
        }
    return tail;
}

} // namespace triaxis

#include "random_programs.h"

#include "engine/schedule/compute_program.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace triaxis::tests
{
namespace
{

int draw(Random& random, int least, int most)
{
    return std::uniform_int_distribution<int>(least, most)(random);
}

ComputeProgram randomPlacement(Random& random)
{
    ComputeProgram program;
    program.schedule = "random";
    program.stages = draw(random, 1, 6);
    program.microbatches = draw(random, 1, 7);
    program.replicas = draw(random, 1, 2);
    program.chunks = program.replicas * draw(random, 1, 3);
    const int positions = virtualStages(program);
    std::vector<int> slots(std::size_t(positions) * program.replicas);
    std::iota(slots.begin(), slots.end(), 0);
    std::shuffle(slots.begin(), slots.end(), random);
    program.order.resize(program.stages);
    auto slot = slots.begin();
    for (int stage = 0; stage < program.stages; ++stage) {
        program.virtualStage.emplace_back();
        program.replica.emplace_back();
        for (int chunk = 0; chunk < program.chunks; ++chunk, ++slot) {
            program.virtualStage.back().push_back(*slot % positions);
            program.replica.back().push_back(*slot / positions);
        }
    }
    return program;
}

struct Item
{
    int stage;
    ComputeStep step;
};

/// The steps of one microbatch through its replica, each after the one before; a weights' part has
/// to come after its input's part.
struct Journey
{
    std::vector<Item> path;
    std::size_t done = 0;
};

Journey journeyOf(Random& random, const ComputeProgram& program, int microbatch)
{
    const int replica = draw(random, 0, program.replicas - 1);
    Journey journey;
    std::vector<std::pair<int, int>> home(virtualStages(program));
    for (int stage = 0; stage < program.stages; ++stage)
        for (int chunk = 0; chunk < program.chunks; ++chunk)
            if (program.replica[stage][chunk] == replica)
                home[program.virtualStage[stage][chunk]] = {stage, chunk};
    for (const auto& [stage, chunk] : home)
        journey.path.push_back({stage, {Kind::Forward, Chunk(chunk), Microbatch(microbatch)}});
    for (auto at = home.rbegin(); at != home.rend(); ++at) {
        const bool split = draw(random, 0, 1) == 1;
        journey.path.push_back({at->first,
                                {split ? Kind::BackwardInput : Kind::Backward, Chunk(at->second),
                                 Microbatch(microbatch)}});
    }
    return journey;
}

void markPairs(Random& random, ComputeProgram& program)
{
    for (std::vector<ComputeStep>& order : program.order)
        for (std::size_t i = 0; i + 1 < order.size(); ++i) {
            const Kind a = order[i].kind;
            const Kind b = order[i + 1].kind;
            const bool sound = (a == Kind::Forward && b == Kind::Backward) ||
                               (a == Kind::Backward && b == Kind::Forward);
            if (sound && (i == 0 || !order[i - 1].withNext) && draw(random, 0, 3) == 0)
                order[i].withNext = true;
        }
}

} // namespace

ComputeProgram randomProgram(Random& random, bool pairs)
{
    ComputeProgram program = randomPlacement(random);
    std::vector<Journey> journeys;
    for (int microbatch = 0; microbatch < program.microbatches; ++microbatch)
        journeys.push_back(journeyOf(random, program, microbatch));
    std::vector<Item> weights; // parts of the weights that may come from now on
    const auto unfinished = [](const Journey& journey) {
        return journey.done < journey.path.size();
    };
    while (true) {
        std::vector<Journey*> open;
        for (Journey& journey : journeys)
            if (unfinished(journey))
                open.push_back(&journey);
        if (open.empty() && weights.empty())
            break;
        if (!weights.empty() && (open.empty() || draw(random, 0, 2) == 0)) {
            const auto chosen = weights.begin() + draw(random, 0, int(weights.size()) - 1);
            program.order[chosen->stage].push_back(chosen->step);
            weights.erase(chosen);
            continue;
        }
        Journey& journey = *open[draw(random, 0, int(open.size()) - 1)];
        const Item& item = journey.path[journey.done++];
        program.order[item.stage].push_back(item.step);
        if (item.step.kind == Kind::BackwardInput)
            weights.push_back(
                {item.stage, {Kind::BackwardWeight, item.step.chunk, item.step.microbatch}});
    }
    if (pairs)
        markPairs(random, program);
    return program;
}

StageCosts randomCosts(Random& random, const ComputeProgram& program)
{
    std::uniform_real_distribution<double> seconds(0.5, 2.0);
    StageCosts costs;
    for (int position = 0; position < virtualStages(program); ++position) {
        costs.forward.push_back(seconds(random));
        costs.input.push_back(seconds(random));
        costs.weight.push_back(seconds(random));
    }
    costs.transfer = draw(random, 0, 1) == 0 ? 0 : 0.3 * seconds(random);
    costs.overlapGain = draw(random, 0, 1) == 0 ? 0 : 0.4 * seconds(random);
    return costs;
}

} // namespace triaxis::tests

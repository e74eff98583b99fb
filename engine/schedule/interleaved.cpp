#include "engine/schedule/compute_program.h"
#include "engine/schedule/named_schedule.h"
#include "engine/schedule/stage_order.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// A last group of fewer than P microbatches leaves stages idle, and some shapes deadlock.
bool isSoundGroup(int group, int stages, int microbatches)
{
    const int rest = microbatches % group;
    return group >= stages && group <= microbatches && (rest == 0 || rest >= stages);
}

/// M < P: all microbatches are one group.
int groupOf(const ScheduleRequest& request)
{
    const int stages = request.stages;
    const int microbatches = request.microbatches;
    const int asked = request.microbatchGroup;
    if (microbatches < stages) {
        if (asked == 0 || asked == microbatches)
            return microbatches;
        refuseRequest(request, "groups of " + std::to_string(asked) + " microbatches",
                      "with fewer microbatches than stages all " + std::to_string(microbatches) +
                          " are one group");
    }
    if (asked == 0) {
        int group = stages;
        while (!isSoundGroup(group, stages, microbatches))
            ++group;
        return group;
    }
    if (asked < 0 || !isSoundGroup(asked, stages, microbatches))
        refuseRequest(request,
                      std::to_string(microbatches) + " microbatches in groups of " +
                          std::to_string(asked),
                      "use a group N from P = " + std::to_string(stages) +
                          " to M with M mod N = 0 or at least P; other groups idle or deadlock");
    return asked;
}

/// Chunks in the order in which forwards visit them: group by group, chunk by chunk.
std::vector<int> chunkOrder(int microbatches, int group, int chunks)
{
    std::vector<int> order;
    for (int first = 0; first < microbatches; first += group) {
        const int size = std::min(group, microbatches - first);
        for (int chunk = 0; chunk < chunks; ++chunk)
            order.insert(order.end(), size, chunk);
    }
    return order;
}

ComputeProgram interleaved(const ScheduleRequest& request)
{
    const int stages = request.stages;
    const int chunks = request.virtualStages;
    const int group = groupOf(request);
    ComputeProgram program = loopedPipeline(request.name, stages, request.microbatches, chunks);
    const std::vector<int> visits = chunkOrder(request.microbatches, group, chunks);
    const int total = int(visits.size());
    for (int stage = 0; stage < stages; ++stage) {
        StageOrder order(program, stage);
        const int warmUp = std::min(2 * (stages - 1 - stage) + (chunks - 1) * group, total);
        for (int k = 0; k < warmUp; ++k)
            order.forward(visits[k]);
        for (int k = 0; k < total; ++k) {
            if (warmUp + k < total)
                order.forward(visits[warmUp + k]);
            order.backward(chunks - 1 - visits[k]);
        }
    }
    return program;
}

} // namespace

NamedSchedule interleavedSchedule()
{
    ScheduleInfo info;
    info.name = "interleaved";
    info.title = "Interleaved 1F1B";
    info.source = "Narayanan et al., Megatron-LM, 2021";
    info.summary = "1F1B over V chunks a stage, by groups of microbatches: the bubble shrinks to "
                   "1/V, transfers grow V-fold, and more activations are kept.";
    info.minimumVirtual = 2;
    info.maximumVirtual = maximumChunks;
    return {info, interleaved};
}

} // namespace triaxis

#include "engine/schedule/chimera_order.h"

#include "engine/schedule/bidirectional.h"
#include "engine/schedule/compute_program.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// A forward of the figure, or one backward.
struct Slot
{
    int time = 0;
    bool forward = false;
    int chunk = 0;
};

/// Times of a unit on the chunk that is stage `position` of its pipeline. Forwards reach the stage
/// every second slot, later ones backwards; the two pipelines of a stage then use slots of
/// different parity, or of different times, and never the same.
void addUnit(std::vector<Slot>& slots, int start, int stages, int position, int chunk, int together)
{
    for (int i = 0; i < stages / 2; ++i)
        slots.push_back({start + position + 2 * i, true, chunk});
    for (int i = 0; i < stages / 2 * together; ++i)
        slots.push_back({start + 2 * stages - 1 - position + 2 * i, false, chunk});
}

} // namespace

ComputeProgram chimeraOrder(const ScheduleRequest& request, int together)
{
    checkBidirectional(request);
    const int stages = request.stages;
    const int unit = stages / 2 * together; // microbatches a direction
    const int units = (microbatchesOneWay(request.microbatches) - 1) / unit + 1;
    const int length = stages * (1 + together); // slots between the starts of two units
    ComputeProgram program = bidirectionalPipeline(request.name, stages, request.microbatches);
    for (int stage = 0; stage < stages; ++stage) {
        std::vector<Slot> slots;
        for (int number = 0; number < units; ++number)
            for (int chunk = 0; chunk < 2; ++chunk)
                addUnit(slots, number * length, stages, program.virtualStage[stage][chunk], chunk,
                        together);
        std::sort(slots.begin(), slots.end(),
                  [](const Slot& a, const Slot& b) { return a.time < b.time; });
        StageOrder order(program, stage);
        shareMicrobatches(order, request.microbatches);
        for (const Slot& slot : slots) {
            if (!slot.forward)
                order.backward(slot.chunk);
            for (int i = 0; slot.forward && i < together; ++i)
                order.forward(slot.chunk);
        }
    }
    return program;
}

} // namespace triaxis

#include "engine/schedule/chimera_order.h"

#include "engine/schedule/bidirectional.h"
#include "engine/schedule/compute_program.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Forwards of the figure, `together` at once, or one backward.
struct Slot
{
    int time = 0;
    bool forward = false;
    int chunk = 0;
    int together = 1;
};

/// Times of a unit on the chunk that is stage `position` of its pipeline. Forwards come every
/// second slot, and later backwards do; the two pipelines of a stage then use slots of different
/// parity or far from each other, and never the same.
void addUnit(std::vector<Slot>& slots, int start, int stages, int position, int chunk, int together)
{
    for (int i = 0; i < stages / 2; ++i)
        slots.push_back({start + position + 2 * i, true, chunk, together});
    for (int i = 0; i < stages / 2 * together; ++i)
        slots.push_back({start + 2 * stages - 1 - position + 2 * i, false, chunk, 1});
}

} // namespace

ComputeProgram chimeraOrder(const ScheduleRequest& request, int together)
{
    checkBidirectional(request);
    const int stages = request.stages;
    const int oneWay = microbatchesOneWay(request.microbatches);
    const int unit = stages / 2 * together;     // microbatches a direction
    const int length = stages * (1 + together); // slots between the starts of two units
    ComputeProgram program = bidirectionalPipeline(request.name, stages, request.microbatches);
    for (int stage = 0; stage < stages; ++stage) {
        std::vector<Slot> slots;
        for (int number = 0; number * unit < oneWay; ++number) {
            const int rest = oneWay - number * unit;
            for (int chunk = 0; chunk < 2; ++chunk)
                addUnit(slots, number * length, stages, program.virtualStage[stage][chunk], chunk,
                        rest <= stages / 2 ? 1 : together);
        }
        std::sort(slots.begin(), slots.end(),
                  [](const Slot& a, const Slot& b) { return a.time < b.time; });
        StageOrder order(program, stage);
        shareMicrobatches(order, request.microbatches);
        for (const Slot& slot : slots) {
            for (int i = 0; i < slot.together; ++i) {
                if (slot.forward)
                    order.forward(slot.chunk);
                else
                    order.backward(slot.chunk);
            }
        }
    }
    return program;
}

} // namespace triaxis

#include "engine/schedule/bidirectional.h"

#include "engine/schedule/named_schedule.h"

namespace triaxis
{

void checkBidirectional(const ScheduleRequest& request)
{
    if (request.stages % 2 != 0)
        refuseRequest(request, std::to_string(request.stages) + " stages",
                      "two opposite directions need an even number of stages");
    if (request.microbatches < 2)
        refuseRequest(request, "one microbatch",
                      "two directions need at least 2 microbatches, one each");
}

int microbatchesOneWay(int microbatches)
{
    return microbatches / 2 + microbatches % 2;
}

void shareMicrobatches(StageOrder& order, int microbatches)
{
    const int down = microbatchesOneWay(microbatches);
    order.take(0, 0, down);
    order.take(1, down, microbatches - down);
}

} // namespace triaxis

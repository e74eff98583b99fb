#include "engine/schedule/chimera_order.h"
#include "engine/schedule/named_schedule.h"

namespace triaxis
{

NamedSchedule chimeraDoublingSchedule()
{
    ScheduleInfo info;
    info.name = "chimera-doubling";
    info.title = "Chimera, forward doubling";
    info.source = "Li and Hoefler, Chimera, 2021, section 3.5";
    info.summary = "Chimera with two forwards back to back, as long as one backward: no bubbles "
                   "between units, but up to twice the activations. Twice the weights.";
    info.replicas = 2;
    return {info, [](const ScheduleRequest& request) { return chimeraOrder(request, 2); }};
}

} // namespace triaxis

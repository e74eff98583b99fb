#include "engine/schedule/chimera_order.h"
#include "engine/schedule/named_schedule.h"

namespace triaxis
{

/// The order of forward doubling. Halving is in the microbatch: whoever asks cuts every microbatch
/// in two, which needs an even number of sequences in each, and M counts the halves.
NamedSchedule chimeraHalvingSchedule()
{
    ScheduleInfo info;
    info.name = "chimera-halving";
    info.title = "Chimera, backward halving";
    info.source = "Li and Hoefler, Chimera, 2021, section 3.5";
    info.summary = "Forward doubling over microbatches of half the size, twice as many: no bubbles "
                   "between units and Chimera's memory, but smaller matrix products.";
    info.replicas = 2;
    return {info, [](const ScheduleRequest& request) { return chimeraOrder(request, 2); }};
}

} // namespace triaxis
